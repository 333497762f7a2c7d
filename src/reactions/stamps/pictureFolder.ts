import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '../../config.ts';
import { mapAtMost } from '../../core/mapAtMost.ts';
import { PICTURE_MAX_BYTES, type Picture, pictureName, pictureOf, tooLarge } from './picture.ts';

/** Together with PICTURE_MAX_BYTES this is at most 125 MiB, all of it in memory. */
const FILES_MAX = 500;
const FILES_AT_ONCE = 16;
const PROBLEMS_SHOWN = 10;

/**
 * All files of a folder as pictures, in the order of their names. Hidden files are left out, because systems and mounts
 * create them. Throws `ConfigError` with the first ten files that break a rule, so the operator learns of a mistake
 * when the server starts, and not when a user misses a stamp.
 */
export async function picturesIn(folder: string): Promise<Picture[]> {
  const names = await filesOf(folder);
  if (names.length > FILES_MAX) {
    throw new ConfigError([`STAMPS_DIR has ${names.length} files; the most is ${FILES_MAX}.`]);
  }
  const pictures = new Map<string, Picture>();
  const problems: string[] = [];
  for (const [name, found] of await mapAtMost(FILES_AT_ONCE, names, (name) => read(folder, name))) {
    if (typeof found === 'string') problems.push(`STAMPS_DIR: ${JSON.stringify(name)} ${found}.`);
    else if (!pictures.has(found.key)) pictures.set(found.key, found);
    else problems.push(`STAMPS_DIR: there are two pictures of ${JSON.stringify(found.key)}.`);
  }
  const more = problems.length - PROBLEMS_SHOWN;
  if (more > 0) problems.splice(PROBLEMS_SHOWN, more, `STAMPS_DIR: and ${more} more like these.`);
  if (problems.length > 0) throw new ConfigError(problems);
  return [...pictures.values()];
}

async function filesOf(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => !name.startsWith('.')).sort();
  } catch (error) {
    throw new ConfigError([`STAMPS_DIR cannot be read as a folder (${codeOf(error)}).`]);
  }
}

async function read(folder: string, file: string): Promise<[file: string, Picture | string]> {
  const name = pictureName(file);
  if (typeof name === 'string') return [file, name];
  const path = join(folder, file);
  try {
    // It follows links, because mounted folders often consist of links.
    const state = await stat(path);
    if (!state.isFile()) return [file, 'is not a file'];
    if (state.size > PICTURE_MAX_BYTES) return [file, tooLarge];
    return [file, pictureOf(name, await readFile(path))];
  } catch (error) {
    return [file, `cannot be read (${codeOf(error)})`];
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);
