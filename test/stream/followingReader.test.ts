import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Connection, connect } from '../../src/dynamo/connect.ts';
import type { StreamOperation, Streams } from '../../src/dynamo/transport/streams.ts';
import type { Change } from '../../src/stream/change.ts';
import { createFollowingReader, createShardFeed } from '../../src/stream/followingReader.ts';
import { createReader, emulatorPacing } from '../../src/stream/reader.ts';
import { listShards } from '../../src/stream/shards.ts';
import { dynamodbClient, openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';
import { hastyClock } from '../support/time/clock.ts';
import { eventually } from '../support/time/eventually.ts';
import { countingStreams } from './support/requests.ts';
import { numbers, rootKey, silent } from './support/stream.ts';

let db: TestDynamo;
let connection: Connection;
let streams: Streams;
let requests: (operation: StreamOperation) => number;
let shard: string;
let stop: AbortController;
let running: Array<Promise<unknown>>;

beforeEach(async () => {
  db = await openTestDynamo();
  connection = connect({ endpoint: db.endpoint, via: dynamodbClient });
  ({ streams, count: requests } = countingStreams(connection.streams));
  shard = (await listShards(db.streams, db.streamArn))[0]?.id ?? '';
  stop = new AbortController();
  running = [];
});

afterEach(async () => {
  stop.abort();
  await Promise.all(running);
  connection.destroy();
  await db.stop();
});

const put = (n: number) => db.dynamo.put({ ...rootKey('r', n), v: 1, n });
const until = (condition: () => void) => eventually(condition, 2);

/** A reader that publishes, over a client of its own, and one that follows it over the counted client. */
function started({
  handle = async () => {},
}: {
  handle?: (changes: readonly Change[]) => Promise<void>;
} = {}) {
  const feed = createShardFeed(undefined);
  const common = {
    streamArn: db.streamArn,
    shard,
    checkpoint: undefined,
    pacing: emulatorPacing,
    clock: hastyClock,
    log: silent,
    onTrimmed: () => Promise.reject(new Error('No rebuild was expected.')),
  };
  const [first, second]: [Change[], Change[]] = [[], []];
  const publishing = new AbortController();
  const source = createReader({
    ...common,
    streams: db.streams,
    onPage: feed.publish,
    onGap: feed.gap,
    handle: async (changes) => {
      first.push(...changes);
    },
  });
  const follower = createFollowingReader({
    ...common,
    streams,
    feed,
    handle: async (changes) => {
      await handle(changes);
      second.push(...changes);
    },
  });
  stop.signal.addEventListener('abort', () => publishing.abort());
  running.push(
    follower.run(stop.signal).catch(() => {}),
    source.run(publishing.signal),
  );
  return { feed, source, follower, first, second, publishing };
}

it('createFollowingReader: does not poll while it follows', async () => {
  const { first, second, follower, source } = started();
  for (const n of [1, 2, 3]) await put(n);
  await until(() => expect(numbers(second)).toEqual([1, 2, 3]));
  await until(() => expect(follower.position).toBe(source.position));
  expect(numbers(first)).toEqual([1, 2, 3]);
  expect(requests('GetRecords')).toBe(0);
});

it('createFollowingReader: reads the shard itself after the source has stopped', async () => {
  const { feed, second, publishing } = started();
  await put(1);
  await until(() => expect(numbers(second)).toEqual([1]));
  publishing.abort();
  feed.close();
  await put(2);
  await until(() => expect(numbers(second)).toEqual([1, 2]));
  expect(requests('GetRecords')).toBeGreaterThan(0);
});

it('createFollowingReader: leaves nothing out and repeats nothing after a gap in the feed', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { feed, first, second, follower, source } = started({ handle: () => held });
  await put(1);
  await until(() => expect(numbers(first)).toEqual([1]));
  feed.gap();
  for (const n of [2, 3]) await put(n);
  await until(() => expect(numbers(first)).toEqual([1, 2, 3]));
  expect(second).toEqual([]);
  release();
  await until(() => expect(numbers(second)).toEqual([1, 2, 3]));
  await put(4);
  await until(() => expect(numbers(second)).toEqual([1, 2, 3, 4]));
  await until(() => expect(follower.position).toBe(source.position));
});
