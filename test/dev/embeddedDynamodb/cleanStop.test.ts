import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isAsStopped, recordStop } from '../../../src/dev/embeddedDynamodb/cleanStop.ts';
import { startEmbedded } from '../../../src/dev/embeddedDynamodb/embedded.ts';

let dataDir: string;
let file: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tsudoi-test-'));
  file = join(dataDir, 'dynamodb.sqlite');
  const database = await startEmbedded({ dataDir, log: pino({ level: 'silent' }) });
  await database.stop();
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

test('isAsStopped: true once after a stop, so that a start that is killed counts as changed', async () => {
  expect(await isAsStopped(file)).toBe(true);
  expect(await isAsStopped(file)).toBe(false);
});

test.each([
  ['a byte of the file', async () => overwrite(file)],
  ['a log beside it', async () => writeFile(`${file}-wal`, 'x')],
])('isAsStopped: false after a change of %s', async (_what, change) => {
  await recordStop(file);
  await change();
  expect(await isAsStopped(file)).toBe(false);
});

async function overwrite(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  await handle.write(new Uint8Array([1]), 0, 1, 5_000);
  await handle.close();
}
