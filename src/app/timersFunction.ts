import { type Clock, sleep, systemClock } from '../core/clock.ts';
import { LOG_EVENTS } from '../core/logEvents.ts';
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
  const { core, watch, settled, settleMs, close, ...parts } = await createFunctionParts(environment, {
    busIsOptional: true,
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
      await watch.start();
      await timers.start();
      const left = context.getRemainingTimeInMillis() - MARGIN_MS - settleMs;
      await sleep(clock, Math.min(RUN_MS, left));
      const { active, overdueMs } = timers.state();
      // Both at once: the lease should not wait, also if the database is slow.
      await Promise.all([timers.countJobs(), timers.stop()]);
      await watch.stop();
      parts.log.info(
        { event: LOG_EVENTS.timers, active, overdueMs },
        'The timers of this minute were handled',
      );
      await settled();
    },
    close,
  };
}
