/** `bin/tsudoi.js`, which runs the server and every command. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../support/builds/viteBuild.ts';

const PROGRAM = join(ROOT, 'bin', 'tsudoi.js');

interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const node = (...args: readonly string[]): Promise<Result> =>
  new Promise((resolve) => {
    execFile(process.execPath, args, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
  });

test('tsudoi: without a command lists them; each has a file in src/cli', async () => {
  const { code, stdout } = await node(PROGRAM);
  const listed = [...stdout.matchAll(/^ {2}(\w+) /gm)].map(([, name]) => name);
  const files = readdirSync(join(ROOT, 'src', 'cli')).filter((file) => file.endsWith('.ts'));
  expect(code).toBe(0);
  expect(listed.sort()).toEqual(['start', ...files.map((file) => file.replace('.ts', ''))].sort());
});

test('npm run COMMAND: the program takes the place of the shell, so it gets the SIGTERM that npm passes on', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const commands = readdirSync(join(ROOT, 'src', 'cli')).filter((file) => file.endsWith('.ts'));
  for (const name of ['start', ...commands.map((file) => file.replace('.ts', ''))])
    expect(scripts[name]).toBe(`exec node bin/tsudoi.js ${name}`);
});

test.each(['nothing', '__proto__', 'constructor', '../main'])('tsudoi %s: is refused', async (name) => {
  const { code, stderr } = await node(PROGRAM, name);
  expect([code, stderr.split('\n')[0]]).toEqual([1, `There is no command ${JSON.stringify(name)}.`]);
});

test('tsudoi COMMAND: gets its options, and its errors are one line', async () => {
  const help = await node(PROGRAM, 'revoke', '--help');
  expect([help.code, help.stdout]).toEqual([0, expect.stringMatching(/^Usage: .*--sub/)]);
  const refused = await node(PROGRAM, 'revoke', '--days', '0');
  expect(refused).toEqual({ code: 1, stdout: '', stderr: 'Name either --sub or --jti.\n' });
  const both = await node(PROGRAM, 'repair', '--dry-run', '--forgotten');
  expect(both).toEqual({ code: 1, stdout: '', stderr: '--dry-run and --forgotten exclude each other.\n' });
});

test('tsudoi: an old version of Node is refused before anything else', async () => {
  const older = (version: string) =>
    `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'${version}'}})`;
  for (const version of ['18.20.8', '20.18.3', '21.7.3', '22.11.0']) {
    expect(await node('--import', older(version), PROGRAM, 'start')).toEqual({
      code: 1,
      stdout: '',
      stderr: `Tsudoi needs Node 20.19, or 22.12 or newer. This is ${version}.\n`,
    });
  }
  for (const version of ['20.19.0', '22.12.0', '24.0.0']) {
    expect((await node('--import', older(version), PROGRAM)).code).toBe(0);
  }
});
