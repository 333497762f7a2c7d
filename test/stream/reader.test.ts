import { BatchWriteItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Connection, connect } from '../../src/dynamo/connect.ts';
import { keys } from '../../src/dynamo/keys.ts';
import type { StreamOperation, Streams } from '../../src/dynamo/transport/streams.ts';
import type { Change } from '../../src/stream/change.ts';
import {
  awsPacing,
  createReader,
  emulatorPacing,
  type Reader,
  type ReaderEnd,
  type ReaderOptions,
} from '../../src/stream/reader.ts';
import { listShards } from '../../src/stream/shards.ts';
import { createTestClock, hastyClock } from '../support/clock.ts';
import {
  connectTo,
  dynamodbClient,
  onDynamoDbLocal,
  openTestDynamo,
  type TestDynamo,
} from '../support/dynamo.ts';
import { eventually } from '../support/eventually.ts';
import { type FaultProxy, startFaultProxy } from './support/faultProxy.ts';
import { countingStreams } from './support/requests.ts';
import { createTestLog, numbers, rootKey, silent } from './support/stream.ts';

let db: TestDynamo;
let proxy: FaultProxy;
let connection: Connection;
let streams: Streams;
let requests: (operation: StreamOperation) => number;
let shard: string;
let stop: AbortController;
let running: Array<Promise<unknown>>;

beforeEach(async () => {
  db = await openTestDynamo();
  proxy = await startFaultProxy(db.endpoint);
  connection = connectTo(proxy.endpoint);
  ({ streams, count: requests } = countingStreams(connection.streams));
  shard = (await listShards(db.streams, db.streamArn))[0]?.id ?? '';
  stop = new AbortController();
  running = [];
});

afterEach(async () => {
  stop.abort();
  await Promise.all(running);
  connection.destroy();
  await proxy.stop();
  await db.stop();
});

interface Started {
  readonly reader: Reader;
  readonly end: Promise<ReaderEnd>;
  readonly handled: Change[];
}

function start(options: Partial<ReaderOptions> = {}): Started {
  const handled: Change[] = [];
  const reader = createReader({
    ...{ streams, streamArn: db.streamArn, shard, checkpoint: undefined },
    pacing: emulatorPacing,
    clock: hastyClock,
    log: silent,
    handle: async (changes) => {
      handled.push(...changes);
    },
    onTrimmed: () => Promise.reject(new Error('No rebuild was expected.')),
    ...options,
  });
  const end = reader.run(stop.signal);
  running.push(end.catch(() => {}));
  return { reader, end, handled };
}

const put = (n: number) => db.dynamo.put({ ...rootKey('r', n), v: 1, n });
const until = (condition: () => void) => eventually(condition, 2);
const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1);

describe('createReader', () => {
  it('createReader: reads records from before and after its start, in order', async () => {
    for (const n of upTo(5)) await put(n);
    const { handled, reader } = start();
    await until(() => expect(numbers(handled)).toEqual(upTo(5)));
    for (const n of [6, 7, 8]) await put(n);
    await until(() => expect(numbers(handled)).toEqual(upTo(8)));
    await until(() => expect(reader.position).toBe(handled.at(-1)?.sequence));
  });

  it('createReader: starts after its checkpoint', async () => {
    for (const n of upTo(6)) await put(n);
    const first = start();
    await until(() => expect(first.handled).toHaveLength(6));
    const second = start({ checkpoint: first.handled[3]?.sequence });
    await until(() => expect(numbers(second.handled)).toEqual([5, 6]));
  });

  it('createReader: polls again at once while pages are full', async () => {
    const batch = (from: number) =>
      new BatchWriteItemCommand({
        RequestItems: {
          [db.table]: upTo(25).map((i) => {
            const { pk, sk } = rootKey('r', from + i);
            return { PutRequest: { Item: { pk: { S: pk }, sk: { S: sk }, n: { N: String(from + i) } } } };
          }),
        },
      });
    for (let from = 0; from < 2_100; from += 25) await db.client.send(batch(from));
    const clock = createTestClock();
    const { handled, reader } = start({ clock });
    // The clock does not move, so a wait would never end.
    await until(() => expect(handled).toHaveLength(2_100));
    expect(numbers(handled)).toEqual(upTo(2_100));
    expect(reader.records).toBe(2_100);
  });

  it('createReader: moves its position after the changes are handled', async () => {
    await put(1);
    let refuse = (_: Error) => {};
    const { reader, end } = start({ handle: () => new Promise((_, reject) => (refuse = reject)) });
    await until(() => expect(reader.behindSince).toBeDefined());
    expect(reader.position).toBeUndefined();
    refuse(new Error('not done'));
    await expect(end).rejects.toThrow('not done');
    expect(reader.position).toBeUndefined();
  });

  it('createReader: handles nothing after it was stopped, and stops at once', async () => {
    proxy.onRequest('GetRecords', () => stop.abort());
    await put(1);
    const { end, handled } = start({ clock: createTestClock() });
    expect(await end).toBe('stopped');
    expect(handled).toEqual([]);
  });

  it('createReader: ends at the end of the shard', async () => {
    await put(1);
    proxy.rewrite('GetRecords', ({ NextShardIterator: _, ...page }) => page);
    const { end, handled } = start();
    expect(await end).toBe('ended');
    expect(handled).toHaveLength(1);
  });

  it('createReader: resolves to `gone` if the stream does not know the shard', async () => {
    proxy.fail('GetRecords', 'ResourceNotFoundException');
    expect(await start().end).toBe('gone');
  });
});

