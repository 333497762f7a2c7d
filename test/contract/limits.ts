import { describe, expect, onTestFinished, test } from 'vitest';
import { TsudoiError } from '../../src/core/errors.ts';
import type { RateLimitedAction, RateLimits } from '../../src/core/rateLimits.ts';
import type { Limits } from '../../src/rateLimits/limits.ts';

/** Six at once: five as a burst, one of the steady one in 12 s. Long enough that no slow machine crosses a window. */
export const RATES: RateLimits = { messages: { most: 5, seconds: 60 }, stamps: { most: 2, seconds: 60 } };
export const AT_ONCE = { messages: 6, stamps: 3 } as const;

/** What was told: 0 where the act was let through, else `retryAfterMs`. */
export async function waitOf(limits: Limits, act: RateLimitedAction, person: string): Promise<number> {
  try {
    await limits.charge(act, person);
    return 0;
  } catch (error) {
    if (!(error instanceof TsudoiError) || error.code !== 'RATE_LIMITED') throw error;
    return error.details.retryAfterMs ?? Number.NaN;
  }
}

/** How many of so many at once are let through. */
export async function letThrough(of: number, limits: Limits, person: string): Promise<number> {
  const waits = await Promise.all(Array.from({ length: of }, () => waitOf(limits, 'messages', person)));
  return waits.filter((wait) => wait === 0).length;
}

/** What holds wherever limits are counted. */
export function limitsContract(where: string, open: (rates: RateLimits) => Promise<Limits>): void {
  async function opened(rates = RATES): Promise<Limits> {
    const limits = await open(rates);
    onTestFinished(() => limits.close());
    return limits;
  }

  describe(`rate limits counted ${where}`, () => {
    test('let a burst through and refuse what goes beyond it, saying when to come again', async () => {
      const limits = await opened();
      for (let n = 0; n < AT_ONCE.messages; n++) expect(await waitOf(limits, 'messages', 'aki')).toBe(0);
      const wait = await waitOf(limits, 'messages', 'aki');
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(12_000);
    });

    test('let exactly the burst through when it comes all at once', async () => {
      expect(await letThrough(50, await opened(), 'aki')).toBe(AT_ONCE.messages);
    });

    test('are of each person and each act apart', async () => {
      const limits = await opened();
      await letThrough(AT_ONCE.messages, limits, 'aki');
      expect(await waitOf(limits, 'messages', 'aki')).toBeGreaterThan(0);
      expect(await waitOf(limits, 'messages', 'ben')).toBe(0);
      expect(await waitOf(limits, 'stamps', 'aki')).toBe(0);
    });

    test('do not limit what has no limit', async () => {
      const limits = await opened();
      for (let n = 0; n < 100; n++) expect(await waitOf(limits, 'likes', 'aki')).toBe(0);
    });
  });
}
