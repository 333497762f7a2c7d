import type { StreamRecord } from '../../../src/dynamo/transport/streams.ts';
import type { Change } from '../../../src/stream/change.ts';
import { changeOfRecord, streamLabel } from '../../../src/stream/records.ts';
import { listShards } from '../../../src/stream/shards.ts';
import type { TestDynamo } from '../database/dynamo.ts';

const ATTEMPTS = 5;

/** Reads the stream from now on. Each call of the result returns the changes since the previous call. */
export async function followStream({ streams, streamArn }: TestDynamo): Promise<() => Promise<Change[]>> {
  const stream = streamLabel(streamArn);
  const iterators = new Map<string, string | undefined>();
  for (const { id } of await listShards(streams, streamArn)) {
    const latest = { StreamArn: streamArn, ShardId: id, ShardIteratorType: 'LATEST' as const };
    iterators.set(id, (await streams.send('GetShardIterator', latest)).ShardIterator);
  }
  return async () => {
    const changes: Change[] = [];
    for (const [id, iterator] of iterators) {
      let ShardIterator = iterator;
      while (ShardIterator !== undefined) {
        const page = await streams.send('GetRecords', { ShardIterator });
        ShardIterator = page.NextShardIterator;
        changes.push(...(page.Records ?? []).flatMap((record) => changeOfRecord(record, stream, id) ?? []));
        if ((page.Records ?? []).length === 0) break;
      }
      iterators.set(id, ShardIterator);
    }
    return changes;
  };
}

/** All changes in the stream, from its horizon on, as handlers receive them. Shard by shard, in order. */
export async function readStream(database: TestDynamo): Promise<Change[]> {
  const stream = streamLabel(database.streamArn);
  const changes: Change[] = [];
  for (const { id } of await listShards(database.streams, database.streamArn)) {
    const records = await readShard(database, id);
    changes.push(...records.flatMap((record) => changeOfRecord(record, stream, id) ?? []));
  }
  return changes;
}

/** The same, as the records of the stream's API. */
export async function readRecords(database: TestDynamo): Promise<StreamRecord[]> {
  const shards = await listShards(database.streams, database.streamArn);
  return (await Promise.all(shards.map(({ id }) => readShard(database, id)))).flat();
}

async function readShard({ streams, streamArn }: TestDynamo, ShardId: string): Promise<StreamRecord[]> {
  const records: StreamRecord[] = [];
  const horizon = { StreamArn: streamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' as const };
  for (let attempt = 1; ; attempt++) {
    try {
      let { ShardIterator } = await streams.send('GetShardIterator', horizon);
      while (ShardIterator !== undefined) {
        const page = await streams.send('GetRecords', { ShardIterator });
        if (page.Records === undefined || page.Records.length === 0) break;
        records.push(...page.Records);
        ShardIterator = page.NextShardIterator;
      }
      return records;
    } catch (error) {
      // DynamoDB Local can answer the first read of a shard with TrimmedDataAccessException.
      if (attempt === ATTEMPTS) throw error;
      records.length = 0;
    }
  }
}
