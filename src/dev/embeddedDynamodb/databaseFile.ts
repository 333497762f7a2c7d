import { constants } from 'node:fs';
import { access, lstat, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StartError } from '../../core/errors.ts';

/** What every SQLite file begins with. */
const MAGIC = 'SQLite format 3\0';
/** The length of SQLite's header, and offsets in it. The numbers are big-endian. */
const HEADER_BYTES = 100;
const PAGE_SIZE_AT = 16;
const CHANGES_AT = 24;
const PAGES_AT = 28;
/** The number of changes for which the number of pages is valid. */
const PAGES_VALID_FOR_AT = 92;

const RESTORE =
  'Restore it from a copy, or move it away: the next start then creates an empty database. Or set another DATA_DIR.';

/** The file's content cannot be used. It is never replaced by an empty database: only the operator may do that. */
export const damaged = (file: string, what: string): StartError =>
  new StartError(`The database file ${file} is damaged: ${what}. ${RESTORE}`);

/** Whether the database's own message means that its file is damaged. It may be so in places that a start reads late. */
export const meansDamage = (message: string): boolean =>
  /malformed|not a (valid SQLite )?database/i.test(message);

/**
 * Checks what the database itself would not: it treats a file of 0 bytes, and a link to nothing, as a new database, and
 * its messages do not name the file. Reads 100 bytes. Throws `StartError` if the file cannot be used.
 */
export async function checkDatabaseFile(file: string): Promise<void> {
  await checkPermissions(file);
  const log = await sizeOf(`${file}-wal`);
  const size = await sizeOf(file);
  if (size === undefined) {
    if (await isLink(file)) throw damaged(file, 'it is a link to a file that does not exist');
    if (log)
      throw damaged(file, `it is missing, but its log ${file}-wal is there. Without the file it is lost`);
    return;
  }
  if (size === 0) throw damaged(file, 'it has 0 bytes');
  const header = await headerOf(file);
  if (header.toString('latin1', 0, MAGIC.length) !== MAGIC)
    throw damaged(file, 'it is not a SQLite database');
  if (header.length < HEADER_BYTES) throw damaged(file, `it ends after ${size} bytes`);
  // A log contains pages that are not in the file yet.
  const expected = expectedSize(header);
  if (!log && expected !== undefined && size < expected) {
    throw damaged(file, `it ends after ${size} of ${expected} bytes`);
  }
}

/** The files of the database, and the directory, in which it creates its log. */
async function checkPermissions(file: string): Promise<void> {
  for (const path of [dirname(file), file, `${file}-wal`, `${file}-shm`]) {
    try {
      await access(path, constants.R_OK | constants.W_OK);
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      if (code === 'ENOENT') continue;
      throw new StartError(
        `The embedded database must read and write ${path}, and this user may not (${code}). Correct its owner or its permissions, or set another DATA_DIR.`,
        { cause },
      );
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
