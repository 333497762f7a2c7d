import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export type Metrics = ReturnType<typeof createMetrics>;

export interface MetricsOptions {
  /** Also measure the process: CPU, memory, garbage collection, event loop lag. */
  readonly process?: boolean;
}

/** Seconds: from a cached read to a time that callers would call an outage. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Seconds: from the promise of a second or two to an outage of a day. */
const LATENESS = [0.1, 0.5, 1, 2, 5, 10, 60, 600, 3_600, 86_400];

/**
 * All metrics of the program, in a registry of its own, so that two servers in one process (as in tests) do not add
 * up. Every label has a small, fixed set of values; none comes from a client.
 */
export function createMetrics({ process: ofTheProcess = false }: MetricsOptions = {}) {
  const registry = new Registry();
  const registers = [registry];
  if (ofTheProcess) collectDefaultMetrics({ register: registry });
  return {
    /** `registry.metrics()` is the text that `/metrics` returns. */
    registry,
    /** `code` is OK or that of the first error. A subscription is counted when it starts or is refused. */
    operations: new Counter({
      name: 'tsudoi_operations_total',
      help: 'GraphQL operations.',
      labelNames: ['transport', 'type', 'code'] as const,
      registers,
    }),
    /** For a subscription: the time until its first event can be sent. */
    operationSeconds: new Histogram({
      name: 'tsudoi_operation_seconds',
      help: 'How long GraphQL operations took.',
      labelNames: ['transport', 'type'] as const,
      buckets: SECONDS,
      registers,
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
    /** `channel` and `outcome`: `DeliveryChannel` and `DeliveryOutcome` of the API. */
    sends: new Counter({
      name: 'tsudoi_delivery_sends_total',
      help: 'Sends to browsers and other receivers that have ended, by outcome.',
      labelNames: ['channel', 'outcome'] as const,
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
    dynamoReadUnits: new Counter({
      name: 'tsudoi_dynamodb_read_units_total',
      help: 'Read units that DynamoDB charged.',
      labelNames: ['operation'] as const,
      registers,
    }),
    dynamoWriteUnits: new Counter({
      name: 'tsudoi_dynamodb_write_units_total',
      help: 'Write units that DynamoDB charged.',
      labelNames: ['operation'] as const,
      registers,
    }),
  };
}
