/**
 * Ends a test that waits without a bound of its own. It is by the usual clock, so it must be long enough for a busy
 * machine: it is the most that `eventually` waits for one thing.
 */
export const TEST_TIMEOUT_MS = 600_000;

/**
 * TEST_EFFORT multiplies the runs and the seconds of all random tests, and the size of the largest tables: 1 by
 * default, 10 in the last steps of CI.
 */
const effort = Number(process.env.TEST_EFFORT ?? 1);
if (!(effort > 0)) throw new Error('TEST_EFFORT must be a number above 0.');

/** A number of runs or of items at this effort, at least one. `atOne`: the number at an effort of 1. */
export const scaled = (atOne: number): number => Math.max(1, Math.round(atOne * effort));

/** What a random test may spend at an effort of 1. */
export interface BudgetOptions {
  readonly runs: number;
  /** What all runs together may take. */
  readonly seconds: number;
}

export interface Budget {
  /** For `fc.assert`. */
  readonly numRuns: number;
  /** For the test, in milliseconds: the budget and the timeout of any test. */
  readonly timeout: number;
  /**
   * Starts the time, and returns a function that says whether it is over. A run that finds it over does nothing, and
   * one that has begun is finished. fast-check's `interruptAfterTimeLimit` would cut a run short and let it pass, even
   * if it waits for what never happens.
   */
  start(): () => boolean;
  /** Wraps a predicate in such a check. The time starts with the first run. */
  within<T extends unknown[]>(predicate: (...args: T) => Promise<void>): (...args: T) => Promise<void>;
}

export function budget({ runs, seconds }: BudgetOptions): Budget {
  const ms = seconds * 1_000 * effort;
  function start(): () => boolean {
    const until = performance.now() + ms;
    return () => performance.now() > until;
  }
  return {
    numRuns: scaled(runs),
    timeout: ms + TEST_TIMEOUT_MS,
    start,
    within(predicate) {
      let isOver: (() => boolean) | undefined;
      return async (...args) => {
        isOver ??= start();
        if (!isOver()) await predicate(...args);
      };
    },
  };
}
