/** Commands whose output no one reads, or whose output is full. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createApp } from '../../src/app/app.ts';
import { loadConfig } from '../../src/config.ts';
import { encodeId } from '../../src/graphql/ids.ts';
import { programFile } from '../support/builds/build.ts';
import { ROOT } from '../support/builds/viteBuild.ts';
import { temporaryDirectory } from '../support/machine/directory.ts';
import { readContents } from '../verify/support/contents.ts';

async function serve() {
  const DATA_DIR = await temporaryDirectory();
  const app = createApp(loadConfig({ DATA_DIR, PORT: '0' }), pino({ level: 'silent' }));
  onTestFinished(() => app.stop());
  const { dynamo } = await app.start();
  return { DATA_DIR, dynamo };
}

type Output = 'read' | 'closed' | 'full';

interface Options {
  readonly stdout?: Output;
  readonly stderr?: Output;
  readonly DATA_DIR: string;
}

async function run(
  file: string,
  args: readonly string[],
  { stdout = 'read', stderr = 'read', DATA_DIR }: Options,
) {
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, [file, ...args], {
    env: { PATH: process.env.PATH, DATA_DIR, LOG_LEVEL: 'silent' },
    stdio: ['ignore', stdout === 'full' ? full : 'pipe', stderr === 'full' ? full : 'pipe'],
  });
  closeSync(full);
  // Long before the program has started.
  if (stdout === 'closed') child.stdout?.destroy();
  if (stderr === 'closed') child.stderr?.destroy();
  const textOf = (from: typeof child.stdout, output: Output) =>
    output === 'read' && from !== null ? text(from) : Promise.resolve('');
  const [[code], out, error] = await Promise.all([
    once(child, 'close'),
    textOf(child.stdout, stdout),
    textOf(child.stderr, stderr),
  ]);
  return { code, stdout: out, stderr: error };
}

const command = async (name: string, args: readonly string[], options: Options) =>
  run(await programFile(`cli/${name}`), args, options);

const FULL = 'Standard output cannot be written: its file system is full.\n';

test('commands: end quietly if no one reads what they print, and say in a sentence that it cannot be written', async () => {
  const { DATA_DIR, dynamo } = await serve();
  const [room = ''] = (await readContents(dynamo)).rooms;
  const quiet: readonly (readonly [string, ...string[]])[] = [
    ['token', 'aki'],
    ['table'],
    ['repair', '--dry-run'],
    ['reshape', 'status'],
    ['forget', 'aki', '--dry-run'],
  ];
  const both: readonly (readonly [string, ...string[]])[] = [
    ['import', '--help'],
    ['revoke', '--jti', 'some-token'],
    ['export', '--room', encodeId('Room', room)],
  ];
  for (const [name, ...args] of [...quiet, ...both]) {
    const { code, stderr } = await command(name, args, { DATA_DIR, stdout: 'closed' });
    expect([name, code, stderr]).toEqual([name, 0, '']);
  }
  for (const [name, ...args] of both) {
    const { code, stderr } = await command(name, args, { DATA_DIR, stdout: 'full' });
    expect([name, code, stderr]).toEqual([name, 1, FULL]);
  }
});

test('tsudoi: ends quietly if no one reads the list of commands', async () => {
  const DATA_DIR = await temporaryDirectory();
  const program = join(ROOT, 'bin', 'tsudoi.js');
  expect(await run(program, [], { DATA_DIR, stdout: 'closed' })).toMatchObject({ code: 0, stderr: '' });
  expect(await run(program, [], { DATA_DIR, stdout: 'full' })).toMatchObject({ code: 1, stderr: '' });
});

test.each(['closed', 'full'] as const)(
  'import: completes if standard error is %s, which is where it says how far it is',
  async (stderr) => {
    const { DATA_DIR } = await serve();
    const row = { id: 'm1', roomId: 'r', userId: 'u', text: 'Hello', createdAt: '2023-11-14T12:00:00Z' };
    const file = join(await temporaryDirectory(), 'rows.ndjson');
    await writeFile(file, JSON.stringify(row));
    const { code, stdout } = await command('import', [file, '--create', 'PUBLIC'], { DATA_DIR, stderr });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ messages: 1, newMessages: 1, newRooms: 1 });
  },
);