describe('createReader: pacing', () => {
  /** Runs a reader on a clock that the test moves, until it waits. */
  async function idle(options: Partial<ReaderOptions> = {}) {
    const clock = createTestClock();
    const started = start({ clock, ...options });
    const waiting = () => until(() => expect(clock.waiting).toBe(1));
    await waiting();
    const polls = () => requests('GetRecords');
    return { ...started, clock, waiting, polls };
  }

  it('pacing: an idle reader polls three or four times a second', async () => {
    const { clock, waiting, polls } = await idle();
    for (let ms = 0; ms < 1_000; ms += 10) {
      clock.advance(10);
      await waiting();
    }
    const before = polls();
    for (let ms = 0; ms < 10_000; ms += 10) {
      clock.advance(10);
      await waiting();
    }
    expect(polls() - before).toBeLessThanOrEqual(40);
    expect(polls() - before).toBeGreaterThanOrEqual(30);
  });

  // DynamoDB Local's stream is some milliseconds behind its table, and these clocks do not move by themselves.
  it.skipIf(onDynamoDbLocal)('wake: ends a wait at once', async () => {
    const { reader, handled, polls, waiting } = await idle();
    const before = polls();
    await put(1);
    reader.wake();
    await until(() => expect(handled).toHaveLength(1));
    await waiting();
    // Nothing was written by then, so there is no reason for another poll.
    expect(polls() - before).toBe(1);
  });

  it('wake: any number of wakes during a poll cause one more poll', async () => {
    const { reader, polls, waiting } = await idle();
    const before = polls();
    let wakes = 3;
    proxy.onRequest('GetRecords', () => {
      for (; wakes > 0; wakes--) reader.wake();
    });
    reader.wake();
    await until(() => expect(polls() - before).toBe(2));
    await waiting();
    expect(polls() - before).toBe(2);
  });

  it.skipIf(onDynamoDbLocal)('pacing: the consumer’s own records leave the reader idle', async () => {
    const { reader, clock, waiting, polls } = await idle();
    for (let ms = 0; ms < 1_000; ms += 10) {
      clock.advance(10);
      await waiting();
    }
    const before = polls();
    await db.dynamo.put({ ...keys.shard('s', 'x'), v: 1, counter: 1 });
    clock.advance(250);
    await until(() => expect(reader.records).toBe(1));
    await waiting();
    clock.advance(249);
    expect(polls() - before).toBe(1);
    expect(reader.changes).toBe(0);
    // Its position still moves, and the next renewal saves it.
    expect(reader.position).toBeDefined();
  });

  it.skipIf(onDynamoDbLocal)('pacing: polls are more frequent after a change', async () => {
    const { reader, clock, handled, polls, waiting } = await idle();
    for (let ms = 0; ms < 1_000; ms += 10) {
      clock.advance(10);
      await waiting();
    }
    await put(1);
    reader.wake();
    await until(() => expect(handled).toHaveLength(1));
    await waiting();
    const before = polls();
    clock.advance(emulatorPacing.busyMs);
    await until(() => expect(polls() - before).toBe(1));
  });

  it('awsPacing: at most five polls a second, also with wakes', async () => {
    const { reader, clock, polls, waiting } = await idle({ pacing: awsPacing });
    const before = polls();
    for (let ms = 0; ms < 2_000; ms += 10) {
      reader.wake();
      clock.advance(10);
      await waiting();
    }
    expect(polls() - before).toBeLessThanOrEqual(10);
  });
});

