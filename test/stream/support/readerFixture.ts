import { afterEach, beforeEach } from 'vitest';
import type { Connection } from '../../../src/dynamo/connect.ts';
import type { StreamOperation } from '../../../src/dynamo/transport/streams.ts';
import type { Change } from '../../../src/stream/change.ts';
import {
  createReader,
  emulatorPacing,
  type Reader,
  type ReaderEnd,
  type ReaderOptions,
} from '../../../src/stream/reader.ts';
import { listShards } from '../../../src/stream/shards.ts';
import { connectTo, openTestDynamo, type TestDynamo } from '../../support/database/dynamo.ts';
import { hastyClock } from '../../support/time/clock.ts';
import { type FaultProxy, startFaultProxy } from './faultProxy.ts';
import { countingStreams } from './requests.ts';
import { rootKey, silent } from './stream.ts';

export interface Started {
  readonly reader: Reader;
  readonly end: Promise<ReaderEnd>;
  /** The changes that `handle` got, unless the test has its own. */
  readonly handled: Change[];
}

/** A new table for each test, and a proxy through which readers use its stream. */
export interface ReaderFixture {
  readonly db: TestDynamo;
  readonly proxy: FaultProxy;
  /** How many requests of this kind the readers have sent. */
  requests(operation: StreamOperation): number;
  /** Starts a reader of the stream's only shard. It is stopped at the end of the test. */
  start(options?: Partial<ReaderOptions>): Started;
  /** Stops the readers that were started until now. */
  stop(): void;
  /** Writes root number `n`, which is a change to be handled. */
  put(n: number): Promise<void>;
}

/** To be called once in a file, outside its tests. */
export function useReaderFixture(): ReaderFixture {
  let db: TestDynamo;
  let proxy: FaultProxy;
  let connection: Connection;
  let counted: ReturnType<typeof countingStreams>;
  let shard: string;
  let stopping: AbortController;
  let running: Array<Promise<unknown>>;

  beforeEach(async () => {
    db = await openTestDynamo();
    proxy = await startFaultProxy(db.endpoint);
    connection = connectTo(proxy.endpoint);
    counted = countingStreams(connection.streams);
    shard = (await listShards(db.streams, db.streamArn))[0]?.id ?? '';
    stopping = new AbortController();
    running = [];
  });

  afterEach(async () => {
    stopping.abort();
    await Promise.all(running);
    connection.destroy();
    await proxy.stop();
    await db.stop();
  });

  return {
    get db() {
      return db;
    },
    get proxy() {
      return proxy;
    },
    requests: (operation) => counted.count(operation),
    start(options = {}) {
      const handled: Change[] = [];
      const reader = createReader({
        streams: counted.streams,
        streamArn: db.streamArn,
        shard,
        checkpoint: undefined,
        pacing: emulatorPacing,
        clock: hastyClock,
        log: silent,
        handle: async (changes) => {
          handled.push(...changes);
        },
        onTrimmed: () => Promise.reject(new Error('No rebuild was expected.')),
        ...options,
      });
      const end = reader.run(stopping.signal);
      running.push(end.catch(() => {}));
      return { reader, end, handled };
    },
    stop() {
      stopping.abort();
      stopping = new AbortController();
    },
    put: (n) => db.dynamo.put({ ...rootKey('r', n), v: 1, n }),
  };
}
