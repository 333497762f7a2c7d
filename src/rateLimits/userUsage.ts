import type { RateLimit, UserLimits, UserUsage } from '../core/rateLimits.ts';

export interface UserUsageOptions {
  readonly limits: UserLimits;
  /** Called for every refusal, with the limit's name. */
  readonly onRefused?: (limit: keyof UserLimits) => void;
  /** Milliseconds on a clock that never goes back. */
  readonly now?: () => number;
}

/** Counts in the memory of this server only: each query is counted, and must not wait for another system. */
export function createUserUsage({
  limits,
  onRefused,
  now = () => performance.now(),
}: UserUsageOptions): UserUsage {
  const { objects } = limits;
  const takeObjects = objects === undefined ? () => 0 : createTokenBuckets(objects, now);
  /** How much each user holds. A user who holds nothing has no entry. */
  const held = { sockets: new Map<string, number>(), subscriptions: new Map<string, number>() };

  return {
    take(what, user) {
      const max = limits[what];
      if (max === undefined) return () => {};
      const counts = held[what];
      const count = counts.get(user) ?? 0;
      if (count >= max) {
        onRefused?.(what);
        return undefined;
      }
      counts.set(user, count + 1);
      let given = true;
      return () => {
        if (!given) return;
        given = false;
        const left = (counts.get(user) ?? 1) - 1;
        if (left === 0) counts.delete(user);
        else counts.set(user, left);
      };
    },
    read(user, count) {
      const waitMs = takeObjects(user, count);
      if (waitMs > 0) onRefused?.('objects');
      return waitMs;
    },
  };
}

/** Sums of fractions are a little too low now and then. */
const ROUNDING = 1e-6;

interface Bucket {
  tokens: number;
  at: number;
}

/**
 * A token bucket for each user. It is our own, because the library that counts actions consumes what it refuses, and
 * says when the next single one fits: a client that obeyed it with a large query would never be let through. More than
 * the bucket holds is taken from a full one, which then has a debt. Returns 0, or the milliseconds until `count` fits.
 */
function createTokenBuckets({ max, seconds }: RateLimit, now: () => number) {
  const perMs = max / (seconds * 1_000);
  const buckets = new Map<string, Bucket>();
  let sweptAt = now();

  /** A bucket that is full again needs no entry. */
  function sweep(at: number): void {
    if (at - sweptAt < seconds * 1_000) return;
    sweptAt = at;
    for (const [user, bucket] of buckets)
      if (bucket.tokens + (at - bucket.at) * perMs >= max) buckets.delete(user);
  }

  return (user: string, count: number): number => {
    const at = now();
    sweep(at);
    const bucket = buckets.get(user);
    const tokens = bucket === undefined ? max : Math.min(max, bucket.tokens + (at - bucket.at) * perMs);
    const missing = Math.min(count, max) - tokens;
    if (missing > ROUNDING) return Math.max(1, Math.ceil(missing / perMs));
    buckets.set(user, { tokens: tokens - count, at });
    return 0;
  };
}
