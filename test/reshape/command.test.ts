/** The command, beside a server that serves. */
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createApp } from '../../src/app/app.ts';
import { loadConfig } from '../../src/config.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { FIRST_SHAPE } from '../../src/dynamo/shapes.ts';
import { messageItem, newMessage } from '../../src/messages/message.ts';
import { readMetrics } from '../app/support/metrics.ts';
import { programFile } from '../support/builds/build.ts';
import { temporaryDirectory } from '../support/machine/directory.ts';
import { runProgram } from '../support/servers/program.ts';

const LONG = 'あ'.repeat(500);

test('reshape: plans, starts, goes on and back beside a server, and refuses in one sentence', async () => {
  const DATA_DIR = await temporaryDirectory();
  const app = createApp(loadConfig({ DATA_DIR, PORT: '0' }), pino({ level: 'silent' }));
  onTestFinished(() => app.stop());
  const { dynamo, url } = await app.start();
  const file = await programFile('cli/reshape');

  async function reshape(...args: string[]) {
    const program = await runProgram({ command: [process.execPath, file, ...args], env: { DATA_DIR } });
    const { code } = await program.ended;
    return { code, stdout: program.stdout, stderr: program.stderr };
  }
  const refused = async (...args: string[]) => {
    const { code, stdout, stderr } = await reshape(...args);
    expect([code, stdout]).toEqual([1, '']);
    return stderr;
  };
  const last = (stdout: string) => JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');

  expect(await refused('start')).toBe('The table has shape 2 already.\n');
  expect(await refused('back')).toBe(
    'The table has shape 2, and no change is under way: a change that is finished, or the shape of a new table, cannot be taken back.\n',
  );
  expect(await refused('start', '--rate', '0')).toBe('--rate must be a whole number from 1 to 100000.\n');
  expect(await refused('turn')).toMatch(/^Usage: npm run -s reshape/);

  // As a release left it that did not know shapes.
  await dynamo.remove(keys.shape());
  const ts = '1700000000000000';
  const message = newMessage({ room: 'r1', threadTs: ts, ts, author: 'aki', body: LONG, mentions: [] });
  await dynamo.put(messageItem(message));
  expect(last((await reshape('plan')).stdout)).toMatchObject({ inForce: FIRST_SHAPE, to: 2, groups: 1 });
  expect(await refused('back')).toBe('The table has shape 1. There is nothing to take back.\n');
  expect(await refused('start', '--to', '3')).toBe(
    'This release does not change tables to shape 3, only to shape 2.\n',
  );
  expect(last((await reshape('start', '--rate', '2000')).stdout)).toMatchObject({
    inForce: 2,
    rate: 2_000,
    servers: 1,
  });
  expect(await refused('start')).toBe('The change to shape 2 is already under way. See `status`.\n');
  expect(last((await reshape('pause')).stdout)).toMatchObject({ state: 'PAUSED' });
  expect(last((await reshape('resume', '--rate', '3000')).stdout)).toMatchObject({ rate: 3_000 });
  const watched = await reshape('status', '--watch');
  expect([watched.code, last(watched.stdout)]).toMatchObject([
    0,
    { state: 'DONE', inForce: 2, following: 1 },
  ]);
  const lines: Array<{ pass: number; scanned: number }> = watched.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const scanned = lines.map((line) => line.scanned);
  expect(scanned).toEqual([...scanned].sort((a, b) => a - b));
  // What it was altogether stays when it is over.
  expect(scanned.at(-1)).toBeGreaterThan(0);
  const { value } = await readMetrics(url);
  expect(value('tsudoi_table_shape')).toBe(2);
  expect(value('tsudoi_reshape_items_read_total')).toBeGreaterThan(0);
  expect(await dynamo.get(keys.root('r1', ts))).toMatchObject({ v: 2, bodyApart: true });
  expect(last((await reshape('back')).stdout)).toMatchObject({ inForce: 1, direction: 'down' });
  expect(await refused('finish')).toBe('Not all items have shape 1 yet. See `status`.\n');
  await reshape('status', '--watch');
  expect(last((await reshape('finish')).stdout)).toMatchObject({ inForce: 1 });
  expect(await dynamo.get(keys.root('r1', ts))).toMatchObject({ v: 1, body: LONG });
  expect(await refused('pause')).toBe('No change is under way: the table has shape 1.\n');
}, 300_000);
