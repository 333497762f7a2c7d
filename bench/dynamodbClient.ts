/**
 * What does a call to DynamoDB cost our process, through the AWS SDK and through our own transport?
 *
 * Both call the same embedded DynamoDB, a process of its own, WIDTH calls at a time, and the CPU of this process is
 * divided by the number of calls. Rounds alternate, so that both ways run under the same conditions.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { startEmbedded } from '../src/dev/embeddedDynamodb/embedded.ts';
import { TIMEOUTS } from '../src/dynamo/client.ts';
import { connect } from '../src/dynamo/connect.ts';
import { createDynamo, type Dynamo } from '../src/dynamo/dynamo.ts';
import { ensureTable } from '../src/dynamo/ensureTable.ts';
import { recordResult } from './results.ts';
import { inParallel, percentile, printTable, rounded } from './support.ts';

const WIDTH = 16;
const WARM_UP = 500;
const CALLS = 1_000;
const ROUNDS = 5;
const PAGE = 50;
const TABLE = 'bench';
const VIAS = ['sdk', 'direct'] as const;
/** A busy machine must not end the bench. */
const timeouts = { ...TIMEOUTS, attemptMs: 10_000, callMs: 50_000 };

/** About the size of a stored message. */
const message = (pk: string, i: number) => ({
  pk,
  sk: `MESSAGE#${String(i).padStart(16, '0')}`,
  v: 1,
  rev: 1,
  author: 'a'.repeat(22),
  body: `Message ${i}: see you at seven, in front of the station.`,
  mentions: ['b'.repeat(22)],
  likeCount: 3,
  stamps: { tada: 2, wave: 1 },
  editedAt: null,
  deleted: false,
});

const calls: Readonly<Record<string, (dynamo: Dynamo, i: number) => Promise<void>>> = {
  async GetItem(dynamo) {
    const { pk, sk } = message('ROOM#a', 0);
    assert.equal((await dynamo.get({ pk, sk }))?.likeCount, 3);
  },
  async 'BatchGetItem of 20'(dynamo) {
    const wanted = Array.from({ length: 20 }, (_, i) => message('ROOM#a', i));
    const found = await dynamo.batchGet(wanted.map(({ pk, sk }) => ({ pk, sk })));
    assert.ok(found.every((item) => item?.likeCount === 3));
  },
  async 'Query of 50'(dynamo, i) {
    // Each has another range: equal queries in flight share one request.
    const { items } = await dynamo.query(
      { pk: 'ROOM#a', from: 'MESSAGE#', to: `MESSAGE#z${i}` },
      { limit: PAGE },
    );
    assert.equal(items.length, PAGE);
  },
  async 'TransactWriteItems of 3'(dynamo, i) {
    // Each of the calls in flight has items of its own.
    const key = { pk: `USER#${i % (2 * WIDTH)}`, sk: 'MEMBER' };
    await dynamo.transact([
      { key, update: 'SET readTo = :c', condition: 'attribute_not_exists(gone)', values: { ':c': `${i}` } },
      { put: { ...key, sk: 'SENT', room: 'a' }, condition: 'attribute_not_exists(gone)' },
      { put: { ...message(key.pk, 0), n: i }, condition: 'attribute_not_exists(gone)' },
    ]);
  },
};

/** Microseconds of CPU per call, of all threads of this process. */
async function measure(count: number, call: (i: number) => Promise<void>): Promise<number> {
  const start = process.cpuUsage();
  await inParallel(count, WIDTH, call);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / count;
}

const directory = await mkdtemp(join(tmpdir(), 'tsudoi-bench-'));
const database = await startEmbedded({ dataDir: directory, log: pino({ level: 'silent' }) });
const connections = VIAS.map((via) => ({ via, ...connect({ ...database, timeouts, via }) }));
const [first] = connections;
assert.ok(first);
await ensureTable(first.client, TABLE);
const ways = connections.map(({ via, transport }) => ({
  via,
  dynamo: createDynamo({ transport, table: TABLE, timeouts }),
}));
const filler = createDynamo({ transport: first.transport, table: TABLE, timeouts });
for (let i = 0; i <= PAGE; i++) await filler.put(message('ROOM#a', i));

const rows = [];
for (const [name, call] of Object.entries(calls)) {
  const found = new Map<string, number[]>(VIAS.map((via) => [via, []]));
  for (const { dynamo } of ways) await measure(WARM_UP, (i) => call(dynamo, i));
  for (let round = 0; round < ROUNDS; round++) {
    for (const { via, dynamo } of ways) found.get(via)?.push(await measure(CALLS, (i) => call(dynamo, i)));
  }
  const median = (via: string) => percentile(found.get(via) ?? [], 50);
  const ratios = (found.get('direct') ?? []).map(
    (us, round) => us / (found.get('sdk')?.[round] ?? Number.NaN),
  );
  rows.push({
    call: name,
    'SDK, µs': rounded(median('sdk'), 0),
    'direct, µs': rounded(median('direct'), 0),
    'direct / SDK': rounded(percentile(ratios, 50), 2),
    'of the rounds': `${rounded(Math.min(...ratios), 2)} to ${rounded(Math.max(...ratios), 2)}`,
  });
}
for (const { destroy } of connections) destroy();
await database.stop();
await rm(directory, { recursive: true, force: true });

printTable(`CPU of the client per call to DynamoDB, ${WIDTH} at a time, median of ${ROUNDS} rounds`, rows);
recordResult('dynamodbClient', rows);
