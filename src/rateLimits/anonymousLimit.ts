import { LRUCache } from 'lru-cache';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { AnonymousLimit, RateLimit } from '../core/rateLimits.ts';
import { createBuckets } from './bucket.ts';

/** Networks that are counted at the same time, at about a kilobyte each. */
const NETWORKS_MAX = 10_000;

export interface AnonymousLimitOptions {
  readonly rate: RateLimit;
  readonly max?: number;
  /** Called for every refusal. */
  readonly onRefused?: () => void;
}

/**
 * Counts in the memory of this server only: a client without a token must not cause requests to other systems. If
 * there are more than `max` networks, those that were idle for longest are forgotten and start from zero.
 */
export function createAnonymousLimit(options: AnonymousLimitOptions): AnonymousLimit {
  const { rate, max = NETWORKS_MAX, onRefused } = options;
  const windows: RateLimiterMemory[] = [];
  const { anonymous: take } = createBuckets({ anonymous: rate }, (window) => {
    const limiter = new RateLimiterMemory(window);
    windows.push(limiter);
    return limiter;
  });
  const counted = new LRUCache<string, true>({
    max,
    dispose(_counted, network, reason) {
      if (reason === 'evict') for (const window of windows) void window.delete(network);
    },
  });
  return async (network, count) => {
    counted.set(network, true);
    const waitMs = (await take?.(network, count)) ?? 0;
    if (waitMs > 0) onRefused?.();
    return waitMs;
  };
}
