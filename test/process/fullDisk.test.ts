/** A server whose outputs are on a full disk serves as before, and can be stopped. Only its log is lost. */
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { freePort } from '../../src/dev/embeddedDynamodb/database.ts';
import { programFile } from '../support/builds/build.ts';
import { temporaryDirectory } from '../support/machine/directory.ts';
import { eventually } from '../support/time/eventually.ts';
import { run } from './support/run.ts';

/** Linux refuses every write to it as if the disk was full. */
const FULL = '/dev/full';

test.skipIf(!existsSync(FULL)).each([
  ['standard error', `2>${FULL}`],
  ['both outputs', `>${FULL} 2>${FULL}`],
])('%s', async (_, outputs) => {
  const port = await freePort();
  const server = await run({
    command: ['sh', '-c', `exec "$0" "$1" ${outputs}`, process.execPath, await programFile('main')],
    env: { DATA_DIR: await temporaryDirectory(), LOG_LEVEL: 'debug', PORT: String(port) },
  });
  const status = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status;
  await eventually(async () => expect(await status().catch(() => undefined)).toBe(200));
  // These requests are logged.
  for (let i = 0; i < 3; i++) expect(await status()).toBe(200);
  server.signal('SIGTERM');
  expect(await server.ended).toMatchObject({ code: 0 });
});
