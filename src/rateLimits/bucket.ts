import { BurstyRateLimiter, type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimit, RateLimitedAction, RateLimits } from '../core/rateLimits.ts';

/** Takes one act of a person out of their bucket. Resolves to 0, or to the milliseconds after which there is one. */
export type Bucket = (person: string) => Promise<number>;

export type Buckets = Readonly<Partial<Record<RateLimitedAction, Bucket>>>;

/** A window in which something is counted: `points` of it in `duration` (whole seconds) that begin with the first. */
export interface WindowOptions {
  readonly keyPrefix: string;
  readonly points: number;
  readonly duration: number;
}

/**
 * A bucket for each limited act. Each is two windows, a short one that lets through the steady rate and a long
 * one for what comes in a burst: the library's stand-in for a token bucket, with nothing to refill.
 */
export function createBuckets(
  rates: RateLimits,
  createWindow: (options: WindowOptions) => RateLimiterAbstract,
): Buckets {
  return Object.fromEntries(
    Object.entries(rates).map(([act, rate]) => {
      const steady = createWindow({ keyPrefix: `limit:${act}:steady`, ...evenly(rate) });
      const { most: points, seconds: duration } = rate;
      const burst = createWindow({ keyPrefix: `limit:${act}:burst`, points, duration });
      return [act, bucketOf(new BurstyRateLimiter(steady, burst))];
    }),
  );
}

function evenly({ most, seconds }: RateLimit): Omit<WindowOptions, 'keyPrefix'> {
  return most >= seconds
    ? { points: Math.round(most / seconds), duration: 1 }
    : { points: 1, duration: Math.ceil(seconds / most) };
}

const bucketOf =
  (limiter: BurstyRateLimiter): Bucket =>
  async (person) => {
    try {
      await limiter.consume(person);
      return 0;
    } catch (refusal) {
      // The library rejects both with its answer and with what went wrong.
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      return Math.max(1, refusal.msBeforeNext);
    }
  };
