import { LRUCache } from 'lru-cache';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { RateLimit } from '../core/rateLimits.ts';
import { createBuckets } from './bucket.ts';

/** Addresses that are counted at a time, at about a kilobyte each. */
const ADDRESSES_MAX = 10_000;

export interface AddressLimitOptions {
  readonly rate: RateLimit;
  readonly max?: number;
  /** Told of every refusal. */
  readonly onRefused?: () => void;
}

/** How often one network address may do something; as a `Bucket`. */
export type AddressLimit = (address: string) => Promise<number>;

/**
 * Counts in the memory of this server alone: who has no token is not to make it ask anybody. Of very many
 * addresses those that were quiet the longest are forgotten, and may begin anew.
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
