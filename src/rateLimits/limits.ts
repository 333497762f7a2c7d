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

/** How often one person may do what. */
export interface Limits {
  /**
   * Call it first in a mutation: what it refuses costs DynamoDB nothing and leaves no trace. Every attempt
   * counts, also one that fails afterwards, and a repeated one that was done already. Throws RATE_LIMITED
   * with `retryAfterMs`, after which one more is let through (if nobody else of the same person takes it).
   */
  charge(act: RateLimitedAction, person: string): Promise<void>;
  close(): Promise<void>;
}

export interface LimitsOptions {
  readonly rates: RateLimits;
  readonly log: BusLog;
  /** Where all servers count together; absent: this one counts alone, in memory. */
  readonly redis?: { readonly url: string; readonly prefix: string };
  /** Told of every refusal. */
  readonly onRefused?: (act: RateLimitedAction) => void;
}

/**
 * Counts in Redis where there is one. While it is away each server counts alone: people may then do as much on
 * each server as they may on all, and nobody waits for it longer than a second.
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
