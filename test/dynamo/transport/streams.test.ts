/** What both ways to read a stream do, on a real database behind a proxy that misbehaves. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { OutageError } from '../../../src/core/errors.ts';
import { type Connection, connect } from '../../../src/dynamo/connect.ts';
import type { Streams } from '../../../src/dynamo/transport/streams.ts';
import { changeOfRecord } from '../../../src/stream/records.ts';
import { listShards } from '../../../src/stream/shards.ts';
import { type FaultProxy, startFaultProxy } from '../../stream/support/faultProxy.ts';
import { openTestDynamo, type TestDynamo, testTimeouts } from '../../support/database/dynamo.ts';

const sending = { timeoutMs: testTimeouts.callMs };
const key = { pk: 'ROOM#r1', sk: 'ROOM' };
const first = {
  ...key,
  v: 1,
  text: '"日本語" \n',
  zero: 0,
  minus: -1.5,
  yes: true,
  nothing: null,
  list: [1, 'a', []],
  map: { deep: [{ x: 1 }], none: {} },
  strings: new Set(['a', 'b']),
  numbers: new Set([1, 2]),
  bytes: new Uint8Array([0, 255, 7]),
};
const second = { ...key, v: 1, rev: 2 };

let database: TestDynamo;
let proxy: FaultProxy;
beforeAll(async () => {
  database = await openTestDynamo();
  await database.dynamo.put(first);
  await database.dynamo.put(second);
  await database.dynamo.remove(key);
});
afterAll(() => database?.stop());

describe.each(['sdk', 'direct'] as const)('streams %s', (via) => {
  let connection: Connection;
  let streams: Streams;
  beforeEach(async () => {
    proxy = await startFaultProxy(database.endpoint);
    connection = connect({ endpoint: proxy.endpoint, timeouts: testTimeouts, via });
    streams = connection.streams;
    return async () => {
      connection.destroy();
      await proxy.stop();
    };
  });

  async function openIterator(): Promise<string> {
    const { streamArn: StreamArn } = database;
    const [shard] = await listShards(streams, StreamArn);
    const input = { StreamArn, ShardId: shard?.id ?? '', ShardIteratorType: 'TRIM_HORIZON' } as const;
    return (await streams.send('GetShardIterator', input, sending)).ShardIterator ?? '';
  }

  test('reads records with values of every type, then an empty page', async () => {
    const startedAt = Date.now() / 1_000;
    const page = await streams.send(
      'GetRecords',
      { ShardIterator: await openIterator(), Limit: 10 },
      sending,
    );
    const records = page.Records ?? [];
    // The first record is of a new table's own item, which no handler receives.
    const changes = records.flatMap((record) => changeOfRecord(record, 's', 'shard') ?? []);
    const [inserted, modified, removed] = changes;
    expect(inserted).toMatchObject({ kind: 'INSERT', new: first });
    expect(modified).toMatchObject({ kind: 'MODIFY', old: first, new: second });
    expect(removed).toMatchObject({ kind: 'REMOVE', old: second, key: { type: 'room', room: 'r1' } });
    for (const { dynamodb } of records) {
      const age = startedAt - (dynamodb?.ApproximateCreationDateTime ?? Number.NaN);
      expect(Math.abs(age)).toBeLessThan(3_600);
    }
    const next = { ShardIterator: page.NextShardIterator ?? '' };
    expect((await streams.send('GetRecords', next, sending)).Records ?? []).toEqual([]);
  });

  test.each(['TrimmedDataAccessException', 'ExpiredIteratorException', 'ResourceNotFoundException'])(
    'rejects with %s by its name, at once',
    async (name) => {
      const input = { ShardIterator: await openIterator() };
      proxy.answer('GetRecords', { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: 'x' });
      await expect(streams.send('GetRecords', input, sending)).rejects.toMatchObject({ name });
      expect(proxy.count('GetRecords')).toBe(1);
    },
  );

  test('tries again if it is throttled', async () => {
    const input = { ShardIterator: await openIterator() };
    proxy.fail('GetRecords', 'ThrottlingException', 2);
    const { Records: records } = await streams.send('GetRecords', input, sending);
    expect(proxy.count('GetRecords')).toBe(3);
    // As without the failures.
    expect(records).toEqual((await streams.send('GetRecords', input, sending)).Records);
    expect(records).not.toEqual([]);
  });

  test('a stream that does not answer in time is an outage', async () => {
    const input = { ShardIterator: await openIterator() };
    proxy.mode = 'silent';
    await expect(streams.send('GetRecords', input, { timeoutMs: 1 })).rejects.toBeInstanceOf(OutageError);
  });
});
