import { vi } from 'vitest';

/** Nothing takes this long, even on a busy machine. After this time something must be broken. */
export const PATIENCE_MS = 30_000;

/**
 * Waits until a condition no longer throws, and returns its result. For what must happen, but not within a certain
 * time. If the product promises a time, measure it (`ownTime.ts`).
 */
export const eventually = <T>(condition: () => T | Promise<T>, interval = 20): Promise<T> =>
  vi.waitFor(condition, { interval, timeout: PATIENCE_MS });