describe('createReader: errors', () => {
  it('errors: an expired iterator is replaced, and no record is lost or repeated', async () => {
    for (const n of upTo(3)) await put(n);
    const { handled } = start();
    await until(() => expect(handled).toHaveLength(3));
    proxy.fail('GetRecords', 'ExpiredIteratorException');
    for (const n of [4, 5]) await put(n);
    await until(() => expect(numbers(handled)).toEqual(upTo(5)));
  });

  it('errors: throttling, faults and lost connections are retried, and logged once', async () => {
    const { log, lines } = createTestLog();
    const handled: Change[] = [];
    let failing = 0;
    proxy.onRequest('GetRecords', () => {
      if (failing > 0 && --failing === 0) proxy.mode = 'refuse';
    });
    /** The errors begin and end after a poll that worked, because on a busy machine other polls may fail as well. */
    async function handle(changes: readonly Change[]): Promise<void> {
      handled.push(...changes);
      if (handled.length > 1) return stop.abort();
      await put(2);
      lines.length = 0;
      proxy.fail('GetRecords', 'LimitExceededException', 4);
      proxy.fail('GetRecords', 'InternalServerError', 4);
      failing = 8;
    }
    const { reader, end } = start({ log, handle });
    await put(1);
    await until(() => expect(proxy.mode).toBe('refuse'));
    const before = proxy.count('GetShardIterator');
    await until(() => expect(proxy.count('GetShardIterator')).toBeGreaterThan(before + 5));
    proxy.mode = 'pass';
    expect(await end).toBe('stopped');
    expect(numbers(handled)).toEqual([1, 2]);
    expect(reader.reachable).toBe(true);
    expect(lines.map(({ level }) => level)).toEqual(['warn', 'info']);
  });

  it('errors: a request without an answer is given up and repeated', async () => {
    // Less than tests usually have, because it passes in full.
    const timeouts = { attemptMs: 500, callMs: 1_000 };
    const impatient = connect({ endpoint: proxy.endpoint, via: dynamodbClient, timeouts });
    onTestFinished(() => impatient.destroy());
    const { handled, reader } = start({ streams: impatient.streams });
    await until(() => expect(reader.polledAt).toBeDefined());
    proxy.mode = 'silent';
    await until(() => expect(reader.reachable).toBe(false));
    await put(1);
    proxy.mode = 'pass';
    await until(() => expect(handled).toHaveLength(1));
  });

  it('errors: a first read that is refused as trimmed (DynamoDB Local may do so) needs no rebuild', async () => {
    proxy.fail('GetRecords', 'TrimmedDataAccessException');
    await put(1);
    const { handled } = start();
    await until(() => expect(handled).toHaveLength(1));
  });

  it.each(['GetRecords', 'GetShardIterator'] as const)(
    'errors: a trimmed checkpoint (reported by %s) starts the rebuild, then reading from the oldest record',
    async (operation) => {
      for (const n of upTo(3)) await put(n);
      const before = start();
      await until(() => expect(before.handled).toHaveLength(3));
      stop.abort();
      await before.end;
      stop = new AbortController();
      proxy.fail(operation, 'TrimmedDataAccessException', 3);
      const order: string[] = [];
      const { handled, reader } = start({
        checkpoint: before.handled[1]?.sequence,
        clock: hastyClock,
        handle: async (changes) => {
          order.push(...numbers(changes).map(String));
        },
        onTrimmed: async () => {
          expect(reader.position).toBe(before.handled[1]?.sequence);
          order.push('rebuild');
        },
      });
      await until(() => expect(order).toEqual(['rebuild', '1', '2', '3']));
      expect(handled).toEqual([]);
    },
  );
});
