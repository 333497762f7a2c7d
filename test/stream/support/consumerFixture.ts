import { afterEach, beforeEach } from 'vitest';
import type { Connection } from '../../../src/dynamo/connect.ts';
import { createDynamo, type Dynamo } from '../../../src/dynamo/dynamo.ts';
import type { Item } from '../../../src/dynamo/item.ts';
import { keys } from '../../../src/dynamo/keys.ts';
import type { Streams } from '../../../src/dynamo/transport/streams.ts';
import type { Change, StreamHandler } from '../../../src/stream/change.ts';
import { type Consumer, type ConsumerOptions, createConsumer } from '../../../src/stream/consumer.ts';
import { createDeadLetters } from '../../../src/stream/deadLetters.ts';
import { createDispatcher } from '../../../src/stream/dispatcher.ts';
import { compareSequences, streamLabel } from '../../../src/stream/records.ts';
import { listShards } from '../../../src/stream/shards.ts';
import { connectTo, openTestDynamo, type TestDynamo, testTimeouts } from '../../support/database/dynamo.ts';
import { eventually } from '../../support/time/eventually.ts';
import { type FaultProxy, startFaultProxy } from './faultProxy.ts';
import { counting, countingStreams } from './requests.ts';
import { rootKey, silent } from './stream.ts';

/** About a hundred times faster than in production. */
export const FAST = { saveMs: 10, renewMs: 30, lostAfterMs: 150, discoverMs: 150 };

export type Setup = Partial<ConsumerOptions> & {
  readonly handlers?: readonly StreamHandler[];
  readonly graceMs?: number;
};

/** A new table for each test, and a proxy through which consumers use it. */
export interface ConsumerFixture {
  readonly db: TestDynamo;
  readonly proxy: FaultProxy;
  /** Uses the proxy. */
  readonly dynamo: Dynamo;
  /** The numbers of polls and of writes of leases. */
  readonly requests: { polls(): number; writes(): number };
  /** The stream's label. */
  readonly label: string;
  /** The stream's only shard. */
  readonly shard: string;
  /** The consumer is stopped at the end of the test. */
  create(setup?: Setup): Consumer;
  started(setup?: Setup): Promise<Consumer>;
  /** Writes root number `n`, which is a change to be handled. */
  put(n: number): Promise<void>;
  lease(shard?: string): Promise<Item | undefined>;
}

/** To be called once in a file, outside its tests. */
export function useConsumerFixture(): ConsumerFixture {
  let db: TestDynamo;
  let proxy: FaultProxy;
  let connection: Connection;
  let dynamo: Dynamo;
  let streams: Streams;
  let requests: ConsumerFixture['requests'];
  let label: string;
  let shard: string;
  let consumers: Consumer[];

  beforeEach(async () => {
    db = await openTestDynamo();
    proxy = await startFaultProxy(db.endpoint);
    connection = connectTo(proxy.endpoint);
    const read = countingStreams(connection.streams);
    streams = read.streams;
    const { transport, count } = counting(connection.transport);
    requests = { polls: () => read.count('GetRecords'), writes: () => count('UpdateItem') };
    dynamo = createDynamo({ transport, table: db.table, timeouts: testTimeouts });
    label = streamLabel(db.streamArn);
    shard = (await listShards(db.streams, db.streamArn))[0]?.id ?? '';
    consumers = [];
  });

  afterEach(async () => {
    proxy.mode = 'pass';
    await Promise.all(consumers.map((consumer) => consumer.stop()));
    connection.destroy();
    await proxy.stop();
    await db.stop();
  });

  const fixture: ConsumerFixture = {
    get db() {
      return db;
    },
    get proxy() {
      return proxy;
    },
    get dynamo() {
      return dynamo;
    },
    get requests() {
      return requests;
    },
    get label() {
      return label;
    },
    get shard() {
      return shard;
    },
    create({ handlers = [], graceMs = 5_000, ...options } = {}) {
      const consumer = createConsumer({
        streams,
        dynamo,
        streamArn: db.streamArn,
        timing: FAST,
        log: silent,
        dispatcher: createDispatcher({
          handlers,
          log: options.log ?? silent,
          graceMs,
          deadLetter: createDeadLetters({ dynamo }),
        }),
        onTrimmed: () => Promise.reject(new Error('No rebuild was expected.')),
        ...options,
      });
      consumers.push(consumer);
      return consumer;
    },
    async started(setup) {
      const consumer = fixture.create(setup);
      await consumer.start();
      return consumer;
    },
    put: (n) => db.dynamo.put({ ...rootKey('r', n), v: 1, n }),
    lease: (id = shard) => db.dynamo.get(keys.shard(label, id)),
  };
  return fixture;
}

export const until = (condition: () => void | Promise<void>) => eventually(condition, 2);

export const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1);

/** Whether a checkpoint is at a change or after it. The consumer's own writes may have moved it further. */
export const covers = (checkpoint: unknown, change: Change | undefined) =>
  typeof checkpoint === 'string' &&
  change !== undefined &&
  compareSequences(checkpoint, change.sequence) >= 0;

export const owned = (consumer: Consumer) => consumer.state().shards.map((state) => state.shard);
