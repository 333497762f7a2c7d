/**
 * Remembers how the database's files were when the last server stopped, so that the next start needs to read the whole
 * file only if they have changed since, or if that server was killed.
 */
import { readFile, rm, stat, writeFile } from 'node:fs/promises';

const pathOf = (file: string): string => `${file}-closed`;

/** Size and time of the last change of the file and its log. */
async function stateOf(file: string): Promise<string> {
  const parts = await Promise.all(
    [file, `${file}-wal`].map((path) =>
      stat(path, { bigint: true }).then(
        ({ size, mtimeNs, ino }) => `${size} ${mtimeNs} ${ino}`,
        () => 'none',
      ),
    ),
  );
  return `${parts.join('\n')}\n`;
}

/**
 * To be called when no process has the file open any more. If it cannot be written, the next start reads the whole
 * file.
 */
export async function recordStop(file: string): Promise<void> {
  await writeFile(pathOf(file), await stateOf(file)).catch(() => {});
}

/**
 * Whether the files are as the last server left them. To be called before the file is opened; true only once for each
 * stop.
 */
export async function isAsStopped(file: string): Promise<boolean> {
  const recorded = await readFile(pathOf(file), 'utf8').catch(() => undefined);
  if (recorded === undefined) return false;
  await rm(pathOf(file), { force: true });
  return recorded === (await stateOf(file));
}
