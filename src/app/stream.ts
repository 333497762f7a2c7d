import { type Bus, wakeTopic } from '../bus/bus.ts';
import type { Publisher } from '../bus/publisher.ts';
import type { Config } from '../config.ts';
import { inTime, systemClock } from '../core/clock.ts';
import { defined } from '../core/defined.ts';
import { every } from '../core/every.ts';
import type { Log } from '../core/log.ts';
import { LOG_EVENTS } from '../core/logEvents.ts';
import type { Metrics } from '../core/metrics.ts';
import type { Tracer } from '../core/trace.ts';
import type { Channels } from '../delivery/channels/channels.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Metering } from '../dynamo/metering.ts';
import { type Consumer, createConsumer } from '../stream/consumer.ts';
import { createDeadLetters } from '../stream/deadLetters.ts';
import { createDispatcher, type Dispatcher } from '../stream/dispatcher.ts';
import { awsPacing, emulatorPacing } from '../stream/reader.ts';
import { streamLabel } from '../stream/records.ts';
import type { TimerHost } from '../timers/host.ts';
import type { Database } from './database.ts';
import { createExpiry } from './expiry.ts';
import { createDerivations, type Derivations } from './features.ts';
import { createRebuild } from './rebuild.ts';
import { createTimers } from './timers.ts';

export interface CoreGroupOptions {
  readonly config: Pick<Config, 'notificationRetention' | 'publicUrl' | 'deliveryWindows' | 'rateLimits'>;
  readonly channels: Channels;
  readonly dynamo: Dynamo;
  readonly publisher: Publisher;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly tracer?: Tracer;
  /** The origin of links to the web client. Default: the one of the configuration. */
  readonly publicUrl?: () => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** See `DerivationOptions`. */
  readonly putOffMs?: number;
  /** See `TableReaderOptions`. */
  readonly tableInUse?: () => string;
}

export interface CoreGroup extends Derivations {
  readonly dispatcher: Dispatcher;
}

/** The core group: everything that the features derive, the same in every host. Once per process. */
export function createCoreGroup(options: CoreGroupOptions): CoreGroup {
  const { config, channels, dynamo, publisher, log, metrics, now } = options;
  const deadLetter = createDeadLetters({ dynamo, now });
  const derivations = createDerivations({
    dynamo,
    publisher,
    now,
    retention: config.notificationRetention,
    tableInUse: options.tableInUse,
    channels,
    ...defined({ putOffMs: options.putOffMs }),
    deliveryWindows: config.deliveryWindows,
    rateLimits: config.rateLimits,
    onDecision: ({ kinds, outcome, acts }) => {
      for (const kind of kinds) metrics.deliveries.inc({ kind, outcome });
      if (acts > 0) metrics.deliveryActs.observe(acts);
    },
    // Without it, links are relative to the page that shows them.
    publicUrl: options.publicUrl ?? (() => config.publicUrl ?? ''),
    onSendEnd: (channel, outcome) => {
      metrics.sends.inc({ channel, outcome });
      if (outcome === 'FAILED') log.warn({ event: LOG_EVENTS.deliveryFailed, channel }, 'A delivery failed');
    },
    onNotification: (kind) => metrics.notifications.inc({ kind }),
    onJobEnded: (kind, state) => metrics.jobsEnded.inc({ kind, state }),
    onConversion(read, converted) {
      metrics.reshapeRead.inc(read);
      metrics.reshapeConverted.inc(converted);
    },
  });
  const dispatcher = createDispatcher({
    handlers: derivations.handlers,
    log,
    tracer: options.tracer,
    deadLetter: async (change, handler, error) => {
      await deadLetter(change, handler, error);
      metrics.streamRecords.inc({ outcome: 'set_aside' });
    },
    onHandled: (_handler, changes) => metrics.streamRecords.inc({ outcome: 'handled' }, changes),
  });
  return { ...derivations, dispatcher };
}

export type StreamDatabase = Pick<Database, 'streams' | 'streamArn' | 'serverClock' | 'embedded'>;

export interface StreamConsumerOptions extends CoreGroupOptions {
  readonly config: Config;
  readonly database: StreamDatabase;
  readonly bus: Bus;
  /** Meters the requests for leases. */
  readonly metering: Metering;
  /** Wraps the dispatcher of the core group. */
  readonly wrapDispatcher?: (dispatcher: Dispatcher) => Dispatcher;
  /** See `TimerHostOptions`. */
  readonly timersMs?: number;
  /** See `TimersOptions`. */
  readonly upkeepMs?: number;
}

