import { OutageError } from '../core/errors.ts';
import type { OutageLog } from '../core/log.ts';
import { LOG_EVENTS } from '../core/logEvents.ts';
import { type BackoffPolicy, backoffMs } from '../core/retry.ts';
import { DAY_S, secondsOf } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { keys } from '../dynamo/keys.ts';
import type { Guard } from '../dynamo/write.ts';
import { timerKey } from './queue.ts';
import { type Timer, type TimerFailures, type TimerKind, timerItem, UnknownKind } from './timer.ts';

const BACKOFF: BackoffPolicy = { firstMs: 10_000, longestMs: 3_600_000, jitter: 'half' };
const GIVE_UP_MS = DAY_S * 1_000;
const FAILED_KEPT_S = 30 * DAY_S;
/** A timer of an unknown kind waits for a worker that knows it: during a rolling update, old workers find it too. */
const UNKNOWN_KIND_WAIT_MS = 60_000;
const ERROR_MAX = 500;

export interface TimerRetriesOptions {
  readonly dynamo: Pick<Dynamo, 'tryTransact'>;
  readonly log: OutageLog;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface FailedHandling {
  readonly error: unknown;
  /** Undefined: this process does not know it. */
  readonly kind: TimerKind | undefined;
  /** Holds while the timer is the one that was handled: see `ifNotSetAgain`. */
  readonly unchanged: Guard;
}

/** Timers whose handler has failed are tried again for a day, after growing pauses. */
export function createTimerRetries({ dynamo, log, now }: TimerRetriesOptions) {
  /**
   * Moves a timer that failed to a later time, or to those that have failed for good, and logs it. Resolves to what was
   * decided. Rejects if the database cannot be reached.
   */
  async function retryLater(
    timer: Timer,
    { error, kind, unchanged }: FailedHandling,
  ): Promise<'retried' | 'failed'> {
    const failures = failuresWith(timer, error, now());
    const isOver = now() - failures.since >= GIVE_UP_MS && (await giveUp({ ...timer, failures }, kind));
    const waitMs = error instanceof UnknownKind ? UNKNOWN_KIND_WAIT_MS : backoffMs(BACKOFF, failures.count);
    // It fails if the timer was moved or cancelled while it was handled: then there is nothing to do. If it was set
    // again as well, that one waits for nothing, and the next look finds it.
    await dynamo.tryTransact({
      old: {
        ...unchanged,
        delete: timerKey(timer),
        condition: `attribute_exists(pk) AND (${unchanged.condition})`,
      },
      next: {
        put: isOver
          ? {
              ...timerItem({ ...timer, failures }),
              ...keys.failedTimer(timer.due, timer.id),
              expiresAt: secondsOf(now()) + FAILED_KEPT_S,
            }
          : timerItem({ ...timer, failures, due: now() + Math.ceil(waitMs) }),
      },
    });
    const fields = { err: error, kind: timer.kind, timer: timer.id, failures: failures.count };
    if (!isOver) {
      log.warn(fields, 'A timer failed and is tried again');
      return 'retried';
    }
    log.error(
      { event: LOG_EVENTS.timerFailed, ...fields },
      'A timer failed for a day and is not tried again',
    );
    return 'failed';
  }

  /** Whether the kind agrees that the timer is not tried again. Rejects if the database cannot be reached. */
  async function giveUp(timer: Timer, kind: TimerKind | undefined): Promise<boolean> {
    try {
      await kind?.givenUp?.(timer);
      return true;
    } catch (error) {
      if (error instanceof OutageError) throw error;
      log.error({ err: error, kind: timer.kind, timer: timer.id }, 'A timer could not be given up');
      return false;
    }
  }

  return { retryLater };
}

/** The timer's failures, with this one. */
const failuresWith = ({ failures, due }: Timer, error: unknown, now: number): TimerFailures => ({
  count: (failures?.count ?? 0) + 1,
  since: failures?.since ?? now,
  setFor: failures?.setFor ?? due,
  error: textOf(error),
});

/** Bounded, and without line breaks. */
const textOf = (error: unknown): string =>
  (error instanceof Error ? `${error.name}: ${error.message}` : String(error))
    .replace(/\s+/g, ' ')
    .slice(0, ERROR_MAX);
