import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { constants, type FileHandle, open, readlink, realpath, rename, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { fileReason } from '../../core/fileErrors.ts';
import { newId } from '../../core/ids.ts';
import { Refusal } from './run.ts';

/** Writes the content that `fill` gives to the stream. Rejects as `fill` does, or with a `Refusal`. */
export type WriteOut = (fill: (to: Writable) => Promise<void>) => Promise<void>;

/**
 * Looks at the file that a command should write, before it does anything that takes long. Throws `Refusal` if it is a
 * directory or cannot be reached.
 *
 * A regular file is replaced only once the new one is complete. Only this user can read the new one, also if
 * others could read the one before. A pipe or a device cannot be replaced, so it is written directly.
 */
export async function outFile(path: string): Promise<WriteOut> {
  try {
    const found = await stat(path).catch(ifAbsent);
    if (found?.isDirectory() === true) throw new Refusal(`${path} cannot be written: it is a directory.`);
    if (found !== undefined && !found.isFile()) return (fill) => refusing(path, () => writeTo(path, fill));
    const target = await targetOf(path);
    return (fill) => refusing(path, () => replace(target, fill));
  } catch (error) {
    throw asRefusal(path, error);
  }
}

/** The file that symbolic links lead to, even if it does not exist yet: a link stays a link. */
async function targetOf(path: string): Promise<string> {
  const found = await realpath(path).catch(ifAbsent);
  if (found !== undefined) return found;
  const link = await readlink(path).catch(() => undefined);
  return link === undefined ? path : targetOf(resolve(await realpath(dirname(path)), link));
}

async function writeTo(path: string, fill: (to: Writable) => Promise<void>): Promise<void> {
  // Without O_CREAT: systems refuse that for pipes of other users in /tmp.
  await filled(await open(path, constants.O_WRONLY), fill);
}

/** The part has a name of its own: another file may have the obvious one, of the user or of a second run. */
async function replace(target: string, fill: (to: Writable) => Promise<void>): Promise<void> {
  const part = `${target}.${newId()}.part`;
  const remove = () => rmSync(part, { force: true });
  const stopCaring = onSignal(remove);
  try {
    await filled(await open(part, 'wx', 0o600), fill);
    await rename(part, target);
  } catch (error) {
    remove();
    throw error;
  } finally {
    stopCaring();
  }
}

async function filled(file: FileHandle, fill: (to: Writable) => Promise<void>): Promise<void> {
  const stream = file.createWriteStream();
  const closed = once(stream, 'close');
  // A rejection is handled below, but perhaps not at once.
  closed.catch(() => {});
  try {
    await fill(stream);
    stream.end();
    await closed;
  } finally {
    stream.destroy();
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Cleans up before a signal ends the process, as it would without this. Returns the function that undoes it. */
function onSignal(cleanUp: () => void): () => void {
  const handlers = SIGNALS.map((signal) => {
    const handler = () => {
      cleanUp();
      process.kill(process.pid, signal);
    };
    process.once(signal, handler);
    return { signal, handler };
  });
  return () => {
    for (const { signal, handler } of handlers) process.off(signal, handler);
  };
}

async function refusing(path: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw asRefusal(path, error);
  }
}

/** What the system says about the file, in a sentence. */
function asRefusal(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('syscall' in error)) return error;
  const isFolderAbsent = 'code' in error && error.code === 'ENOENT';
  const reason = isFolderAbsent ? 'its directory does not exist' : (fileReason(error) ?? error.message);
  return new Refusal(`${path} cannot be written: ${reason}.`);
}

function ifAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
