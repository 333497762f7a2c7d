import { StartError } from './errors.ts';

/** What the system says about a file or a directory that an operator can correct. Anything else is a bug or a fault. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not read or write it',
  EPERM: 'this user may not read or write it',
  EISDIR: 'it is a directory',
  ERR_FS_EISDIR: 'it is a directory',
  ENOTDIR: 'a part of its path is not a directory',
  EEXIST: 'it is not a directory',
  EROFS: 'its file system is read-only',
  ENOSPC: 'its file system is full',
  EDQUOT: 'the quota of this user is used up',
  ELOOP: 'its symbolic links form a loop',
  ENAMETOOLONG: 'its name is too long',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  EIO: 'the disk reports an error',
};

/** What is wrong with a file or a directory that should exist: "it is a directory". Undefined for all other errors. */
export function fileReason(error: unknown): string | undefined {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' ? 'it does not exist' : code === undefined ? undefined : REASONS[code];
}

/**
 * A sentence that names the file of an error of the file system and what is wrong with it. Some errors of a write do
 * not name their file: `path` does. Undefined for all other errors.
 */
export function fileError(error: unknown, path?: string): StartError | undefined {
  const { code, path: named = path } = error as NodeJS.ErrnoException;
  const reason = code === undefined ? undefined : REASONS[code];
  if (!(error instanceof Error) || reason === undefined || named === undefined) return undefined;
  return new StartError(
    `${named} cannot be used: ${reason} (${code}). Correct that, or set another DATA_DIR if it is in there.`,
    { cause: error },
  );
}

/** Runs the work on that file, and throws its errors as `fileError` describes them. */
export async function usingFile<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw fileError(error, path) ?? error;
  }
}
