import { type Bus, wakeTopic } from '../bus/bus.ts';
import type { Publisher } from '../bus/publisher.ts';
import type { Config } from '../config.ts';
import type { Log } from '../core/log.ts';
import type { Metrics } from '../core/metrics.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { createJobs } from '../jobs/jobs.ts';
import { type Consumer, createConsumer } from '../stream/consumer.ts';
import { createDeadLetters } from '../stream/deadLetters.ts';
import { createDispatcher, type Dispatcher } from '../stream/dispatcher.ts';
import { createHealth } from '../stream/log.ts';
import { awsPacing, emulatorPacing } from '../stream/reader.ts';
import type { Database } from './database.ts';
import { createRebuild } from './rebuild.ts';
import { createStreamHandlers } from './services.ts';

export interface AppDispatcherOptions {
  readonly dynamo: Dynamo;
  readonly publisher: Publisher;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly config: Pick<Config, 'notificationRetention'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The dispatcher of the core group: everything that the features derive, the same in every host. */
export function createAppDispatcher(options: AppDispatcherOptions): Dispatcher {
  const { dynamo, publisher, log, metrics, config, now } = options;
  const { notificationRetention: retention } = config;
  const deadLetter = createDeadLetters({ dynamo, now });
  return createDispatcher({
    handlers: createStreamHandlers({
      ...{ dynamo, publisher, retention, now },
      onNotification: (kind) => metrics.notifications.inc({ kind }),
    }),
    log,
    deadLetter: async (change, handler, error) => {
      await deadLetter(change, handler, error);
      metrics.streamRecords.inc({ outcome: 'set_aside' });
    },
    onHandled: (_handler, changes) => metrics.streamRecords.inc({ outcome: 'handled' }, changes),
  });
}

export interface StreamConsumerOptions {
  readonly config: Config;
  readonly database: Database;
  readonly dynamo: Dynamo;
  readonly bus: Bus;
  readonly publisher: Publisher;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Wraps the dispatcher of the core group. */
  readonly wrapDispatcher?: (dispatcher: Dispatcher) => Dispatcher;
}

export interface StreamConsumer {
  readonly consumer: Consumer;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** How often the embedded database may delete stream records that were read. Most times it does nothing. */
const TRIM_EVERY_MS = 2_000;

/** How often the jobs are started whose time has come. */
const DUE_EVERY_MS = 2_000;

/** The stream consumer with everything that the features derive. */
export function createStreamConsumer(options: StreamConsumerOptions): StreamConsumer {
  const { config, database, dynamo, bus, publisher, log, metrics, now } = options;
  const { wrapDispatcher = (dispatcher) => dispatcher } = options;
  const { embedded, streams, streamArn } = database;
  const dispatcher = createAppDispatcher({ config, dynamo, publisher, log, metrics, now });
  const consumer = createConsumer({
    streams,
    dynamo,
    streamArn,
    dispatcher: wrapDispatcher(dispatcher),
    log,
    pacing: config.dynamodb.kind === 'aws' ? awsPacing : emulatorPacing,
    alone: embedded !== undefined,
    onStart: async () => publisher.resync('A stream consumer has started'),
    onTrimmed: createRebuild({ dynamo, publisher, log, retention: config.notificationRetention, now }),
  });
  const jobs = createJobs({ dynamo, now });
  const waiting = createHealth(log, 'The list of waiting jobs');
  let trimTimer: NodeJS.Timeout | undefined;
  let dueTimer: NodeJS.Timeout | undefined;
  let startingDue: Promise<unknown> | undefined;
  let unsubscribe = () => {};

  function trim(): void {
    const readTo = consumer.checkpoint();
    if (readTo !== undefined) void embedded?.trim({ streamArn, readTo });
  }

  function startDue(): void {
    startingDue ??= jobs
      .startDue()
      .then(waiting.worked, waiting.failed)
      .finally(() => {
        startingDue = undefined;
      });
  }

  return {
    consumer,
    async start() {
      unsubscribe = await bus.subscribe(wakeTopic, () => consumer.wake());
      await consumer.start();
      if (embedded !== undefined) trimTimer = setInterval(trim, TRIM_EVERY_MS);
      dueTimer = setInterval(startDue, DUE_EVERY_MS);
    },
    async stop() {
      clearInterval(trimTimer);
      clearInterval(dueTimer);
      await startingDue;
      unsubscribe();
      await consumer.stop();
    },
  };
}
