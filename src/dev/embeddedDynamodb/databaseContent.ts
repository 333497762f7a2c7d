import { loadDevelopmentCode } from '../../core/developmentCode.ts';
import { ALTERNATIVES } from './binary.ts';
import { damaged, foreign } from './databaseFile.ts';
import { loadSqlite, removeLock } from './sqlite.ts';

/** The tables that the database makes in every file, of this release and of earlier ones. */
const OWN_TABLES = ['_config', '_tables', '_stream_records'];
const PROBLEM_MAX = 200;

/**
 * To be called if the file is not as the last server left it. Reads the whole file, which no process may have open, and leaves it and its log as they are. Throws `StartError` if
 * another program made it, or if it is damaged anywhere: then the database would start, and fail or miss items later.
 *
 * It is `integrity_check` and not `quick_check`, because the latter does not compare indexes with their tables, and an
 * index that lacks an entry hides an item. A file of 500 items takes 0.1 s, and one of 100,000 messages (61 MB) 2.2 s on
 * two busy cores; `quick_check` takes 0.8 s.
 */
export async function checkContent(file: string): Promise<void> {
  const sqlite = await loadDevelopmentCode('The embedded DynamoDB', loadSqlite, ALTERNATIVES);
  await removeLock(file);
  let problem: string | undefined;
  let tables: unknown[];
  try {
    const database = new sqlite.Database(file, { fileMustExist: true, readOnly: true });
    try {
      // The write-ahead log needs shared memory, which this build does not have, or an exclusive lock.
      database.exec('PRAGMA locking_mode = EXCLUSIVE');
      tables = database
        .all("SELECT name FROM sqlite_schema WHERE type = 'table'")
        .map((row) => (row as { name?: unknown }).name);
      if (OWN_TABLES.every((name) => tables.includes(name))) problem = firstProblem(database);
    } finally {
      database.close();
    }
  } catch (error) {
    throw damaged(file, oneLine((error as Error).message));
  }
  if (!OWN_TABLES.every((name) => tables.includes(name))) throw foreign(file);
  if (problem !== undefined) throw damaged(file, problem);
}

type Sqlite = Awaited<ReturnType<typeof loadSqlite>>;

function firstProblem(database: InstanceType<Sqlite['Database']>): string | undefined {
  const [row] = database.all('PRAGMA integrity_check(1)');
  const said = String((row as { integrity_check?: unknown } | undefined)?.integrity_check);
  return said === 'ok' ? undefined : oneLine(said);
}

const oneLine = (text: string): string =>
  text
    .replace(/^\*\*\* in database main \*\*\*\s*/, '')
    .replace(/\s+/g, ' ')
    .slice(0, PROBLEM_MAX);
