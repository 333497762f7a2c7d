import { ContentionError } from '../core/errors.ts';
import { backoff } from '../core/retry.ts';

/** What an attempt returns if something changed between its read and its write: it is to be tried again. */
export const AGAIN: unique symbol = Symbol('again');
export type Again = typeof AGAIN;

export interface OptimisticOptions {
  /** How long new attempts may begin, in milliseconds. */
  readonly budgetMs?: number;
}

/** With waits of up to half a second, about 15 attempts. */
const BUDGET_MS = 5_000;
/** However slow the machine is, this many attempts are made. */
const LEAST_ATTEMPTS = 5;

/**
 * The house's one loop for optimistic writes. An attempt reads, decides, and writes on a condition that what it
 * read is still so; it returns `AGAIN` if the condition failed for a reason that a fresh read resolves. Attempts
 * are numbered from 0 and follow each other with jitter, so that writers that met do not meet again. Throws
 * `ContentionError` when the budget is spent, and whatever an attempt throws.
 */
export async function optimistic<T>(
  attempt: (number: number) => Promise<T | Again>,
  { budgetMs = BUDGET_MS }: OptimisticOptions = {},
): Promise<T> {
  const until = performance.now() + budgetMs;
  for (let number = 0; ; number++) {
    const result = await attempt(number);
    if (result !== AGAIN) return result;
    const enough = number + 1 >= LEAST_ATTEMPTS;
    if (!(await backoff(number + 1, enough ? { until } : {}))) throw new ContentionError();
  }
}
