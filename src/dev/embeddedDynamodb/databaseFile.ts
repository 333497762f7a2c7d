import { constants } from 'node:fs';
import { access, lstat, open, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StartError } from '../../core/errors.ts';
import { fileError, usingFile } from '../../core/fileErrors.ts';
import { type LogProblem, logProblem } from './databaseLog.ts';

/** What every SQLite file begins with. */
const MAGIC = 'SQLite format 3\0';
/** The length of SQLite's header, and offsets in it. The numbers are big-endian. */
const HEADER_BYTES = 100;
const PAGE_SIZE_AT = 16;
const CHANGES_AT = 24;
const PAGES_AT = 28;
/** SQLite's `application_id`. */
const MARK_AT = 68;
/** The number of changes for which the number of pages is valid. */
const PAGES_VALID_FOR_AT = 92;

const RESTORE =
  'Restore the directory from a copy, or move it away: the next start then creates an empty database. Or set another DATA_DIR.';

/**
 * Says that the directory has a database, which is made only once: if its file is missing later, an empty one would
 * look like a start on an empty directory.
 */
const madePathOf = (file: string): string => `${file}-made`;

/** The file's content cannot be used. It is never replaced by an empty database: only the operator may do that. */
export const damaged = (file: string, what: string): StartError =>
  new StartError(`The database file ${file} is damaged: ${what}. ${RESTORE}`);

/**
 * SQLite's own sentences: parts of them also occur in what has nothing to do with the file. The last is the database's,
 * about an item whose value is damaged, which SQLite does not notice.
 */
const DAMAGE =
  /database disk image is malformed|malformed database schema|file is not a database|not a valid SQLite database|bad item JSON/i;
const UNUSABLE =
  /disk I\/O error|database or disk is full|attempt to write a readonly database|unable to open database file/i;

/**
 * What a message of the database, or of an error or one of those that caused it, says about its file: an outage hides
 * the database's own message. Undefined: nothing.
 */
export function fileFault(file: string, error: unknown): StartError | undefined {
  const message = error instanceof Error ? error.message : String(error);
  if (DAMAGE.test(message)) return damaged(file, 'the database cannot read all of it');
  const [unusable] = UNUSABLE.exec(message) ?? [];
  if (unusable !== undefined)
    return new StartError(
      `The database file ${file} cannot be used: ${unusable}. Correct that, or set another DATA_DIR.`,
    );
  return error instanceof Error && error.cause !== undefined ? fileFault(file, error.cause) : undefined;
}

const MADE =
  'This directory has a database. While this file is here, a missing one is not replaced by an empty one.\n';

/** To be called when the database's file is complete. After a power cut there is no record without that file. */
export async function recordMade(file: string): Promise<void> {
  const path = madePathOf(file);
  if (await sizeOf(path)) return;
  await usingFile(path, async () => {
    await syncDirectory(dirname(file));
    await writeFile(path, MADE);
  });
}

/** Resolves when the content of a file will survive a power cut. */
export async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
}

/** The same for the names in a directory. Some file systems cannot do that; SQLite ignores the error as well. */
const syncDirectory = (path: string): Promise<void> => syncFile(path).catch(() => {});

/**
 * Checks what the database itself would not: it treats a file of 0 bytes, and a link to nothing, as a new database, and
 * its messages do not name the file. Reads 100 bytes, and the log. Throws `StartError` if the file cannot be used.
 */
export async function checkDatabaseFile(file: string): Promise<void> {
  await checkPermissions(file);
  const log = await sizeOf(`${file}-wal`);
  const size = await sizeOf(file);
  if (size === undefined) {
    if (await isLink(file)) throw damaged(file, 'it is a link to a file that does not exist');
    if (log)
      throw damaged(file, `it is missing, but its log ${file}-wal is there. Without the file it is lost`);
    if (await sizeOf(madePathOf(file)))
      throw damaged(file, `it is missing, but ${madePathOf(file)} says that there was one`);
    return;
  }
  if (size === 0) throw damaged(file, 'it has 0 bytes');
  const header = await headerOf(file);
  if (header.toString('latin1', 0, MAGIC.length) !== MAGIC)
    throw damaged(file, 'it is not a SQLite database');
  if (header.length < HEADER_BYTES) throw damaged(file, `it ends after ${size} bytes`);
  if (isForeignMark(header)) throw foreign(file);
  const problem = await logProblem(file);
  if (problem !== undefined) throw damagedLog(file, problem);
  // A log contains pages that are not in the file yet.
  const expected = expectedSize(header);
  if (!log && expected !== undefined && size < expected) {
    throw damaged(file, `it ends after ${size} of ${expected} bytes`);
  }
}

function damagedLog(file: string, { what, useless, isCopied }: LogProblem): StartError {
  const lost = isCopied ? '' : ', so the last changes are lost';
  const start = isCopied ? 'Nothing is lost. To start' : 'To start without these changes';
  const advice = useless.length === 0 ? '' : ` ${start}, delete ${useless.join(' and ')}.`;
  return new StartError(`The database file ${file} is damaged: ${what}${lost}. ${RESTORE}${advice}`);
}

/** The files of the database, and the directory, in which it creates its log. */
async function checkPermissions(file: string): Promise<void> {
  for (const path of [dirname(file), file, `${file}-wal`, `${file}-shm`]) {
    try {
      await access(path, constants.R_OK | constants.W_OK);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw fileError(cause, path) ?? cause;
    }
  }
}

/** Undefined if there is no such file. */
async function sizeOf(path: string): Promise<number | undefined> {
  try {
    const found = await stat(path);
    if (found.isFile()) return found.size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  throw damaged(path, 'it is not a file');
}

const isLink = (path: string): Promise<boolean> =>
  lstat(path).then(
    (found) => found.isSymbolicLink(),
    () => false,
  );

async function headerOf(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** In bytes. Undefined if the header's number of pages is out of date. */
function expectedSize(header: Buffer): number | undefined {
  if (header.readUInt32BE(CHANGES_AT) !== header.readUInt32BE(PAGES_VALID_FOR_AT)) return undefined;
  const pageSize = header.readUInt16BE(PAGE_SIZE_AT);
  // 65,536 does not fit into two bytes. It is stored as 1.
  return header.readUInt32BE(PAGES_AT) * (pageSize === 1 ? 65_536 : pageSize);
}

/** Ours begin with `TSU`. A file that could not be prepared has none, and other programs' files may have none. */
function isForeignMark(header: Buffer): boolean {
  const mark = header.readUInt32BE(MARK_AT);
  return mark !== 0 && mark >>> 8 !== 0x545355;
}

/** A file of another program is never written to. */
export const foreign = (file: string): StartError =>
  new StartError(
    `${file} is a SQLite database that another program has made. Move it away, or set another DATA_DIR.`,
  );
