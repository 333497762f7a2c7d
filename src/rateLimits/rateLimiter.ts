import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import type { RedisLimits } from '../bus/redis/connection.ts';
import { TsudoiError } from '../core/errors.ts';
import type { OutageLog } from '../core/log.ts';
import type { RateLimitedAction, RateLimits } from '../core/rateLimits.ts';
import { createBuckets } from './bucket.ts';
import { createRedisStore } from './redisStore.ts';

declare module '../graphql/context.ts' {
  interface Services {
    readonly rateLimiter: RateLimiter;
  }
}

/** Limits how often one user may act. */
export interface RateLimiter {
  /**
   * Call it first in a mutation: a refused request costs DynamoDB nothing and leaves no trace. Every attempt counts,
   * including one that fails afterwards or repeats an earlier one. Throws RATE_LIMITED with `retryAfterMs`, after
   * which one more is allowed, unless another client of the same user uses it. `count`: how many actions it is.
   */
  charge(action: RateLimitedAction, user: string, count?: number): Promise<void>;
  close(): Promise<void>;
}

export interface SharedRateLimiter extends RateLimiter {
  /** From now on this is the prefix of each key in Redis: what was counted with another one is not known. */
  usePrefix(prefix: string): void;
}

export interface RateLimiterOptions {
  readonly rates: RateLimits;
  readonly log: OutageLog;
  /** The Redis in which all servers count together, and the prefix of each key. Absent: this server counts alone. */
  readonly redis?: Partial<RedisLimits> & { readonly url: string; readonly prefix: string };
  /** Called for every refusal. */
  readonly onRefused?: (action: RateLimitedAction) => void;
}

/**
 * Counts in Redis if there is one. While it is down each server counts alone: a user may then use the whole limit
 * on each server, and no request waits for Redis longer than a second.
 */
export function createRateLimiter({ rates, log, redis, onRefused }: RateLimiterOptions): SharedRateLimiter {
  const unlimited = Object.keys(rates).length === 0;
  const shared = redis === undefined || unlimited ? undefined : createRedisStore({ ...redis, log });
  const buckets = createBuckets(rates, (window) => {
    const alone = new RateLimiterMemory(window);
    if (shared === undefined) return alone;
    return new RateLimiterRedis({
      ...window,
      storeClient: shared.client,
      useRedisPackage: true,
      insuranceLimiter: alone,
    });
  });

  return {
    async charge(action, user, count) {
      const retryAfterMs = (await buckets[action]?.(user, count)) ?? 0;
      if (retryAfterMs === 0) return;
      onRefused?.(action);
      throw new TsudoiError('RATE_LIMITED', 'Too fast. Try again in a moment.', { retryAfterMs });
    },
    usePrefix: (prefix) => shared?.usePrefix(prefix),
    close: async () => shared?.close(),
  };
}
