import { describe, expect, onTestFinished, test } from 'vitest';
import { TsudoiError } from '../../src/core/errors.ts';
import type { RateLimitedAction, RateLimits } from '../../src/core/rateLimits.ts';
import type { RateLimiter } from '../../src/rateLimits/rateLimiter.ts';

/**
 * Six messages at once: a burst of five, and one of the steady rate (one in 12 s). No slow machine crosses a window.
 */
export const RATES: RateLimits = { messages: { max: 5, seconds: 60 }, stamps: { max: 2, seconds: 60 } };
export const AT_ONCE = { messages: 6, stamps: 3 } as const;

/** 0 if the action was allowed, otherwise `retryAfterMs`. */
export async function waitOf(
  limiter: RateLimiter,
  action: RateLimitedAction,
  user: string,
  count?: number,
): Promise<number> {
  try {
    await limiter.charge(action, user, count);
    return 0;
  } catch (error) {
    if (!(error instanceof TsudoiError) || error.code !== 'RATE_LIMITED') throw error;
    return error.details.retryAfterMs ?? Number.NaN;
  }
}

/** How many of `count` concurrent messages are allowed. */
export async function allowedOf(count: number, limiter: RateLimiter, user: string): Promise<number> {
  const waits = await Promise.all(Array.from({ length: count }, () => waitOf(limiter, 'messages', user)));
  return waits.filter((wait) => wait === 0).length;
}

/** The tests of every rate limiter, in memory and in Redis. */
export function rateLimiterContract(where: string, open: (rates: RateLimits) => Promise<RateLimiter>): void {
  async function opened(rates = RATES): Promise<RateLimiter> {
    const limiter = await open(rates);
    onTestFinished(() => limiter.close());
    return limiter;
  }

  describe(`rate limiter ${where}`, () => {
    test('charge: allows a burst and refuses more, with the time to wait', async () => {
      const limiter = await opened();
      for (let n = 0; n < AT_ONCE.messages; n++) expect(await waitOf(limiter, 'messages', 'aki')).toBe(0);
      const wait = await waitOf(limiter, 'messages', 'aki');
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(12_000);
    });

    test('charge: allows exactly the burst if all requests are concurrent', async () => {
      expect(await allowedOf(50, await opened(), 'aki')).toBe(AT_ONCE.messages);
    });

    test('charge: counts each user and each action separately', async () => {
      const limiter = await opened();
      await allowedOf(AT_ONCE.messages, limiter, 'aki');
      expect(await waitOf(limiter, 'messages', 'aki')).toBeGreaterThan(0);
      expect(await waitOf(limiter, 'messages', 'ben')).toBe(0);
      expect(await waitOf(limiter, 'stamps', 'aki')).toBe(0);
    });

    test('charge: counts several at once, with the time until there may be that many', async () => {
      const limiter = await opened();
      expect(await waitOf(limiter, 'messages', 'aki', 4)).toBe(0);
      const wait = await waitOf(limiter, 'messages', 'aki', 4);
      expect(wait).toBeGreaterThan(12_000);
      expect(wait).toBeLessThanOrEqual(60_000);
    });

    test('charge: allows more than there ever are as a full burst', async () => {
      const limiter = await opened();
      expect(await waitOf(limiter, 'messages', 'aki', 50)).toBe(0);
      expect(await waitOf(limiter, 'messages', 'aki', 2)).toBeGreaterThan(0);
    });

    test('charge: allows every action without a limit', async () => {
      const limiter = await opened();
      for (let n = 0; n < 100; n++) expect(await waitOf(limiter, 'likes', 'aki')).toBe(0);
    });
  });
}
