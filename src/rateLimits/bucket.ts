import { BurstyRateLimiter, type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimit } from '../core/rateLimits.ts';

/**
 * Takes actions out of the bucket of a user or network: one by default, and never more than a full bucket has. Resolves
 * to 0, or to the milliseconds until there may be that many.
 */
export type Bucket = (key: string, count?: number) => Promise<number>;

export type Buckets<Name extends string> = Readonly<Partial<Record<Name, Bucket>>>;

/** A counting window: `points` in `duration` (whole seconds), which begins with the first. */
export interface WindowOptions {
  readonly keyPrefix: string;
  readonly points: number;
  readonly duration: number;
}

/**
 * A bucket for each limited action. Each is two windows: a short one for the steady rate and a long one for bursts.
 * That is the library's equivalent of a token bucket, without a refill.
 */
export function createBuckets<Name extends string>(
  rates: Readonly<Partial<Record<Name, RateLimit>>>,
  createWindow: (options: WindowOptions) => RateLimiterAbstract,
): Buckets<Name> {
  return Object.fromEntries(
    Object.entries<RateLimit | undefined>(rates).flatMap(([action, rate]) => {
      if (rate === undefined) return [];
      const each = evenly(rate);
      const steady = createWindow({ keyPrefix: `limit:${action}:steady`, ...each });
      const { max: points, seconds: duration } = rate;
      const burst = createWindow({ keyPrefix: `limit:${action}:burst`, points, duration });
      return [[action, bucketOf({ steady, burst, each: each.points, max: points })]];
    }),
  ) as Partial<Record<Name, Bucket>>;
}

function evenly({ max, seconds }: RateLimit): Omit<WindowOptions, 'keyPrefix'> {
  return max >= seconds
    ? { points: Math.round(max / seconds), duration: 1 }
    : { points: 1, duration: Math.ceil(seconds / max) };
}

interface BucketOptions {
  readonly steady: RateLimiterAbstract;
  readonly burst: RateLimiterAbstract;
  /** The points of one steady window. */
  readonly each: number;
  /** The points of a burst. */
  readonly max: number;
}

function bucketOf({ steady, burst, each, max }: BucketOptions): Bucket {
  const bursty = new BurstyRateLimiter(steady, burst);
  return async (key, count = 1) => {
    try {
      // What is more than a steady window has never fits into one, so its end is not worth waiting for.
      await (count > each ? burst : bursty).consume(key, Math.min(count, max));
      return 0;
    } catch (refusal) {
      // The library rejects with its result as well as with errors.
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      return Math.max(1, refusal.msBeforeNext);
    }
  };
}
