import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmod,
  chown,
  cp,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import sqlite from 'node-sqlite3-wasm';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../src/app/database.ts';
import { loadConfig } from '../../../src/config.ts';
import { OutageError, StartError } from '../../../src/core/errors.ts';
import { isAsStopped } from '../../../src/dev/embeddedDynamodb/cleanStop.ts';
import { hasTrim, installTrim } from '../../../src/dev/embeddedDynamodb/trim.ts';
import { createDynamo } from '../../../src/dynamo/dynamo.ts';
import { temporaryDirectory } from '../../support/machine/directory.ts';
import { eventually } from '../../support/time/eventually.ts';

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

async function copy(from = original) {
  const dataDir = await temporaryDirectory();
  await cp(from, dataDir, { recursive: true });
  return { dataDir, file: join(dataDir, 'dynamodb.sqlite') };
}

/** The first page of the index of the table's primary key, counted from 0. */
async function pageOfIndex(file: string): Promise<number> {
  const database = new sqlite.Database(file, { readOnly: true });
  database.exec('PRAGMA locking_mode = EXCLUSIVE');
  const row = database.get("SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_tsudoi_1'");
  database.close();
  return Number(row?.rootpage) - 1;
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
    ['a damaged schema', (file) => overwrite(file, 1), /malformed|page \d+/],
    ['a damaged table', (file) => overwrite(file, 3), /malformed|page \d+/],
    ['a damaged index', async (file) => overwrite(file, await pageOfIndex(file)), /malformed|page \d+/],
    ['a log without its file', (file) => cp(file, `${file}-wal`).then(() => rm(file)), /it is missing/],
    ['no file, although there was one', (file) => rm(file), /it is missing/],
    ['a log of something else', (file) => writeFile(`${file}-wal`, 'hello'), /its log .*-wal is damaged/],
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
    await expect(refused).rejects.toThrow(/Restore the directory from a copy, or move it away/);
    expect(await readFile(file).catch(() => undefined)).toEqual(before);
  });
});

const shorten = (path: string, bytes: number) => stat(path).then(({ size }) => truncate(path, size - bytes));

describe('openDatabase: refuses a log that is not whole, and says how to start with what is left:', () => {
  const cases: ReadonlyArray<
    readonly [string, (file: string) => Promise<unknown>, RegExp, string[], number]
  > = [
    [
      'a log without its last byte',
      (file) => shorten(`${file}-wal`, 1),
      /after \d+ of \d+ pages/,
      ['-shm'],
      19,
    ],
    ['a damaged first page', (file) => overwrite(`${file}-wal`, 1), /ends after 0 of \d+ pages/, ['-shm'], 0],
    ['a damaged header of it', (file) => overwrite(`${file}-wal`, 0), /-wal is damaged/, ['-wal', '-shm'], 0],
    ['no log', (file) => rm(`${file}-wal`), /-wal is missing/, ['-shm'], 0],
  ];
  test.each(cases)('%s', async (_what, damage, what, useless, left) => {
    const { dataDir, file } = await copyOfKilled();
    await damage(file);
    const before = await readFile(file);
    const refused = openIn(dataDir);
    await expect(refused).rejects.toThrow(StartError);
    await expect(refused).rejects.toThrow(`The database file ${file} is damaged: `);
    await expect(refused).rejects.toThrow(what);
    await expect(refused).rejects.toThrow(`delete ${useless.map((end) => file + end).join(' and ')}.`);
    expect(await readFile(file)).toEqual(before);

    for (const end of useless) await rm(`${file}${end}`);
    const database = await openIn(dataDir);
    onTestFinished(() => database.close());
    expect(await itemsIn(database)).toBe(left);
  });

  test('a log whose pages are in the file already: nothing is lost', async () => {
    const { dataDir, file, items } = await copyAfterCheckpoint();
    await shorten(`${file}-wal`, 1);
    const refused = openIn(dataDir);
    await expect(refused).rejects.toThrow(`. Nothing is lost. To start, delete ${file}-wal and ${file}-shm.`);
    await expect(refused).rejects.not.toThrow('are lost');
    for (const end of ['-wal', '-shm']) await rm(`${file}${end}`);
    const database = await openIn(dataDir);
    onTestFinished(() => database.close());
    expect(await itemsIn(database)).toBe(items);
  });

  test('a log that was being copied into the file: says only how to restore', async () => {
    const { dataDir, file } = await copyOfKilled();
    const index = await readFile(`${file}-shm`);
    index.writeUInt32LE(index.readUInt32LE(FRAMES_AT), COPYING_AT);
    await writeFile(`${file}-shm`, index);
    await shorten(`${file}-wal`, 1);
    const refused = openIn(dataDir);
    await expect(refused).rejects.toThrow('so the last changes are lost');
    await expect(refused).rejects.not.toThrow('delete');
  });

  test('a truncated file whose other pages are in its log', async () => {
    const { dataDir, file } = await copyOfKilled();
    await truncate(file, 5 * PAGE);
    await expect(openIn(dataDir)).rejects.toThrow(`The database file ${file} is damaged: `);
  });
});

test('openDatabase: opens a file whose log is too long to check', async () => {
  const { dataDir, file } = await copyOfKilled();
  await truncate(`${file}-wal`, 3 * 2 ** 30);
  const database = await openIn(dataDir);
  onTestFinished(() => database.close());
  expect(await itemsIn(database)).toBe(20);
});

