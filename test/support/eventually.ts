import { vi } from 'vitest';

/** So long nothing takes, on however busy a machine: by then something is broken. */
export const PATIENCE_MS = 30_000;

/**
 * Resolves, to what it returns, when a condition no longer throws. For what has to happen but not in any certain
 * time: where a time is promised, measure it (`ownTime.ts`).
 */
export const eventually = <T>(condition: () => T | Promise<T>, interval = 20): Promise<T> =>
  vi.waitFor(condition, { interval, timeout: PATIENCE_MS });
