/** The command, beside a server that serves. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createApp } from '../../src/app/app.ts';
import { loadConfig } from '../../src/config.ts';
import { TABLE_RULE } from '../../src/core/tableArn.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { ON_DEMAND } from '../../src/dynamo/prices.ts';
import { FIRST_SHAPE } from '../../src/dynamo/shapes.ts';
import { messageItem, newMessage } from '../../src/messages/message.ts';
import { readMetrics } from '../app/support/metrics.ts';
import { programFile } from '../support/builds/build.ts';
import { temporaryDirectory } from '../support/machine/directory.ts';
import { commandResult, runProgram } from '../support/servers/program.ts';

const FOR_COPIES = '`carry`, `status`, `rate`, `verify`, `hand-over` and `switch`';
const notFor = (command: string) =>
  `--to-table is not for \`${command}\`, which acts on the table in use: it is only for ${FOR_COPIES}.`;
const RATES = '`plan`, `start`, `resume`, `back`, `carry`, `rate`, `verify`, `hand-over` and `switch`';

const ARN = 'arn:aws:dynamodb:eu-west-1:222222222222:table/tsudoi';

/** A table that cannot be the other one. */
const WRONG_PLACES: ReadonlyArray<readonly [command: string, says: string]> = [
  ['carry --to-table t', `--to-table ${TABLE_RULE}.`],
  [`verify --to-table ${ARN}/index/gsi1`, `--to-table ${TABLE_RULE}.`],
  [
    `carry --to-table ${ARN} --create`,
    '--create is not for an ARN: create that table in its own account first, and give it a policy (docs/aws.md).',
  ],
  [
    `switch --to-table ${ARN} --to-region eu-central-1`,
    '--to-table is an ARN in eu-west-1, and --to-region is eu-central-1: leave it out.',
  ],
];

/** A command with a flag that it does not have, and what it says. */
const FOREIGN_FLAGS: ReadonlyArray<readonly [command: string, says: string]> = [
  ['plan --to-table other', notFor('plan')],
  ['start --rate 100 --to-table other', notFor('start')],
  ['pause --to-table other', notFor('pause')],
  ['resume --to-table other', notFor('resume')],
  ['finish --to-table other', notFor('finish')],
  [
    'back --to-table other',
    '--to-table is not for `back`, which acts on the table in use: to return to the former table after a `switch`, set TABLE_NAME to the table in use, and run `verify`, while that `switch` or a `carry` is running, and then `switch`, with --to-table and the name of the former one (docs/another-table.md).',
  ],
  ['start --create', '--create is only for `carry`.'],
  ['pause --rate 5', `--rate is only for ${RATES}.`],
  ['finish --handled', '--handled is only for `hand-over`.'],
  ['resume --within 500', '--within is only for `switch`.'],
  ['plan --metrics-port 0', '--metrics-port is only for `carry`, `hand-over` and `switch`.'],
  ['back --to 1', '--to is only for `start`.'],
  ['status --to-region eu-west-1', '--to-region needs --to-table.'],
  ['status --to-endpoint http://localhost:1', '--to-endpoint needs --to-table.'],
  ['status --to-table other --watch', '--watch is only for `status` without --to-table.'],
  ['carry --to-table other --to 2', '--to is only for `start`.'],
  ['rate --to-table other --create', '--create is only for `carry`.'],
  ['verify --to-table other --within 500', '--within is only for `switch`.'],
  ['status --to-table other --rate 5', `--rate is only for ${RATES}.`],
  ['carry --to-table other --no-way-back', '--no-way-back is only for `hand-over` and `switch`.'],
  ['verify --to-table other --to-keys A,B,C,D', '--to-keys is only for `carry`.'],
  [
    'carry --to-table other --to-keys PK,SK,GSI1PK,GSI1SK',
    '--to-keys needs --create: a table that exists has its names.',
  ],
  ...['PK,SK,GSI1PK', 'PK,SK,A,PK', 'body,SK,A,B', 'sk,pk,A,B', 'PK,,A,B', 'PK,SK,A!,B', 'a'].map(
    (names): [string, string] => [
      `carry --to-table other --create --to-keys ${names}`,
      '--to-keys must be four names such as PK,SK,GSI1PK,GSI1SK, of letters, digits, "_", "-" and ".", where the four differ, and each begins with an upper-case letter, as no other attribute of an item does, or is pk, sk, gsi1pk or gsi1sk for its own key.',
    ],
  ),
  ['switch --to-table other --handled', '--handled is only for `hand-over`.'],
];

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
  expect(await refused('turn')).toMatch(/^There is no command "turn"\.\nUsage: npm run -s reshape/);
  expect(await refused('status', 'now')).toMatch(/^There is no command "status now"\.\nUsage/);
  expect(await refused()).toMatch(/^Usage: npm run -s reshape/);

  // As a release left it that did not know shapes.
  await dynamo.remove(keys.shape());
  const ts = '1700000000000000';
  const message = newMessage({ room: 'r1', threadTs: ts, ts, author: 'aki', body: LONG, mentions: [] });
  await dynamo.put(messageItem(message));
  const planned = (await reshape('plan')).stdout;
  expect(last(planned)).toMatchObject({ inForce: FIRST_SHAPE, to: 2, groups: 1 });
  // Whole cents, as on a terminal.
  expect(planned).toMatch(/"dollars":\d+(\.\d{1,2})?,"dollarsPerMillion":\d+(\.\d{1,2})?\}$/m);
  const { items, writeUnits, readUnits, dollarsPerMillion } = last(planned);
  const dollars = writeUnits * ON_DEMAND.writeUnit + readUnits * ON_DEMAND.readUnit;
  expect(dollarsPerMillion).toBeCloseTo((dollars / items) * 1_000_000, 2);
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
  // The table is not read while the job waits for what the server may still write.
  expect([watched.code, last(watched.stdout)]).toMatchObject([
    0,
    { state: 'DONE', inForce: 2, following: 1, pass: 2 },
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

test.each([...FOREIGN_FLAGS, ...WRONG_PLACES])(
  'reshape %s: is refused before a database is opened',
  async (command, says) => {
    const DATA_DIR = join(await temporaryDirectory(), 'none');
    const program = await runProgram({
      command: [process.execPath, await programFile('cli/reshape'), ...command.split(' ')],
      env: { DATA_DIR },
    });
    expect(await commandResult(program)).toEqual({ code: 1, stdout: '', stderr: `${says}\n` });
    expect(existsSync(DATA_DIR)).toBe(false);
  },
);