test('installTrim: leaves no index of the log that it has written into the file', async () => {
  const { dataDir, file } = await copyOfKilled();
  expect(await readdir(dataDir)).toContain('dynamodb.sqlite-shm');
  await installTrim(file);
  const names = await readdir(dataDir);
  expect(names.filter((name) => /-(wal|shm)$/.test(name))).toEqual([]);
});

test('a database whose process was restarted is checked by the next start', async () => {
  const { dataDir, file } = await copy();
  const { embedded, close } = await openIn(dataDir);
  process.kill(embedded?.pid ?? 0, 'SIGKILL');
  const killed = embedded?.pid;
  await eventually(async () => expect(embedded?.pid).not.toBe(killed));
  await close();
  expect(await isAsStopped(file)).toBe(false);
});

/** In the index of the log, of SQLite. */
const [FRAMES_AT, COPIED_AT, COPYING_AT] = [16, 96, 128];

/** The files of a database that was killed right after it had copied its log. */
async function copyAfterCheckpoint() {
  const open = await copy();
  const database = await openIn(open.dataDir);
  const dynamo = createDynamo(database);
  for (let items = 1; ; items++) {
    await dynamo.put({ pk: 'one', sk: String(items), v: 1 });
    const index = await readFile(`${open.file}-shm`);
    if (index.readUInt32LE(COPIED_AT) === 0) continue;
    if (index.readUInt32LE(COPIED_AT) !== index.readUInt32LE(FRAMES_AT)) continue;
    const killed = await copy(open.dataDir);
    await database.close();
    return { ...killed, items };
  }
}

async function itemsIn(database: Awaited<ReturnType<typeof openIn>>): Promise<number> {
  const range = { pk: 'one', from: '0', to: '9999' };
  return (await createDynamo(database).query(range, { limit: 1_000 })).items.length;
}

/** The files as a process that is killed leaves them. */
async function copyOfKilled() {
  const open = await copy();
  const database = await openIn(open.dataDir);
  const dynamo = createDynamo(database);
  for (let n = 0; n < 20; n++) await dynamo.put({ pk: 'one', sk: String(n), v: 1 });
  const killed = await copy(open.dataDir);
  await database.close();
  return killed;
}

/** A database that SQLite made for something else, with these statements. */
async function foreignFile(statements: string) {
  const dataDir = await temporaryDirectory();
  const file = join(dataDir, 'dynamodb.sqlite');
  const database = new sqlite.Database(file);
  database.exec(statements);
  database.close();
  return { dataDir, file };
}

test.each([
  ['without tables', 'PRAGMA user_version = 3'],
  ['with other tables', "CREATE TABLE notes (text); INSERT INTO notes VALUES ('mine')"],
  ['with the mark of another program', 'CREATE TABLE notes (text); PRAGMA application_id = 252006674'],
])('openDatabase: refuses a SQLite database %s, and leaves it as it is', async (_what, statements) => {
  const { dataDir, file } = await foreignFile(statements);
  const before = await readFile(file);
  const refused = openIn(dataDir);
  await expect(refused).rejects.toThrow(StartError);
  await expect(refused).rejects.toThrow(`${file} is a SQLite database that another program has made.`);
  expect(await readFile(file)).toEqual(before);
  expect(await readdir(dataDir)).toEqual(['dynamodb.sqlite']);
});

test.each([
  ['no mark', 0],
  ['an earlier mark', 0x54535500],
])('openDatabase: opens a file of an earlier release, which has %s', async (_what, mark) => {
  const { dataDir, file } = await copy();
  await rm(`${file}-made`);
  const database = new sqlite.Database(file);
  database.exec('PRAGMA locking_mode = EXCLUSIVE');
  database.exec(`DROP TRIGGER tsudoi_stream_trim; PRAGMA application_id = ${mark}`);
  database.close();
  const opened = await openIn(dataDir);
  expect(opened.created).toBe(false);
  await opened.close();
  expect(await hasTrim(file)).toBe(true);
});

test('openDatabase: starts again after it was killed while it made the file', async () => {
  const dataDir = await temporaryDirectory();
  const file = join(dataDir, 'dynamodb.sqlite');
  await writeFile(`${file}-new`, '');
  await writeFile(`${file}-new-wal`, 'some');
  const opened = await openIn(dataDir);
  expect(opened.created).toBe(true);
  await opened.close();
  expect((await readdir(dataDir)).sort()).toEqual([
    ...['dynamodb.sqlite', 'dynamodb.sqlite-closed', 'dynamodb.sqlite-made'],
  ]);
});

test('a file that is damaged while the database runs: clients get UNAVAILABLE, and the log says once why', async () => {
  const { dataDir, file } = await copy();
  const lines: string[] = [];
  const database = await openDatabase(
    loadConfig({ DATA_DIR: dataDir }),
    pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }),
  );
  onTestFinished(() => database.close());
  const read = () => createDynamo(database).get({ pk: 'one', sk: 'one' });
  const pid = database.embedded?.pid ?? 0;
  const index = await pageOfIndex(file);
  process.kill(pid, 'SIGSTOP');
  await overwrite(file, index);
  // The process that replaces it has no pages in memory.
  process.kill(pid, 'SIGKILL');
  await expect(read()).rejects.toThrow(OutageError);
  await eventually(async () => {
    await expect(read()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(lines.join()).toContain(`The database file ${file} is damaged`);
  });
  await expect(read()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(lines.filter((line) => line.includes(`The database file ${file} is damaged`))).toHaveLength(1);
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
  expect(stdout).toContain(
    `${join(dataDir, name)} cannot be used: this user may not read or write it (EACCES).`,
  );
});
