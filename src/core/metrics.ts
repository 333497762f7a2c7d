import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type OpenMetricsRegistry, TracedHistogram } from './tracedHistogram.ts';

export type Metrics = ReturnType<typeof createMetrics>;

export interface MetricsOptions {
  /** Also measure the process: CPU, memory, garbage collection, event loop lag. */
  readonly process?: boolean;
}

/** Seconds: from a cached read to a time that callers would call an outage. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Seconds: from the promise of a second or two to an outage of a day. */
const LATENESS = [0.1, 0.5, 1, 2, 5, 10, 60, 600, 3_600, 86_400];
const ACTS = [1, 2, 3, 5, 10, 30, 100, 300, 1_000];

/** Seconds of one call: few, because there is a histogram for each pattern. */
const CALLS = [0.005, 0.01, 0.025, 0.1, 0.5, 2.5];

export interface CacheSize {
  readonly entries: number;
  /** Of what it keeps, if it knows. In memory, objects take two to three times as much. */
  readonly bytes?: number;
}

/** How an operation reaches the server. */
const TRANSPORTS = ['http', 'sse', 'websocket'] as const;
export type Transport = (typeof TRANSPORTS)[number];

/** What is read only when `/metrics` is. */
export interface Watched {
  /** The caches of this process by name. */
  readonly caches: Map<string, () => CacheSize>;
  /** Whether the bus carries messages. */
  busUp?: () => boolean;
  /** How far the consumer is behind, in seconds. Undefined: this process has no consumer. */
  streamLag?: () => number;
  /** How far a copy of the table is behind, in seconds. Undefined: this process does not carry. */
  carryLag?: () => number;
  /** The shape of the table that is in force. */
  shape?: () => number;
  /** Undefined: another process handles the timers. */
  timers?: () =>
    | { readonly open: number; readonly overdue: number; readonly oldestSeconds: number }
    | undefined;
}

/**
 * How often the delay of the event loop is measured. The default, 10 ms, wakes an idle process 100 times a second:
 * half of the CPU that an idle server takes.
 */
const LOOP_MS = 50;

/**
 * All metrics of the program, in a registry of its own, so that two servers in one process (as in tests) do not add
 * up. Every label has a small, fixed set of values; none comes from a client.
 */
