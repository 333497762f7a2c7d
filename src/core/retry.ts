import { setTimeout as wait } from 'node:timers/promises';
import { type Clock, sleep } from './clock.ts';

/**
 * How the wait between attempts grows. By hand, instead of p-retry: the wait of a failure is also used without a retry
 * (timers, reconnects), and deadlines are on the clock that never jumps.
 */
export interface BackoffPolicy {
  readonly firstMs: number;
  readonly longestMs: number;
  /**
   * The random part of each wait. `full` (0 to the whole span) keeps writers apart that collided; `half` (half the
   * span to all of it) spreads out servers that lost the same dependency, without hurrying.
   * https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
   */
  readonly jitter: 'full' | 'half';
}

/** For writers that met on the same item: 0–20 ms at first, at most half a second. */
const CONFLICT_BACKOFF: BackoffPolicy = { firstMs: 20, longestMs: 500, jitter: 'full' };
/** For the stream's consumer: 13–25 ms at first, at most a second. */
export const CONSUMER_BACKOFF: BackoffPolicy = { firstMs: 25, longestMs: 1_000, jitter: 'half' };

/** Milliseconds to wait after failure number `failures` (1, 2, …) in a row. The span doubles with each. */
export function backoffMs({ firstMs, longestMs, jitter }: BackoffPolicy, failures: number): number {
  const span = Math.min(longestMs, firstMs * 2 ** Math.max(0, failures - 1));
  return jitter === 'full' ? Math.ceil(Math.random() * span) : span / 2 + Math.random() * (span / 2);
}

export interface BackoffOptions {
  /** A deadline on the clock of `performance.now()`, which never jumps. Default: none. */
  readonly until?: number;
  readonly policy?: BackoffPolicy;
}

/** Waits after failure number `failures`. Resolves to false, at once, if the wait would end after the deadline. */
export async function backoff(
  failures: number,
  { until = Number.POSITIVE_INFINITY, policy = CONFLICT_BACKOFF }: BackoffOptions = {},
): Promise<boolean> {
  const ms = backoffMs(policy, failures);
  if (performance.now() + ms >= until) return false;
  await wait(ms);
  return true;
}

export interface RetryOptions {
  readonly clock: Clock;
  readonly policy: BackoffPolicy;
  readonly signal: AbortSignal | undefined;
  /** Called with each error. Ends the retries if it throws. */
  readonly onFailure: (error: unknown) => void;
}

/** Repeats the work until it succeeds or the signal is aborted. Resolves to whether it has succeeded. */
export async function retryUntilDone(work: () => Promise<unknown>, options: RetryOptions): Promise<boolean> {
  const { clock, policy, signal, onFailure } = options;
  for (let failures = 1; signal?.aborted !== true; failures++) {
    try {
      await work();
      return true;
    } catch (error) {
      onFailure(error);
      await sleep(clock, backoffMs(policy, failures), signal);
    }
  }
  return false;
}
