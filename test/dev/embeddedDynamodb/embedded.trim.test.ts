import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { _Record as StreamRecord } from '@aws-sdk/client-dynamodb-streams';
import {
  DescribeStreamCommand,
  type DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
} from '@aws-sdk/client-dynamodb-streams';
import sqlite from 'node-sqlite3-wasm';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startEmbedded } from '../../../src/dev/embeddedDynamodb/embedded.ts';
import { hasTrim, installTrim, RECORDS_KEPT } from '../../../src/dev/embeddedDynamodb/trim.ts';
import { createStreamsClient } from '../../../src/dynamo/client.ts';
import { connect } from '../../../src/dynamo/connect.ts';
import { createDynamo } from '../../../src/dynamo/dynamo.ts';
import { ensureTable } from '../../../src/dynamo/ensureTable.ts';
import { dynamodbClient, testTimeouts } from '../../support/database/dynamo.ts';
import { temporaryDirectory } from '../../support/machine/directory.ts';

const log = pino({ level: 'silent' });
const TABLE = 'table';

async function open(dataDir: string) {
  const embedded = await startEmbedded({ dataDir, log });
  onTestFinished(() => embedded.stop());
  const options = { ...embedded, timeouts: testTimeouts };
  const { client, transport } = connect({ ...options, via: dynamodbClient });
  const streams = createStreamsClient(options);
  const { streamArn } = await ensureTable(client, TABLE);
  const dynamo = createDynamo({ transport, table: TABLE, timeouts: testTimeouts });
  return { ...embedded, embedded, streams, streamArn, dynamo };
}

