import { ContentionError } from '../core/errors.ts';
import { backoff } from '../core/retry.ts';

/** An attempt returns this if something changed between its read and its write. The next attempt reads again. */
export const AGAIN: unique symbol = Symbol('again');
export type Again = typeof AGAIN;

export interface OptimisticOptions {
  /** Milliseconds within which new attempts may begin. */
  readonly budgetMs: number;
}

/** The least number of attempts, also on a slow machine. */
const LEAST_ATTEMPTS = 5;

/**
 * The one loop for optimistic writes. An attempt reads, decides, and writes on the condition that what it read is
 * unchanged. It returns `AGAIN` if the condition failed for a reason that a fresh read resolves. Attempts are
 * numbered from 0. The pauses between them are random, so that writers that collided do not collide again. Throws
 * `ContentionError` when the budget is spent, and passes on what an attempt throws.
 */
export async function optimistic<T>(
  attempt: (number: number) => Promise<T | Again>,
  { budgetMs }: OptimisticOptions,
): Promise<T> {
  const until = performance.now() + budgetMs;
  for (let number = 0; ; number++) {
    const result = await attempt(number);
    if (result !== AGAIN) return result;
    const enough = number + 1 >= LEAST_ATTEMPTS;
    if (!(await backoff(number + 1, enough ? { until } : {}))) throw new ContentionError();
  }
}
