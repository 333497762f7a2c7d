import { type Clock, sleep, systemClock } from '../core/clock.ts';
import { createHealth } from '../core/health.ts';
import { LOG_EVENTS } from '../core/logEvents.ts';
import { CONSUMER_BACKOFF, retryUntilDone } from '../core/retry.ts';
import type { LambdaContext } from '../stream/lambda.ts';
import type { Environment } from '../variables.ts';
import { createFunctionParts, type FunctionParts } from './functionParts.ts';
import { createTimers } from './timers.ts';

export interface TimersFunction extends Pick<FunctionParts, 'close'> {
  /** Handles timers until its time is over. Its event is not used. */
  handler(event: unknown, context: LambdaContext): Promise<void>;
}

/** A schedule starts the function every minute. It ends before the next one starts. */
const RUN_MS = 50_000;
/** A handler may use its own time (30 s), of which it has had 2 s when the lease is given back. */
const REST_MS = 28_000;
/** What must be left of the function's time, before it settles: for handlers, and two seconds to return. */
const MARGIN_MS = 2_000 + REST_MS + 2_000;

/**
 * The timers as an AWS Lambda function: see `createFunctionParts`. It needs a schedule of one minute and a timeout of
 * 90 s. One call works at a time, because they share a lease: a second one waits for it until its own time is over.
 *
 * It may run without `REDIS_URL`, where the push services can be reached and Redis cannot. Then it is not notified of
 * timers that are set for the next seconds, and finds them at its next look. What it writes reaches clients by the
 * stream.
 *
 * Each call logs one line with `event` `timers`, and one with `jobs` if there are any. Alarms can be set on both.
 */
export async function createTimersFunction(
  environment: Environment,
  clock: Clock = systemClock,
): Promise<TimersFunction> {
  const { core, watch, assertOutage, settled, settleMs, close, ...parts } = await createFunctionParts(
    environment,
    {
      busIsOptional: true,
    },
  );
  const health = createHealth({
    log: parts.log,
    down: 'The table cannot be read, so no timer is handled; it is read again until this call ends, and by the next one',
    up: 'The table can be read again',
  });

  /** Whether the table can be read before the signal is aborted. */
  const startWatch = (signal: AbortSignal): Promise<boolean> =>
    retryUntilDone(() => watch.start().then(() => health.worked()), {
      clock,
      policy: CONSUMER_BACKOFF,
      signal,
      onFailure(error) {
        assertOutage(error);
        health.failed(error);
      },
    });

  return {
    async handler(_event, context) {
      const timers = createTimers({
        ...parts,
        upkeep: core.upkeep,
        kinds: core.timerKinds,
        now: Date.now,
        alone: false,
        clock,
        restMs: REST_MS,
      });
      const left = context.getRemainingTimeInMillis() - MARGIN_MS - settleMs;
      const ending = new AbortController();
      const over = sleep(clock, Math.min(RUN_MS, left), ending.signal).then(() => ending.abort());
      try {
        // Without the line about the timers of this minute: an alarm watches for it.
        if (!(await startWatch(ending.signal))) return await settled();
        try {
          await timers.start();
          await over;
          const { active, overdueMs } = timers.state();
          // Both at once: the lease should not wait, also if the database is slow.
          await Promise.all([timers.countJobs(), timers.stop()]);
          parts.log.info(
            { event: LOG_EVENTS.timers, active, overdueMs },
            'The timers of this minute were handled',
          );
        } finally {
          await watch.stop();
        }
        await settled();
      } finally {
        ending.abort();
      }
    },
    close,
  };
}
