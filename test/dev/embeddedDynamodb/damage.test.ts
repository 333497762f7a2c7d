/**
 * A data directory that is damaged at random: the start is refused with the name of a file in it, or everything that
 * was there is there. Not tested is what SQLite cannot see, because it keeps no sums of its pages: bytes inside of a
 * value. There may be other values then, or an error when they are read, but no other keys.
 */
import { cp, mkdtemp, open, readdir, rename, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AttributeValue, QueryCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../../src/app/database.ts';
import { loadConfig } from '../../../src/config.ts';
import { StartError } from '../../../src/core/errors.ts';
import { createDynamo } from '../../../src/dynamo/dynamo.ts';
import { developmentSecret } from '../../../src/server/access/developmentSecret.ts';
import { budget } from '../../support/run/budget.ts';

const PAGE = 4_096;
const DATABASE = 'dynamodb.sqlite';
const log = pino({ level: 'silent' });
const openIn = (dataDir: string) => openDatabase(loadConfig({ DATA_DIR: dataDir }), log);

let root: string;
/** As a server that was stopped leaves it, and as one that was killed does. */
const originals = { stopped: '', killed: '' };
let before: Content;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'tsudoi-test-'));
  originals.stopped = join(root, 'stopped');
  originals.killed = join(root, 'killed');
  await developmentSecret(originals.stopped);
  const first = await openIn(originals.stopped);
  await fill(first, 0);
  await first.close();
  const second = await openIn(originals.stopped);
  await fill(second, 40);
  before = await contentOf(second);
  await cp(originals.stopped, originals.killed, { recursive: true });
  await second.close();
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** Items that fill some pages and that need several, entries of the index, and free pages. */
async function fill(database: Database, from: number): Promise<void> {
  const dynamo = createDynamo(database);
  for (let n = from; n < from + 40; n++) {
    const key = { pk: `room#${n % 5}`, sk: String(n) };
    const index = n % 2 === 0 ? { gsi1pk: 'all', gsi1sk: String(n) } : {};
    await dynamo.put({ ...key, ...index, v: 1, body: 'x'.repeat(n % 7 === 0 ? 20_000 : 300) });
    if (n % 10 === 9) await dynamo.remove(key);
  }
}

type Stored = Record<string, AttributeValue>;

/** By their keys. */
interface Content {
  readonly items: ReadonlyMap<string, Stored>;
  readonly entries: ReadonlyMap<string, Stored>;
}

async function contentOf({ client, table }: Database): Promise<Content> {
  const { Items: items = [] } = await client.send(new ScanCommand({ TableName: table }));
  const { Items: entries = [] } = await client.send(
    new QueryCommand({
      TableName: table,
      IndexName: 'gsi1',
      KeyConditionExpression: 'gsi1pk = :all',
      ExpressionAttributeValues: { ':all': { S: 'all' } },
    }),
  );
  const byKey = (list: Stored[]) => new Map(list.map((item) => [`${item.pk?.S} ${item.sk?.S}`, item]));
  return { items: byKey(items), entries: byKey(entries) };
}

const keysOf = ({ items, entries }: Content) => [items, entries].map((list) => [...list.keys()].sort());

/** A place in a file, as a part of its length. */
const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
/** Modulo the number of files. */
const one = fc.nat(11);
const damages = fc.oneof(
  fc.record({ kind: fc.constant('truncate' as const), file: one, place }),
  fc.record({ kind: fc.constant('page' as const), file: one, place, bytes: bytesOf(PAGE) }),
  fc.record({ kind: fc.constant('bytes' as const), file: one, place, bytes: bytesOf(8) }),
  fc.record({ kind: fc.constant('remove' as const), file: one }),
  fc.record({ kind: fc.constant('swap' as const), file: one, other: one }),
);
type Damage = typeof damages extends fc.Arbitrary<infer D> ? D : never;

function bytesOf(length: number) {
  return fc.oneof(
    fc.uint8Array({ minLength: length, maxLength: length }),
    fc.constant(new Uint8Array(length)),
  );
}

async function damage(dataDir: string, how: Damage): Promise<string> {
  const names = (await readdir(dataDir)).sort();
  const pathOf = (index: number) => join(dataDir, names[index % names.length] ?? '');
  const file = pathOf(how.file);
  const { size } = await stat(file);
  switch (how.kind) {
    case 'truncate':
      await truncate(file, Math.floor(how.place * size));
      break;
    case 'page':
      await overwrite(file, Math.floor((how.place * size) / PAGE) * PAGE, how.bytes);
      break;
    case 'bytes':
      await overwrite(file, Math.floor(how.place * size), how.bytes);
      break;
    case 'remove':
      await rm(file);
      break;
    case 'swap': {
      const other = pathOf(how.other);
      if (other === file) break;
      await rename(file, `${file}.tmp`);
      await rename(other, file);
      await rename(`${file}.tmp`, other);
    }
  }
  return file;
}

async function overwrite(file: string, at: number, bytes: Uint8Array): Promise<void> {
  const handle = await open(file, 'r+');
  await handle.write(bytes, 0, bytes.length, at);
  await handle.close();
}

/** What a server reads at its start, or why it is refused. */
async function start(dataDir: string): Promise<Content | Error | 'unreadable'> {
  let database: Database | undefined;
  try {
    database = await openIn(dataDir);
    await developmentSecret(dataDir);
  } catch (error) {
    await database?.close();
    return error as Error;
  }
  try {
    return await contentOf(database);
  } catch (error) {
    expect(database.embedded?.fault(error)?.message).toContain(`${dataDir}/${DATABASE} is damaged`);
    return 'unreadable';
  } finally {
    await database.close();
  }
}

const { numRuns, timeout, within } = budget({ runs: 60, seconds: 60 });

test('start: on a damaged directory it is refused with the name of a file, or everything is there', {
  timeout,
}, async () => {
  const counts = { refused: 0, complete: 0 };
  const run = within(async (state: 'stopped' | 'killed', how: Damage) => {
    const dataDir = join(root, 'damaged');
    await rm(dataDir, { recursive: true, force: true });
    await cp(originals[state], dataDir, { recursive: true });
    const file = await damage(dataDir, how);
    const found = await start(dataDir);
    if (found instanceof Error) {
      counts.refused++;
      expect(found).toBeInstanceOf(StartError);
      expect(found.message).toContain(`${dataDir}/`);
      expect(found.message).not.toContain('\n');
      return;
    }
    const isInValue = (how.kind === 'bytes' || how.kind === 'page') && file.includes(DATABASE);
    if (found === 'unreadable') {
      expect(isInValue).toBe(true);
      return;
    }
    counts.complete++;
    if (isInValue) expect(keysOf(found)).toEqual(keysOf(before));
    else expect(found).toEqual(before);
  });
  await fc.assert(fc.asyncProperty(fc.constantFrom('stopped', 'killed'), damages, run), { numRuns });
  process.stdout.write(`damaged directories: ${JSON.stringify(counts)}\n`);
  expect(counts.refused).toBeGreaterThan(0);
  expect(counts.complete).toBeGreaterThan(0);
});
