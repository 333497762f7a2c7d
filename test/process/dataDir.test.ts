/** A DATA_DIR that cannot be used: the start prints one sentence that names the file, and exits with code 1. */
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { programFile } from '../support/builds/build.ts';
import { temporaryDirectory } from '../support/machine/directory.ts';
import { run } from './support/run.ts';

async function refusedIn(dataDir: string, command?: readonly [string, ...string[]]): Promise<string> {
  const env = { DATA_DIR: dataDir, LOG_LEVEL: 'silent' };
  const program = await run(command === undefined ? { env } : { env, command });
  const { code } = await program.ended;
  expect({ code, stdout: program.stdout }).toEqual({ code: 1, stdout: '' });
  return program.stderr;
}

describe('start: one sentence names', () => {
  const cases: ReadonlyArray<readonly [string, string, (path: string) => Promise<unknown>, RegExp]> = [
    ['a DATA_DIR that is a file', '.', (path) => writeFile(path, ''), /it is not a directory \(EEXIST\)/],
    ['a record that is a directory', 'dynamodb.pid', mkdir, /it is a directory \(EISDIR\)/],
    ['a database file that is a directory', 'dynamodb.sqlite', mkdir, /it is not a file/],
    ['a secret that is a directory', 'development-secret', mkdir, /it is a directory \(EISDIR\)/],
    ['an empty secret', 'development-secret', (path) => writeFile(path, ''), /a secret of 32 bytes/],
    [
      'a secret of other characters',
      'development-secret',
      (path) => writeFile(path, '!'.repeat(43)),
      /does not contain a secret of 32 bytes/,
    ],
    ['the file of another program', 'dynamodb.sqlite', foreignFile, /another program has made/],
  ];
  test.each(cases)('%s', async (_what, name, make, reason) => {
    const dataDir = join(await temporaryDirectory(), 'data');
    const path = join(dataDir, name);
    if (name !== '.') await mkdir(dataDir);
    await make(path);
    const output = await refusedIn(dataDir);
    expect(output).toMatch(/^[^\n]+\n$/);
    expect(output).toContain(path);
    expect(output).toMatch(reason);
  });
});

/** SQLite's header, without pages. */
async function foreignFile(path: string): Promise<void> {
  const header = Buffer.alloc(4_096);
  header.write('SQLite format 3\0', 'latin1');
  header.writeUInt32BE(0x0f055112, 68);
  await writeFile(path, header);
}

/** An ordinary user: root may read and write everything. */
const NOBODY = 65_534;

describe.skipIf(process.getuid?.() !== 0)('start: as an ordinary user one sentence names', () => {
  const cases: ReadonlyArray<readonly [string, string, number]> = [
    ['a DATA_DIR that nobody may read', '.', 0o000],
    ['a DATA_DIR that nobody may write', '.', 0o500],
    ['a secret that nobody may read', 'development-secret', 0o000],
    ['a record that nobody may read', 'dynamodb.pid', 0o000],
  ];
  test.each(cases)('%s', async (_what, name, mode) => {
    const dataDir = join(await temporaryDirectory(), 'data');
    const path = join(dataDir, name);
    await mkdir(dataDir);
    if (name !== '.') await writeFile(path, '');
    // Every user may pass through the directory of all tests.
    for (const parent of [dirname(dataDir), dirname(dirname(dataDir))]) await chmod(parent, 0o711);
    for (const one of [dataDir, path]) await chown(one, NOBODY, NOBODY);
    await chmod(path, mode);
    const program = `
      process.setgid(${NOBODY});
      process.setuid(${NOBODY});
      await import(${JSON.stringify(await programFile('main'))});`;
    const output = await refusedIn(dataDir, [process.execPath, '--input-type=module', '-e', program]);
    expect(output).toMatch(/^[^\n]+\n$/);
    expect(output).toContain(path);
    expect(output).toContain('(EACCES)');
  });
});
