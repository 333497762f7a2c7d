/** `npm run load` against a server in another process. */
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { addTime, countOf, percentile, type Times } from '../../scripts/load/plan.ts';
import { SECRET } from '../support/clients/tokens.ts';
import { openTestDynamo } from '../support/database/dynamo.ts';
import { runProgram } from '../support/servers/program.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

async function load(
  args: readonly string[],
  env: Readonly<Record<string, string>> = { AUTH_SECRET: SECRET },
) {
  const program = await runProgram({
    command: [process.execPath, '--import', 'tsx', 'scripts/load.ts', ...args],
    cwd: root,
    env,
  });
  onTestFinished(() => program.stop());
  return { ...(await program.ended), stdout: program.stdout, stderr: program.stderr };
}

test('load: every message reaches every reader, and its units are those of the data model', async () => {
  const database = await openTestDynamo({ file: true });
  onTestFinished(() => database.stop());
  const server = await runProgram({
    env: {
      DYNAMODB_ENDPOINT: database.endpoint,
      TABLE_NAME: database.table,
      AUTH_SECRET: SECRET,
      HOST: '127.0.0.1',
      LOG_LEVEL: 'warn',
    },
  });
  onTestFinished(() => server.stop());
  const { url } = await server.ready();
  const small = '--people 6 --rooms 2 --rate 4 --reads 2 --seconds 3 --workers 2'.split(' ');
  const ended = await load([url, ...small]);
  expect(ended.stdout).toContain('6 of 6 people are online, in 2 rooms.');
  expect(ended.stdout).toMatch(/messages acknowledged +12 /);
  expect(ended.stdout).toMatch(/messages at readers +36 /);
  expect(ended.stdout).toMatch(/pages read +6 /);
  expect(ended.stdout).toContain('missing at readers: 0 of 36');
  expect(ended.stdout).toContain('errors: none');
  // Three items: the membership, the message, and its idempotency key. As docs/data-model.md says.
  expect(ended.stdout).toMatch(/ {2}sendMessage +\d\.\d\d +6\.00/);
  expect(ended.stdout).toMatch(/ {2}consumer: events +\d\.\d\d +[2-9]\.\d\d/);
  expect(ended).toMatchObject({ code: 0, stderr: '' });
});

test('load: refuses what is too much, and ends if nothing responds', async () => {
  const much = await load(['http://127.0.0.1:9', '--people', '20001']);
  expect(much).toMatchObject({ code: 1, stderr: expect.stringContaining('at most 20000') });
  expect(await load(['http://127.0.0.1:9'], {})).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Usage'),
  });
  const alone = await load(['http://127.0.0.1:9']);
  expect(alone).toMatchObject({ code: 1, stdout: expect.stringContaining('CONNECTION') });
});

test('percentile: of counted times', () => {
  const times: Times = [];
  for (let ms = 1; ms <= 100; ms++) addTime(times, ms);
  addTime(times, 1e9);
  expect([countOf(times), percentile(times, 0.5), percentile(times, 0.99), percentile(times, 1)]).toEqual([
    101, 51, 100, 60_000,
  ]);
  expect(percentile([], 0.5)).toBeUndefined();
});