export function createMetrics({ process: ofTheProcess = false }: MetricsOptions = {}) {
  const registry = new Registry();
  const registers = [registry];
  const openMetrics: OpenMetricsRegistry = new Registry();
  openMetrics.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  const both = { registry, openMetrics };
  const watched: Watched = { caches: new Map() };
  watch(registers, watched);
  if (ofTheProcess) collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_MS });
  const metrics = {
    /** `registry.metrics()` is the text that `/metrics` returns. */
    registry,
    /** The same metrics with their exemplars, in the format that has them. */
    openMetrics,
    watched,
    /** `code` is OK or that of the first error. A subscription is counted when it starts or is refused. */
    operations: new Counter({
      name: 'tsudoi_operations_total',
      help: 'GraphQL operations.',
      labelNames: ['transport', 'type', 'code'] as const,
      registers,
    }),
    /** For a subscription: the time until its first event can be sent. */
    operationSeconds: new TracedHistogram({
      name: 'tsudoi_operation_seconds',
      help: 'How long GraphQL operations took.',
      labelNames: ['transport', 'type'] as const,
      buckets: SECONDS,
      ...both,
    }),
    openSockets: new Gauge({ name: 'tsudoi_open_sockets', help: 'Open websockets.', registers }),
    openSubscriptions: new Gauge({
      name: 'tsudoi_open_subscriptions',
      help: 'Open GraphQL subscriptions.',
      registers,
    }),
    /** `outcome`: handled or set_aside. */
    streamRecords: new Counter({
      name: 'tsudoi_stream_records_total',
      help: 'Stream records by outcome.',
      labelNames: ['outcome'] as const,
      registers,
    }),
    /** `kind`: the name of a `TimerKind`. `outcome`: handled, retried or failed. */
    timers: new Counter({
      name: 'tsudoi_timers_total',
      help: 'Timers that were due, by outcome.',
      labelNames: ['kind', 'outcome'] as const,
      registers,
    }),
    timerLatenessSeconds: new Histogram({
      name: 'tsudoi_timer_lateness_seconds',
      help: 'How long after its due time a timer ran.',
      buckets: LATENESS,
      registers,
    }),
    /** `state`: QUEUED, RUNNING, PAUSED or FAILED. Set by the process that handles the timers. */
    jobs: new Gauge({
      name: 'tsudoi_jobs',
      help: 'Jobs by state, at most 1,000 of each.',
      labelNames: ['state'] as const,
      registers,
    }),
    oldestJobSeconds: new Gauge({
      name: 'tsudoi_oldest_job_seconds',
      help: 'How long ago the oldest open job was created.',
      registers,
    }),
    /** `kind`: the name of a kind of jobs. `state`: DONE or FAILED. */
    jobsEnded: new Counter({
      name: 'tsudoi_jobs_ended_total',
      help: 'Jobs that have ended.',
      labelNames: ['kind', 'state'] as const,
      registers,
    }),
    /** `kind` and `outcome`: `DeliveryKind` and `DeliveryOutcome` of the API. `PENDING`: it is sent. */
    deliveries: new Counter({
      name: 'tsudoi_deliveries_total',
      help: 'Decisions whether something is sent outside the page, by outcome.',
      labelNames: ['kind', 'outcome'] as const,
      registers,
    }),
    deliveryActs: new Histogram({
      name: 'tsudoi_delivery_acts',
      help: 'What is new in a delivery that is sent: people who did something with a message, or messages of a room.',
      buckets: ACTS,
      registers,
    }),
    /** `channel` and `outcome`: `DeliveryChannel` and `DeliveryOutcome` of the API. */
    sends: new Counter({
      name: 'tsudoi_delivery_sends_total',
      help: 'Sends to browsers and other receivers that have ended, by outcome.',
      labelNames: ['channel', 'outcome'] as const,
      registers,
    }),
    reshapeRead: new Counter({
      name: 'tsudoi_reshape_items_read_total',
      help: 'Items that this process has read to convert them to another shape.',
      registers,
    }),
    reshapeConverted: new Counter({
      name: 'tsudoi_reshape_groups_converted_total',
      help: 'Groups of items that this process has converted to another shape.',
      registers,
    }),
    publishFailures: new Counter({
      name: 'tsudoi_publish_failures_total',
      help: 'Messages that the bus did not accept in time.',
      registers,
    }),
    resyncs: new Counter({
      name: 'tsudoi_resyncs_total',
      help: 'Resyncs, in which open subscriptions read their state again.',
      registers,
    }),
    /** The label is `act`, which dashboards use: an action, as `RATE_LIMITS` names it. */
    rateLimited: new Counter({
      name: 'tsudoi_rate_limited_total',
      help: 'Requests that were refused by a rate limit.',
      labelNames: ['act'] as const,
      registers,
    }),
    badgePushes: new Counter({
      name: 'tsudoi_badge_pushes_total',
      help: 'Unread updates sent to readers.',
      registers,
    }),
    /** `kind`: the `NotificationKind` of the API. */
    notifications: new Counter({
      name: 'tsudoi_notifications_total',
      help: 'Notifications that were created or changed.',
      labelNames: ['kind'] as const,
      registers,
    }),
    notificationPushes: new Counter({
      name: 'tsudoi_notification_pushes_total',
      help: 'Notification updates sent to readers.',
      registers,
    }),
    /** The first reader on this server, of each message. By the clock of the server that the message was sent to. */
    messageLagSeconds: new TracedHistogram({
      name: 'tsudoi_message_lag_seconds',
      help: 'From the time of a message until it was sent to the first of its readers on this server.',
      buckets: SECONDS,
      ...both,
    }),
    /** `reason`: stalled (did not read), silent (did not respond to pings) or behind (has to read the room again). */
    droppedReaders: new Counter({
      name: 'tsudoi_dropped_readers_total',
      help: 'Readers who were cut off, or left behind, because they were too slow.',
      labelNames: ['reason'] as const,
      registers,
    }),
    /** `pattern`: see `Work`. */
    dynamoReadUnits: new Counter({
      name: 'tsudoi_dynamodb_read_units_total',
      help: 'Read units that DynamoDB charged.',
      labelNames: ['pattern', 'operation'] as const,
      registers,
    }),
    dynamoWriteUnits: new Counter({
      name: 'tsudoi_dynamodb_write_units_total',
      help: 'Write units that DynamoDB charged.',
      labelNames: ['pattern', 'operation'] as const,
      registers,
    }),
    /** Its count is the number of calls. */
    dynamoSeconds: new TracedHistogram({
      name: 'tsudoi_dynamodb_call_seconds',
      help: 'How long calls of DynamoDB took, with all their attempts and the wait for a connection.',
      labelNames: ['pattern'] as const,
      buckets: CALLS,
      ...both,
    }),
    /**
     * `reason`: outage (see `FailedCall`), or refused: a condition did not hold, or another write was in the way, which
     * is normal.
     */
    dynamoFailures: new Counter({
      name: 'tsudoi_dynamodb_failures_total',
      help: 'Calls of DynamoDB that did not succeed.',
      labelNames: ['pattern', 'reason'] as const,
      registers,
    }),
  };
  for (const metric of registry.getMetricsAsArray()) addTo(openMetrics, metric);
  beginAtZero(metrics);
  return metrics;
}

