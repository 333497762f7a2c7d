import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { UserLimits, UserUsage } from '../core/rateLimits.ts';
import { createBuckets } from './bucket.ts';

export interface UserUsageOptions {
  readonly limits: UserLimits;
  /** Called for every refusal, with the limit's name. */
  readonly onRefused?: (limit: keyof UserLimits) => void;
}

/** Counts in the memory of this server only: each query is counted, and must not wait for another system. */
export function createUserUsage({ limits, onRefused }: UserUsageOptions): UserUsage {
  const { objects } = limits;
  const rates = objects === undefined ? {} : { objects };
  const buckets = createBuckets(rates, (window) => new RateLimiterMemory(window));
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
    async read(user, count) {
      const waitMs = (await buckets.objects?.(user, count)) ?? 0;
      if (waitMs > 0) onRefused?.('objects');
      return waitMs;
    },
  };
}
