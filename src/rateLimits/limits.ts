import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { BusLog } from '../bus/bus.ts';
import { TsudoiError } from '../core/errors.ts';
import type { RateLimitedAction, RateLimits } from '../core/rateLimits.ts';
import { createBuckets } from './bucket.ts';
import { createSharedBuckets } from './sharedBuckets.ts';

declare module '../graphql/context.ts' {
  interface Services {
    readonly limits: Limits;
  }
}

/** Limits how often one person may act. */
export interface Limits {
  /**
   * Call it first in a mutation: a refused request costs DynamoDB nothing and leaves no trace. Every attempt counts,
   * including one that fails afterwards or repeats an earlier one. Throws RATE_LIMITED with `retryAfterMs`, after
   * which one more is allowed, unless another client of the same person uses it.
   */
  charge(act: RateLimitedAction, person: string): Promise<void>;
  close(): Promise<void>;
}

export interface LimitsOptions {
  readonly rates: RateLimits;
  readonly log: BusLog;
  /** The Redis in which all servers count together. Absent: this server counts alone, in memory. */
  readonly redis?: { readonly url: string; readonly prefix: string };
  /** Called for every refusal. */
  readonly onRefused?: (act: RateLimitedAction) => void;
}

/**
 * Counts in Redis if there is one. While it is down each server counts alone: a person may then use the whole limit
 * on each server, and no request waits for Redis longer than a second.
 */
export function createLimits({ rates, log, redis, onRefused }: LimitsOptions): Limits {
  const own = createBuckets(rates, (window) => new RateLimiterMemory(window));
  const unlimited = Object.keys(rates).length === 0;
  const shared = redis === undefined || unlimited ? undefined : createSharedBuckets({ rates, log, ...redis });

  return {
    async charge(act, person) {
      const alone = own[act];
      if (alone === undefined) return;
      const waitMs = await (shared?.take(act, person).catch(() => alone(person)) ?? alone(person));
      if (waitMs === 0) return;
      onRefused?.(act);
      throw new TsudoiError('RATE_LIMITED', 'Too fast. Try again in a moment.', { retryAfterMs: waitMs });
    },
    close: async () => shared?.close(),
  };
}
