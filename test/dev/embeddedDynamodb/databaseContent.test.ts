/** The check of the whole file, after a server was killed. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { startEmbedded } from '../../../src/dev/embeddedDynamodb/embedded.ts';
import { temporaryDirectory } from '../../support/machine/directory.ts';

/** What a server leaves that was killed. */
async function killed(): Promise<string> {
  const dataDir = await temporaryDirectory();
  const database = await startEmbedded({ dataDir, log: pino({ level: 'silent' }) });
  await database.stop();
  await rm(join(dataDir, 'dynamodb.sqlite-closed'));
  return dataDir;
}

/** Starts on the directory. `onLine` receives what is logged, while the start goes on. */
async function start(dataDir: string, onLine: (line: string) => void, signal?: AbortSignal) {
  const log = pino({ level: 'info' }, { write: onLine });
  const database = await startEmbedded({ dataDir, log, signal });
  onTestFinished(() => database.stop());
}

test('a start that is stopped while it checks the file ends at once, and the next one checks it again', async () => {
  const dataDir = await killed();
  const ending = new AbortController();
  const reason = new Error('Stopped.');
  // In a turn that comes only if the check does not block this thread.
  const onLine = () => void setImmediate(() => ending.abort(reason));
  await expect(start(dataDir, onLine, ending.signal)).rejects.toBe(reason);

  const lines: string[] = [];
  await start(dataDir, (line) => lines.push(line));
  expect(lines).toEqual([expect.stringContaining('The database file is checked')]);
});
