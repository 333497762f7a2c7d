import type { Bus } from '../bus/bus.ts';
import { type Clock, systemClock } from '../core/clock.ts';
import { defined } from '../core/defined.ts';
import { every } from '../core/every.ts';
import type { Log } from '../core/log.ts';
import { LOG_EVENTS } from '../core/logEvents.ts';
import type { Metrics } from '../core/metrics.ts';
import type { Tracer } from '../core/trace.ts';
import { createDynamo, type Dynamo } from '../dynamo/dynamo.ts';
import type { Metering } from '../dynamo/metering.ts';
import type { ServerClock } from '../dynamo/serverClock.ts';
import { createJobControl } from '../jobs/control.ts';
import { createLeases, leaseOwner } from '../stream/leases.ts';
import { timersTopic } from '../timers/handlers.ts';
import { createTimerHost, TIMERS_LOST_AFTER_MS, TIMERS_STREAM, type TimerHost } from '../timers/host.ts';
import { createTimerRunner } from '../timers/runner.ts';
import type { Timer, TimerKind } from '../timers/timer.ts';

export interface TimersOptions {
  readonly dynamo: Dynamo;
  readonly bus: Bus;
  /** Starts work that an earlier release left. */
  readonly upkeep: () => Promise<void>;
  readonly kinds: readonly TimerKind[];
  readonly serverClock: Pick<ServerClock, 'offset'>;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** No other process handles the timers of this table: the embedded database. */
  readonly alone: boolean;
  readonly clock?: Clock;
  /** Meters the requests for the lease. */
  readonly metering?: Metering | undefined;
  readonly tracer?: Tracer | undefined;
  /** See `TimerHostOptions`. */
  readonly everyMs?: number | undefined;
  readonly restMs?: number | undefined;
  /** How often work is looked for that an earlier release left, and jobs are counted, in milliseconds. */
  readonly upkeepMs?: number | undefined;
}

const UPKEEP_EVERY_MS = 60_000;
const UNKNOWN = 'unknown';

export interface Timers extends TimerHost {
  /** Counts jobs for the metrics and the log, if this process handles the timers. Never rejects. */
  countJobs(): Promise<void>;
}

/** The timers of one process that reads the stream, or of one call of a function. */
export function createTimers(options: TimersOptions): Timers {
  const { dynamo, bus, upkeep, kinds, serverClock, log, metrics, now, alone, clock = systemClock } = options;
  const { upkeepMs = UPKEEP_EVERY_MS } = options;
  /** The kind of a timer may be of another release. */
  const labelOf = ({ kind }: Pick<Timer, 'kind'>) =>
    kinds.some(({ name }) => name === kind) ? kind : UNKNOWN;
  // Otherwise the first failure of a kind would set off no alert: see `beginAtZero` in core/metrics.ts.
  for (const kind of [...kinds.map(({ name }) => name), UNKNOWN])
    metrics.timers.inc({ kind, outcome: 'failed' }, 0);
  const runner = createTimerRunner({
    dynamo,
    kinds,
    log,
    now,
    clock,
    tracer: options.tracer,
    onOutcome(outcome, timer, lateMs) {
      metrics.timers.inc({ kind: labelOf(timer), outcome });
      metrics.timerLatenessSeconds.observe(lateMs / 1_000);
    },
  });
  const { transport, table, timeouts } = dynamo;
  const leases = createLeases({
    // Renewals wake no consumer: readers skip them, and the mapping of infra/ leaves them out.
    dynamo: createDynamo({ transport, table, timeouts, pattern: 'leases', ...options.metering }),
    stream: TIMERS_STREAM,
    owner: leaseOwner(),
    lostAfterMs: TIMERS_LOST_AFTER_MS,
    clock,
  });
  const host = createTimerHost(
    defined({
      runner,
      serverClock,
      clock,
      log,
      everyMs: options.everyMs,
      restMs: options.restMs,
      leases: alone ? undefined : leases,
    }),
  );
  const control = createJobControl({ dynamo, now });
  let stops: Array<() => Promise<void> | void> = [];

  async function countJobs(): Promise<void> {
    metrics.jobs.reset();
    metrics.oldestJobSeconds.reset();
    // Once for the table, so that the numbers of several processes can be added up.
    if (!host.state().active) return;
    const { states, oldestAt } = await control.counts();
    for (const [state, count] of Object.entries(states)) metrics.jobs.set({ state }, count);
    const oldestMs = oldestAt === undefined ? undefined : Math.max(0, now() - oldestAt);
    if (oldestMs !== undefined) metrics.oldestJobSeconds.set(oldestMs / 1_000);
    if (Object.values(states).every((count) => count === 0)) return;
    const stopped = states.FAILED + states.PAUSED;
    log.info({ event: LOG_EVENTS.jobs, stopped, ...defined({ oldestMs }) }, 'There are jobs');
  }

  return {
    async start() {
      stops = [await bus.subscribe(timersTopic, runner.add)];
      await host.start();
      await upkeep().catch((error: unknown) =>
        log.warn({ err: error }, 'Work of an earlier release was not found'),
      );
      stops.push(every(upkeepMs, upkeep, { clock }));
      stops.push(every(upkeepMs, countJobs, { clock }));
    },
    async stop() {
      // At once, because the lease should not wait for the upkeep.
      await Promise.all([host.stop(), ...stops.map((stop) => stop())]);
    },
    state: host.state,
    countJobs: () =>
      countJobs().catch((error: unknown) => log.warn({ err: error }, 'The jobs were not counted')),
  };
}
