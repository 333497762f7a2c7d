import { setTimeout as wait } from 'node:timers/promises';
import { unavailable } from './errors.ts';

export interface RetryOptions {
  /**
   * On the clock of `performance.now()`, which never jumps: after it the caller hears UNAVAILABLE instead of another
   * attempt.
   */
  readonly until?: number;
  /** How often at most; default: as often as the time allows. */
  readonly attempts?: number;
}

const FIRST_MS = 10;
const LONGEST_MS = 500;

/**
 * Waits before attempt number `attempt` (the first retry is 1): "full jitter", a random part of an
 * exponentially growing span, so that those who collided do not meet again.
 * https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 * Throws UNAVAILABLE where the wait would end past the deadline.
 */
export async function backoff(
  attempt: number,
  { until = Number.POSITIVE_INFINITY }: RetryOptions,
): Promise<void> {
  const span = Math.min(LONGEST_MS, FIRST_MS * 2 ** attempt);
  const ms = Math.ceil(Math.random() * span);
  if (performance.now() + ms >= until) throw unavailable();
  await wait(ms);
}
