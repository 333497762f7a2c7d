import { type Bus, wakeTopic } from '../bus/bus.ts';
import type { Publisher } from '../bus/publisher.ts';
import type { Config } from '../config.ts';
import type { Log } from '../core/log.ts';
import type { Metrics } from '../core/metrics.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { type Consumer, createConsumer } from '../stream/consumer.ts';
import type { Dispatcher } from '../stream/dispatcher.ts';
import { awsPacing, emulatorPacing } from '../stream/reader.ts';
import type { Database } from './database.ts';
import { createDispatching } from './dispatcher.ts';
import { createRepair } from './rebuild.ts';

export interface ConsumingOptions {
  readonly config: Config;
  readonly database: Database;
  readonly dynamo: Dynamo;
  readonly bus: Bus;
  readonly publisher: Publisher;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Stands between the stream and its handlers. */
  readonly dispatching?: (dispatcher: Dispatcher) => Dispatcher;
}

export interface Consuming {
  readonly consumer: Consumer;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** How often the embedded database is told how far its stream has been read; most of the times it costs nothing. */
const TIDY_EVERY_MS = 2_000;

/** The stream consumer with everything that the features derive. */
export function createConsuming({
  config,
  database,
  dynamo,
  bus,
  publisher,
  log,
  metrics,
  now,
  dispatching = (dispatcher) => dispatcher,
}: ConsumingOptions): Consuming {
  const { embedded, streams, streamArn } = database;
  const dispatcher = createDispatching({ config, dynamo, publisher, log, metrics, now });
  const consumer = createConsumer({
    streams,
    dynamo,
    streamArn,
    dispatcher: dispatching(dispatcher),
    log,
    pacing: config.dynamodb.kind === 'aws' ? awsPacing : emulatorPacing,
    alone: embedded !== undefined,
    onStart: async () => publisher.resync('A stream consumer has started'),
    onTrimmed: createRepair({ dynamo, publisher, log, retention: config.notificationRetention, now }),
  });
  let tidying: NodeJS.Timeout | undefined;
  let unsubscribe = () => {};

  function tidy(): void {
    const readTo = consumer.checkpoint();
    if (readTo !== undefined) void embedded?.tidy({ streamArn, readTo });
  }

  return {
    consumer,
    async start() {
      unsubscribe = await bus.subscribe(wakeTopic, () => consumer.wake());
      await consumer.start();
      if (embedded !== undefined) tidying = setInterval(tidy, TIDY_EVERY_MS);
    },
    async stop() {
      clearInterval(tidying);
      unsubscribe();
      await consumer.stop();
    },
  };
}
