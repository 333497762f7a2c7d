import { LRUCache } from 'lru-cache';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { RateLimit } from '../core/rateLimits.ts';
import { createBuckets } from './bucket.ts';

/** Addresses that are counted at the same time, at about a kilobyte each. */
const ADDRESSES_MAX = 10_000;

export interface AddressLimitOptions {
  readonly rate: RateLimit;
  readonly max?: number;
  /** Called for every refusal. */
  readonly onRefused?: () => void;
}

/** A `Bucket` for each network address. */
export type AddressLimit = (address: string) => Promise<number>;

/**
 * Counts in the memory of this server only: a client without a token must not cause requests to other systems. If
 * there are more than `max` addresses, those that were idle for longest are forgotten and start from zero.
 */
export function createAddressLimit(options: AddressLimitOptions): AddressLimit {
  const { rate, max = ADDRESSES_MAX, onRefused } = options;
  const windows: RateLimiterMemory[] = [];
  const { anonymous: take } = createBuckets({ anonymous: rate }, (window) => {
    const made = new RateLimiterMemory(window);
    windows.push(made);
    return made;
  });
  const counted = new LRUCache<string, true>({
    max,
    dispose(_counted, address, reason) {
      if (reason === 'evict') for (const window of windows) void window.delete(address);
    },
  });
  return async (address) => {
    counted.set(address, true);
    const waitMs = (await take?.(address)) ?? 0;
    if (waitMs > 0) onRefused?.();
    return waitMs;
  };
}