export interface StreamConsumer {
  /** The one that reads now, or has read last. */
  readonly consumer: Consumer;
  readonly timers: TimerHost;
  start(): Promise<void>;
  /** Stops reading. Timers go on. */
  pause(): Promise<void>;
  /** Reads again: the stream of this database. Without effect after `stop`. */
  resume(database: StreamDatabase): Promise<void>;
  /** Stops both at the same time. Calls after the first wait for the same end. */
  stop(): Promise<void>;
}

/** For how long handlers put off what only saves work. Milliseconds. */
const PUT_OFF_MS = 2_000;
/** How long a stop waits for what was put off. Milliseconds. */
const FINISH_MS = 1_000;

/** How often the embedded database may delete stream records that were read. Usually there are none. */
const TRIM_EVERY_MS = 2_000;

/** The stream consumer with everything that the features derive. */
export function createStreamConsumer(options: StreamConsumerOptions): StreamConsumer {
  const { config, dynamo, bus, publisher, log, metrics, metering, now } = options;
  const { wrapDispatcher = (dispatcher) => dispatcher } = options;
  let { database } = options;
  const { embedded } = database;
  const { dispatcher, ...derivations } = createCoreGroup({
    putOffMs: PUT_OFF_MS,
    ...options,
    tableInUse: () => streamLabel(database.streamArn),
  });
  const wrapped = wrapDispatcher(dispatcher);
  const onTrimmed = createRebuild({ dynamo, derivations, publisher, log });
  const consumerOf = ({ streams, streamArn }: StreamDatabase): Consumer =>
    createConsumer({
      streams,
      streamArn,
      dynamo,
      metering,
      log,
      onTrimmed,
      dispatcher: wrapped,
      pacing: config.dynamodb.kind === 'aws' ? awsPacing : emulatorPacing,
      alone: embedded !== undefined,
      onStart: async () => publisher.resync('A stream consumer has started'),
    });
  let consumer = consumerOf(database);
  // AWS deletes expired items by itself.
  const expiry = config.dynamodb.kind === 'aws' ? undefined : createExpiry({ dynamo, now });
  const timers = createTimers({
    dynamo,
    bus,
    log,
    metrics,
    metering,
    now,
    upkeep: derivations.upkeep,
    serverClock: { offset: () => database.serverClock.offset() },
    kinds: [...derivations.timerKinds, ...(expiry === undefined ? [] : [expiry.kind])],
    alone: embedded !== undefined,
    everyMs: options.timersMs,
    upkeepMs: options.upkeepMs,
    tracer: options.tracer,
  });
  metrics.watched.streamLag = () => consumer.state().lagMs / 1_000;
  metrics.watched.timers = () => {
    const { active, running, waiting, overdue, overdueMs } = timers.state();
    return active ? { open: running + waiting, overdue, oldestSeconds: overdueMs / 1_000 } : undefined;
  };
  let stops: Array<() => Promise<void> | void> = [];
  let stopping: Promise<void> | undefined;

  /** A handler that hangs holds up neither the leases of the shards nor the end of the rest. */
  async function stop(): Promise<void> {
    const parts = [timers.stop, stopConsumer, ...stops].map(async (end) => end());
    const failed = (await Promise.allSettled(parts)).find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
  }

  /** Waits only a moment for what was put off, because it may be lost. */
  async function stopConsumer(): Promise<void> {
    await consumer.stop();
    await inTime(systemClock, FINISH_MS, derivations.finish(), undefined).catch(() => {});
  }

  async function trim(): Promise<void> {
    const checkpoint = consumer.checkpoint();
    if (checkpoint !== undefined) await embedded?.trim({ streamArn: database.streamArn, checkpoint });
  }

  return {
    get consumer() {
      return consumer;
    },
    timers,
    pause: () => consumer.stop(),
    async resume(next) {
      database = next;
      if (stopping !== undefined) return;
      consumer = consumerOf(next);
      await consumer.start();
    },
    async start() {
      stops = [await bus.subscribe(wakeTopic, () => consumer.wake())];
      await consumer.start();
      if (embedded !== undefined) stops.push(every(TRIM_EVERY_MS, trim));
      await expiry?.start();
      await timers.start();
    },
    stop() {
      stopping ??= stop();
      return stopping;
    },
  };
}
