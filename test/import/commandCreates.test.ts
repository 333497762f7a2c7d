/** What the command creates if there is no database, or no table in it. */
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createApp } from '../../src/app/app.ts';
import { loadConfig } from '../../src/config.ts';
import { encodeId } from '../../src/graphql/ids.ts';
import { programFile } from '../support/builds/build.ts';
import { openTestDynamo } from '../support/database/dynamo.ts';
import { temporaryDirectory } from '../support/machine/directory.ts';
import { commandResult, runProgram } from '../support/servers/program.ts';
import { readContents } from '../verify/support/contents.ts';

async function run(env: Record<string, string>, ...args: string[]) {
  const command = [process.execPath, await programFile('cli/import'), ...args] as const;
  const program = await runProgram({ command: [...command], env });
  return commandResult(program);
}

async function fileOfOne(): Promise<string> {
  const path = join(await temporaryDirectory(), 'rows.ndjson');
  const row = { id: 'm1', roomId: 'r', userId: 'u', text: 'Hello', createdAt: '2023-11-14T12:00:00Z' };
  await writeFile(path, JSON.stringify(row));
  return path;
}

const DRY = '--dry-run compares the file with a table and creates none: a server does when it starts.';

test('import: --dry-run, a wrong file or --discard create no database, so the next server has the demo', async () => {
  const DATA_DIR = await temporaryDirectory();
  const path = await fileOfOne();
  const none = `There is no database in ${DATA_DIR}. Set DATA_DIR to the folder of an existing one.`;
  expect(await run({ DATA_DIR }, path, '--create', 'PUBLIC', '--dry-run')).toEqual({
    code: 1,
    stdout: '',
    stderr: `${none} ${DRY}\n`,
  });
  const absent = join(DATA_DIR, 'none');
  for (const args of [[absent], [path, '--people', absent], [path, '--rooms', absent]]) {
    expect(await run({ DATA_DIR }, ...args)).toEqual({
      code: 1,
      stdout: '',
      stderr: `${absent} cannot be used: it does not exist.\n`,
    });
  }
  expect((await run({ DATA_DIR }, '--discard', encodeId('Room', 'r'))).stderr).toBe(`${none}\n`);
  expect(await readdir(DATA_DIR)).toEqual([]);
  const app = createApp(loadConfig({ DATA_DIR, PORT: '0' }), pino({ level: 'silent' }));
  onTestFinished(() => app.stop());
  const { dynamo } = await app.start();
  expect((await readContents(dynamo)).rooms.size).toBeGreaterThan(0);
  const dry = await run({ DATA_DIR }, path, '--create', 'PUBLIC', '--dry-run');
  expect([dry.code, JSON.parse(dry.stdout)]).toMatchObject([0, { dryRun: true, newMessages: 1 }]);
});

test('import: --dry-run creates no table; without it, the import does', async () => {
  const { endpoint, stop } = await openTestDynamo();
  onTestFinished(() => stop());
  const env = { DYNAMODB_ENDPOINT: endpoint, TABLE_NAME: 'never-created' };
  const args = [await fileOfOne(), '--create', 'PUBLIC'];
  const refused = {
    code: 1,
    stdout: '',
    stderr: `There is no table never-created. Set TABLE_NAME to an existing one. ${DRY}\n`,
  };
  // Also the second time: the first one has not created it.
  expect(await run(env, ...args, '--dry-run')).toEqual(refused);
  expect(await run(env, ...args, '--dry-run')).toEqual(refused);
  expect((await run(env, ...args)).code).toBe(0);
  expect(await run(env, ...args, '--dry-run')).toMatchObject({ code: 0, stderr: expect.any(String) });
});