/**
 * For Prometheus a series that begins with 1 has not risen, so the first failure would set off no alert. These are of the
 * alerts that one failure sets off; those of timers begin in app/timers.ts, which knows their kinds.
 */
function beginAtZero({
  operations,
  streamRecords,
  rateLimited,
}: Pick<Metrics, 'operations' | 'streamRecords' | 'rateLimited'>) {
  for (const transport of TRANSPORTS)
    for (const type of ['query', 'mutation', 'subscription', 'unknown'])
      operations.inc({ transport, type, code: 'INTERNAL' }, 0);
  streamRecords.inc({ outcome: 'set_aside' }, 0);
  rateLimited.inc({ act: 'memory' }, 0);
}

/**
 * A counter is added as an object that only shares its values: OpenMetrics takes `_total` off the names of counters,
 * and the package does that to the counter itself, whose name in the plain format would change at the first scrape.
 */
function addTo(openMetrics: OpenMetricsRegistry, metric: object): void {
  openMetrics.registerMetric(metric instanceof Counter ? Object.create(metric) : metric);
}

/** Gauges that are read when `/metrics` is. */
function watch(registers: Registry[], watched: Watched): void {
  const gauge = (name: string, help: string, value: () => number | undefined) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        const current = value();
        // `reset` would set it to 0, and an alert for its absence would never ring.
        if (current === undefined) this.remove();
        else this.set(current);
      },
    });
  gauge('tsudoi_bus_up', '1 if the bus carries messages, otherwise 0.', () =>
    Number(watched.busUp?.() ?? false),
  );
  gauge('tsudoi_stream_lag_seconds', 'The age of the oldest change that the consumer has not handled.', () =>
    watched.streamLag?.(),
  );
  gauge(
    'tsudoi_carry_lag_seconds',
    'The age of the oldest change of the table that was read and is not in its copy.',
    () => watched.carryLag?.(),
  );
  gauge('tsudoi_table_shape', 'The shape of the table that this process writes.', () => watched.shape?.());
  gauge(
    'tsudoi_timers_open',
    'Timers that were read and are not handled: those of the next seconds, and those that are late.',
    () => watched.timers?.()?.open,
  );
  gauge('tsudoi_timers_overdue', 'Those of them that are due.', () => watched.timers?.()?.overdue);
  gauge(
    'tsudoi_oldest_timer_seconds',
    'How long the oldest one has been due.',
    () => watched.timers?.()?.oldestSeconds,
  );
  const ofCaches = (name: string, help: string, value: (size: CacheSize) => number | undefined) =>
    new Gauge({
      name,
      help,
      registers,
      labelNames: ['cache'] as const,
      collect() {
        for (const [cache, size] of watched.caches) this.set({ cache }, value(size()) ?? 0);
      },
    });
  ofCaches('tsudoi_cache_entries', 'Entries of a cache.', ({ entries }) => entries);
  ofCaches('tsudoi_cache_bytes', 'What a cache keeps, if it knows; otherwise 0.', ({ bytes }) => bytes);
}
