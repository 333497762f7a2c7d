import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { RATE_LIMITS } from '../../src/core/rateLimits.ts';
import { createRateLimiter } from '../../src/rateLimits/rateLimiter.ts';
import { recordingLog } from '../bus/support/bus.ts';
import { rateLimiterContract, waitOf } from '../contract/rateLimiter.ts';

const { log } = recordingLog();

rateLimiterContract('in memory', async (rates) => createRateLimiter({ rates, log }));

describe('rate limiter over time', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('charge: allows an action after the time that the error named', async () => {
    const limiter = createRateLimiter({ rates: { messages: { max: 20, seconds: 10 } }, log });
    for (let n = 0; n < 22; n++) expect(await waitOf(limiter, 'messages', 'aki')).toBe(0);
    const wait = await waitOf(limiter, 'messages', 'aki');
    expect(wait).toBe(1_000);
    vi.advanceTimersByTime(wait - 1);
    expect(await waitOf(limiter, 'messages', 'aki')).toBeGreaterThan(0);
    vi.advanceTimersByTime(1);
    expect(await waitOf(limiter, 'messages', 'aki')).toBe(0);
  });

  test('charge: allows a script that never pauses its bursts and the steady rate', async () => {
    const limiter = createRateLimiter({ rates: { messages: { max: 20, seconds: 10 } }, log });
    let allowed = 0;
    for (let ms = 0; ms < 60_000; ms += 50) {
      if ((await waitOf(limiter, 'messages', 'script')) === 0) allowed++;
      vi.advanceTimersByTime(50);
    }
    // Two in each second, and twenty more in each ten seconds.
    expect(allowed).toBe(60 * 2 + 6 * 20);
  });

  test.each([
    ['three messages a second for ten seconds', 3, 10],
    ['one and a half a second for an hour', 1.5, 3_600],
  ])('charge: the defaults allow %s', async (_, perSecond, seconds) => {
    const limiter = createRateLimiter({ rates: RATE_LIMITS, log });
    for (let n = 0; n < perSecond * seconds; n++) {
      expect(await waitOf(limiter, 'messages', 'aki')).toBe(0);
      vi.advanceTimersByTime(1_000 / perSecond);
    }
  });

  test('charge: keeps nothing of users who were idle for a whole window', async () => {
    const limiter = createRateLimiter({ rates: RATE_LIMITS, log });
    for (let n = 0; n < 1_000; n++) await waitOf(limiter, 'messages', `user ${n}`);
    expect(vi.getTimerCount()).toBe(1_000);
    vi.advanceTimersByTime(10_000);
    expect(vi.getTimerCount()).toBe(0);
  });
});
