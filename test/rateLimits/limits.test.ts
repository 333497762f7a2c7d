import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { RATE_LIMITS } from '../../src/core/rateLimits.ts';
import { createLimits } from '../../src/rateLimits/limits.ts';
import { recordingLog } from '../bus/support.ts';
import { limitsContract, waitOf } from '../contract/limits.ts';

const { log } = recordingLog();

limitsContract('in memory', async (rates) => createLimits({ rates, log }));

describe('as time goes by', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('whoever waits as long as they are told is let through', async () => {
    const limits = createLimits({ rates: { messages: { most: 20, seconds: 10 } }, log });
    for (let n = 0; n < 22; n++) expect(await waitOf(limits, 'messages', 'aki')).toBe(0);
    const wait = await waitOf(limits, 'messages', 'aki');
    expect(wait).toBe(1_000);
    vi.advanceTimersByTime(wait - 1);
    expect(await waitOf(limits, 'messages', 'aki')).toBeGreaterThan(0);
    vi.advanceTimersByTime(1);
    expect(await waitOf(limits, 'messages', 'aki')).toBe(0);
  });

  test('a script that never pauses gets its bursts and the steady rate, and no more', async () => {
    const limits = createLimits({ rates: { messages: { most: 20, seconds: 10 } }, log });
    let sent = 0;
    for (let ms = 0; ms < 60_000; ms += 50) {
      if ((await waitOf(limits, 'messages', 'script')) === 0) sent++;
      vi.advanceTimersByTime(50);
    }
    // Two a second, and twenty more in each ten.
    expect(sent).toBe(60 * 2 + 6 * 20);
  });

  test.each([
    ['three messages a second for ten seconds', 3, 10],
    ['one and a half a second for an hour', 1.5, 3_600],
  ])('a fast person does not meet the defaults: %s', async (_, perSecond, seconds) => {
    const limits = createLimits({ rates: RATE_LIMITS, log });
    for (let n = 0; n < perSecond * seconds; n++) {
      expect(await waitOf(limits, 'messages', 'aki')).toBe(0);
      vi.advanceTimersByTime(1_000 / perSecond);
    }
  });

  test('nothing is kept of who has been quiet for long enough', async () => {
    const limits = createLimits({ rates: RATE_LIMITS, log });
    for (let n = 0; n < 1_000; n++) await waitOf(limits, 'messages', `person ${n}`);
    expect(vi.getTimerCount()).toBe(1_000);
    vi.advanceTimersByTime(10_000);
    expect(vi.getTimerCount()).toBe(0);
  });
});
