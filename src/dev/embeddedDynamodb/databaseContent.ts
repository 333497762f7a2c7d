import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { loadDevelopmentCode } from '../../core/developmentCode.ts';
import { every } from '../../core/every.ts';
import { ALTERNATIVES } from './binary.ts';
import type { Log } from './database.ts';
import { damaged, foreign } from './databaseFile.ts';
import { loadSqlite, removeLock, sqlitePath } from './sqlite.ts';

/** The tables that the database makes in every file, of this release and of earlier ones. */
const OWN_TABLES = ['_config', '_tables', '_stream_records'];
const PROBLEM_MAX = 200;
/** How often a check that goes on is logged. */
const LOG_EVERY_MS = 5_000;

export interface CheckContentOptions {
  readonly log: Log;
  /** The check ends at once when it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * To be called if the file is not as the last server left it. Reads the whole file, which no process may have open, and
 * leaves it and its log as they are. Throws `StartError` if another program made it, or if it is damaged anywhere: then
 * the database would start, and fail or miss items later. Rejects with the signal's reason if it is aborted.
 *
 * It is `integrity_check` and not `quick_check`, because the latter does not compare indexes with their tables, and an
 * index that lacks an entry hides an item. A file of 500 items takes 0.1 s, and one of 100,000 messages (61 MB) 2.2 s
 * on two busy cores; `quick_check` takes 0.8 s. So it has a thread of its own: meanwhile the process handles signals.
 */
export async function checkContent(file: string, { log, signal }: CheckContentOptions): Promise<void> {
  await loadDevelopmentCode('The embedded DynamoDB', loadSqlite, ALTERNATIVES);
  await removeLock(file);
  const { size: bytes } = await stat(file);
  const began = performance.now();
  const seconds = () => Math.round((performance.now() - began) / 1_000);
  log.info(
    { file, bytes },
    'The database file is checked, because the last server was killed or the file was changed.',
  );
  const stopLogging = every(LOG_EVERY_MS, async () =>
    log.info({ file, bytes, seconds: seconds() }, 'The database file is still being checked.'),
  );
  const { error, tables = [], said = 'ok' } = await readContent(file, signal).finally(stopLogging);
  signal?.throwIfAborted();
  if (error !== undefined) throw damaged(file, oneLine(error));
  if (!OWN_TABLES.every((name) => tables.includes(name))) throw foreign(file);
  if (said !== 'ok') throw damaged(file, oneLine(said));
}

interface Content {
  /** Why it cannot be read. */
  readonly error?: string;
  readonly tables?: readonly string[];
  /** `ok`, or what is wrong. Absent if a table is missing. */
  readonly said?: string;
}

/**
 * As text, because a thread needs a file of its own otherwise: a bundle has none, and Node 20 cannot run ours. The
 * write-ahead log needs shared memory, which this build does not have, or an exclusive lock.
 */
const THREAD = `
  const { parentPort, workerData: { sqlite, file, ownTables } } = require('node:worker_threads');
  function content() {
    const { Database } = require(sqlite);
    const database = new Database(file, { fileMustExist: true, readOnly: true });
    try {
      database.exec('PRAGMA locking_mode = EXCLUSIVE');
      const found = database.all("SELECT name FROM sqlite_schema WHERE type = 'table'");
      const tables = found.map(({ name }) => name);
      if (!ownTables.every((name) => tables.includes(name))) return { tables };
      const [row] = database.all('PRAGMA integrity_check(1)');
      return { tables, said: String(row?.integrity_check) };
    } finally {
      database.close();
    }
  }
  try {
    parentPort.postMessage(content());
  } catch (error) {
    parentPort.postMessage({ error: String(error.message) });
  }`;

async function readContent(file: string, signal: AbortSignal | undefined): Promise<Content> {
  signal?.throwIfAborted();
  const thread = new Worker(THREAD, {
    eval: true,
    // Not those of a loader of this process, which it does not need.
    execArgv: [],
    workerData: { sqlite: sqlitePath(), file, ownTables: OWN_TABLES },
  });
  try {
    const [content] = await once(thread, 'message', { signal });
    return content as Content;
  } catch (error) {
    // It is another error then.
    signal?.throwIfAborted();
    throw error;
  } finally {
    // The directory may be unlocked after that.
    await thread.terminate();
  }
}

const oneLine = (text: string): string =>
  text
    .replace(/^\*\*\* in database main \*\*\*\s*/, '')
    .replace(/\s+/g, ' ')
    .slice(0, PROBLEM_MAX);
