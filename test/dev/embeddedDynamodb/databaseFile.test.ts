import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmod,
  chown,
  cp,
  mkdtemp,
  open,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../src/app/database.ts';
import { loadConfig } from '../../../src/config.ts';
import { StartError } from '../../../src/core/errors.ts';
import { temporaryDirectory } from '../../support/machine/directory.ts';

const log = pino({ level: 'silent' });
const PAGE = 4_096;

const openIn = (dataDir: string) => openDatabase(loadConfig({ DATA_DIR: dataDir }), log);

/** A directory with a database that was stopped. */
let original: string;
beforeAll(async () => {
  original = await mkdtemp(join(tmpdir(), 'tsudoi-test-'));
  await (await openIn(original)).close();
});
afterAll(() => rm(original, { recursive: true, force: true }));

async function copy() {
  const dataDir = await temporaryDirectory();
  await cp(original, dataDir, { recursive: true });
  return { dataDir, file: join(dataDir, 'dynamodb.sqlite') };
}

async function overwrite(file: string, page: number): Promise<void> {
  const handle = await open(file, 'r+');
  await handle.write(randomBytes(PAGE), 0, PAGE, page * PAGE);
  await handle.close();
}

describe('openDatabase: refuses to start, names the file and what to do, and leaves it as it is:', () => {
  const cases: ReadonlyArray<readonly [string, (file: string) => Promise<unknown>, RegExp]> = [
    ['a file of 0 bytes', (file) => truncate(file, 0), /it has 0 bytes/],
    ['a file that ends in its header', (file) => truncate(file, 50), /it ends after 50 bytes/],
    ['a truncated file', (file) => truncate(file, 3 * PAGE), /it ends after 12288 of \d+ bytes/],
    [
      'a file without its last 100 bytes',
      async (file) => truncate(file, (await stat(file)).size - 100),
      /it ends after \d+ of \d+ bytes/,
    ],
    ['random bytes', (file) => writeFile(file, randomBytes(10 * PAGE)), /it is not a SQLite database/],
    ['a text', (file) => writeFile(file, 'hello'), /it is not a SQLite database/],
    ['a damaged schema', (file) => overwrite(file, 1), /the database cannot read its content/],
    ['a damaged table', (file) => overwrite(file, 3), /the database cannot read its table/],
    ['a log without its file', (file) => cp(file, `${file}-wal`).then(() => rm(file)), /it is missing/],
    [
      'a link to nothing',
      (file) => rm(file).then(() => symlink('/nowhere/dynamodb.sqlite', file)),
      /it is a link to a file that does not exist/,
    ],
  ];
  test.each(cases)('%s', async (_what, damage, what) => {
    const { dataDir, file } = await copy();
    await damage(file);
    const before = await readFile(file).catch(() => undefined);
    const refused = openIn(dataDir);
    await expect(refused).rejects.toThrow(StartError);
    await expect(refused).rejects.toThrow(`The database file ${file} is damaged: `);
    await expect(refused).rejects.toThrow(what);
    await expect(refused).rejects.toThrow(/Restore it from a copy, or move it away/);
    expect(await readFile(file).catch(() => undefined)).toEqual(before);
  });
});

test('openDatabase: opens a file whose process was killed, with its last pages in the log', async () => {
  const { dataDir } = await copy();
  const { embedded } = await openIn(dataDir);
  process.kill(embedded?.pid ?? 0, 'SIGKILL');
  await embedded?.stop();
  const again = await openIn(dataDir);
  onTestFinished(() => again.close());
  expect(again.created).toBe(false);
});

/** An ordinary user: root may read and write everything. */
const NOBODY = 65_534;

test.skipIf(process.getuid?.() !== 0).each([
  ['an unreadable file', 'dynamodb.sqlite', 0o000],
  ['a read-only file', 'dynamodb.sqlite', 0o400],
  ['a read-only directory', '.', 0o500],
])('checkDatabaseFile: names %s, and what to do', async (_what, name, mode) => {
  const { dataDir, file } = await copy();
  // Every user may pass through the directory of all tests.
  await chmod(dirname(dataDir), 0o711);
  await chown(dataDir, NOBODY, NOBODY);
  await chown(file, NOBODY, NOBODY);
  await chmod(join(dataDir, name), mode);
  const source = new URL('../../../src/dev/embeddedDynamodb/databaseFile.ts', import.meta.url);
  const program = `
    const { checkDatabaseFile } = await import('${source}');
    process.setgid(${NOBODY});
    process.setuid(${NOBODY});
    await checkDatabaseFile('${file}').catch((error) => console.log(error.name + ': ' + error.message));`;
  const args = ['--import', 'tsx', '--input-type=module', '-e', program];
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(stdout).toMatch(/^StartError: /);
  expect(stdout).toContain(`must read and write ${join(dataDir, name)}, and this user may not (EACCES)`);
  expect(stdout).toContain('Correct its owner or its permissions');
});
