import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createAuthenticator } from '../../src/server/access/auth.ts';
import { developmentSecret } from '../../src/server/access/developmentSecret.ts';
import { createRecordedLog } from '../server/support/log.ts';
import { programFile } from '../support/builds/build.ts';

const run = promisify(execFile);
let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tsudoi-token-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

async function token(args: readonly string[], environment: Record<string, string> = {}) {
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir, ...environment };
  try {
    return { ...(await run(process.execPath, [await programFile('cli/token'), ...args], { env })), code: 0 };
  } catch (error) {
    return error as { stdout: string; stderr: string; code: number };
  }
}

/** As a server with the same data directory does. */
const verified = (printed: string) =>
  createAuthenticator({ auth: { kind: 'development' }, dataDir, log: createRecordedLog().log }).verify(
    printed.trim(),
  );

test('token: prints only a token, which a server with the same data directory accepts', async () => {
  await developmentSecret(dataDir);
  const { stdout, stderr, code } = await token(['aki', '--name', 'Aki Mori']);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^\S+\n$/);
  expect(await verified(stdout)).toMatchObject({ sub: 'aki', handle: 'aki', name: 'Aki Mori' });
});

test('token: says once that the secret is new if no server has used the data directory', async () => {
  const first = await token(['aki']);
  expect(first.stderr).toBe(
    `The secret in ${dataDir} is new: no server has used this directory yet. Only servers with the same DATA_DIR accept the token.\n`,
  );
  expect(first.code).toBe(0);
  expect(first.stdout).toMatch(/^\S+\n$/);
  expect(await verified(first.stdout)).toMatchObject({ sub: 'aki' });
  expect((await token(['aki'])).stderr).toBe('');
});

test('token: a person of the demo keeps the name that they have there', async () => {
  const { stdout } = await token(['kenji']);
  const claims = Buffer.from(stdout.split('.')[1] ?? '', 'base64url').toString();
  expect(JSON.parse(claims)).toMatchObject({ sub: 'kenji', name: '石田健司' });
});

test('token: says if a name is not a handle, and still prints a token', async () => {
  await developmentSecret(dataDir);
  const { stdout, stderr, code } = await token(['Aki Mori']);
  expect([code, stdout.split('.').length]).toEqual([0, 3]);
  expect(stderr).toMatch(/^This is not a handle.*\n$/);
});

test('token: refuses a subject that no server accepts, and makes no secret', async () => {
  for (const sub of ['x'.repeat(256), 'a\nb', '\u007f']) {
    expect(await token([sub])).toMatchObject({
      code: 1,
      stdout: '',
      stderr:
        'No server accepts such a token: a subject has 1 to 255 characters and no control characters.\n',
    });
  }
  expect(await readdir(dataDir)).toEqual([]);
  expect((await token(['x'.repeat(255)])).code).toBe(0);
});

test('token: prints its help, and makes no token, with --help', async () => {
  const { stdout, code } = await token(['--help']);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^Usage: .*\n$/)]);
});

test('token: prints one line and no token in a deployment, or without a handle', async () => {
  const AUTH_SECRET = 'a secret of thirty-two bytes or more';
  for (const refused of [
    await token(['aki'], { AUTH_SECRET }),
    await token([]),
    await token(['--nam', 'x']),
  ]) {
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toMatch(/^[^\n]+\n$/);
  }
});
