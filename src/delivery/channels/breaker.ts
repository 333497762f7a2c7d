/** After this many time-outs in a row nothing is sent to an origin for a while. */
const TIMEOUTS_MAX = 5;
const OPEN_MS = 30_000;
/** While one send tries whether the origin responds again, the others wait this much longer than it may take. */
const TRIAL_EXTRA_MS = 2_000;

interface Circuit {
  readonly timeouts: number;
  /** Milliseconds since 1970. Nothing is sent before. */
  readonly openUntil: number;
}

const CLOSED: Circuit = { timeouts: 0, openUntil: 0 };

export interface Breaker {
  /** Returns 0 if a send of at most `timeoutMs` may begin, or the milliseconds until it should ask again. */
  wait(origin: string, timeoutMs: number): number;
  /** How a send ended: with a response, or a failure that came fast, or without any in time. */
  ended(origin: string, timedOut: boolean): void;
}

/**
 * A circuit breaker for each origin. An origin that hangs costs a place for ten seconds with each send; five of them
 * in a row, and then one every half minute, are enough to know. Kept in memory: each process finds out for itself.
 */
export function createBreaker(now: () => number): Breaker {
  /** Origins without a recent time-out are not in it. */
  const circuits = new Map<string, Circuit>();
  return {
    wait(origin, timeoutMs) {
      const { timeouts, openUntil } = circuits.get(origin) ?? CLOSED;
      if (timeouts < TIMEOUTS_MAX) return 0;
      if (now() < openUntil) return openUntil - now();
      // This one is the trial.
      circuits.set(origin, { timeouts, openUntil: now() + timeoutMs + TRIAL_EXTRA_MS });
      return 0;
    },
    ended(origin, timedOut) {
      if (!timedOut) return void circuits.delete(origin);
      const timeouts = (circuits.get(origin)?.timeouts ?? 0) + 1;
      circuits.set(origin, { timeouts, openUntil: timeouts < TIMEOUTS_MAX ? 0 : now() + OPEN_MS });
    },
  };
}