/** A file with `count` stream records, numbered from 1, as after long use. */
async function usedFile(count: number): Promise<string> {
  const dataDir = await temporaryDirectory();
  await (await open(dataDir)).stop();
  const database = new sqlite.Database(join(dataDir, 'dynamodb.sqlite'));
  database.exec('PRAGMA locking_mode = EXCLUSIVE');
  database.run(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
     INSERT INTO _stream_records (table_name, event_name, keys_json, new_image, sequence_number, shard_id, created_at)
     SELECT '${TABLE}', 'INSERT', key, key, i, 'shardId-00000001-${TABLE}', unixepoch() - 7 * 86400
     FROM (SELECT i, json_object('pk', json_object('S', 'old'), 'sk', json_object('S', '' || i)) AS key FROM n)`,
    [count],
  );
  database.close();
  return dataDir;
}

/** All stream records after a sequence number, in order. */
async function readAfter(streams: DynamoDBStreamsClient, StreamArn: string, sequence: number) {
  const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn }));
  const ShardId = StreamDescription?.Shards?.[0]?.ShardId;
  const start = { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: String(sequence) } as const;
  let { ShardIterator } = await streams.send(new GetShardIteratorCommand({ StreamArn, ShardId, ...start }));
  const records: StreamRecord[] = [];
  for (;;) {
    const page = await streams.send(new GetRecordsCommand({ ShardIterator }));
    if (page.Records === undefined || page.Records.length === 0) return records;
    records.push(...page.Records);
    ShardIterator = page.NextShardIterator;
  }
}

const sequenceOf = (record: StreamRecord | undefined) => Number(record?.dynamodb?.SequenceNumber);

describe('trim', () => {
  it('trim: deletes read records while ten writers write and a reader reads', async () => {
    const RECORDS = RECORDS_KEPT + 6_000;
    const READ_TO = RECORDS - 1_000;
    const { streams, streamArn, trim, dynamo } = await open(await usedFile(RECORDS));
    const unread = await readAfter(streams, streamArn, READ_TO);
    expect(unread).toHaveLength(RECORDS - READ_TO);

    let trimming = true;
    let written = 0;
    const writers = Array.from({ length: 10 }, async (_, writer) => {
      for (let n = 0; trimming || n < 3; n++) {
        await dynamo.put({ pk: `writer-${writer}`, sk: String(n) });
        written++;
      }
    });
    const reading = readAfter(streams, streamArn, READ_TO);
    // As after the checkpoints of a consumer. The newest RECORDS_KEPT records are never deleted.
    for (let readTo = 0; readTo <= READ_TO; readTo += 2_000)
      await trim({ streamArn, checkpoint: String(readTo) });
    trimming = false;
    await Promise.all(writers);
    const readMeanwhile = await reading;

    const left = await readAfter(streams, streamArn, 0);
    const newest = RECORDS + written;
    expect(left.map(sequenceOf)).toEqual(range(sequenceOf(left[0]), newest));
    expect(sequenceOf(left[0])).toBeGreaterThan(RECORDS - RECORDS_KEPT);
    expect(sequenceOf(left[0])).toBeLessThanOrEqual(newest - RECORDS_KEPT + 1);
    // A reader that starts at the checkpoint gets the same records, during the trimming and after it.
    const now = await readAfter(streams, streamArn, READ_TO);
    expect(readMeanwhile.length).toBeGreaterThanOrEqual(unread.length);
    expect(now.slice(0, readMeanwhile.length)).toEqual(readMeanwhile);
    expect(now.slice(0, unread.length)).toEqual(unread);
    expect(now).toHaveLength(unread.length + written);
  });

  it('trim: deletes at most 4,000 records per request, so other requests do not wait long', async () => {
    const { streams, streamArn, trim } = await open(await usedFile(RECORDS_KEPT + 6_000));
    await trim({ streamArn, checkpoint: '5000' });
    expect(sequenceOf((await readAfter(streams, streamArn, 0))[0])).toBe(4_001);
    await trim({ streamArn, checkpoint: '7000' });
    expect(sequenceOf((await readAfter(streams, streamArn, 0))[0])).toBe(6_001);
  });

  it('trim: deletes all read records, however many were read between two calls', async () => {
    const { streams, streamArn, trim } = await open(await usedFile(RECORDS_KEPT + 13_000));
    await trim({ streamArn, checkpoint: '1' });
    await trim({ streamArn, checkpoint: '13000' });
    expect(sequenceOf((await readAfter(streams, streamArn, 0))[0])).toBe(13_001);
  });

  it('trim: keeps unread records, however old and however many', async () => {
    const { streams, streamArn, trim } = await open(await usedFile(RECORDS_KEPT + 5_000));
    await trim({ streamArn, checkpoint: '1200' });
    expect(sequenceOf((await readAfter(streams, streamArn, 0))[0])).toBe(1_201);
  });

  it('trim: keeps the newest read records, so that numbering continues after them', async () => {
    const { streams, streamArn, trim, dynamo } = await open(await usedFile(RECORDS_KEPT + 100));
    await trim({ streamArn, checkpoint: String(RECORDS_KEPT + 100) });
    expect(sequenceOf((await readAfter(streams, streamArn, 0))[0])).toBe(101);
    await dynamo.put({ pk: 'a', sk: 'a' });
    expect((await readAfter(streams, streamArn, RECORDS_KEPT + 100)).map(sequenceOf)).toEqual([
      RECORDS_KEPT + 101,
    ]);
  });

  it('trim: the first start adds the indexes, and later starts leave the file unchanged', async () => {
    const dataDir = await temporaryDirectory();
    const file = join(dataDir, 'dynamodb.sqlite');
    expect(await hasTrim(file)).toBe(false);
    await (await open(dataDir)).stop();
    expect(await hasTrim(file)).toBe(true);
    const before = await readFile(file);
    await (await open(dataDir)).stop();
    expect((await readFile(file)).equals(before)).toBe(true);
  });
});

describe('installTrim', () => {
  it('installTrim: leaves a file of another form unchanged', async () => {
    const file = join(await temporaryDirectory(), 'other.sqlite');
    const other = new sqlite.Database(file);
    other.exec('CREATE TABLE other (a)');
    other.close();
    await expect(installTrim(file)).rejects.toThrow('_stream_records');
    expect(await hasTrim(file)).toBe(false);
  });
});

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
