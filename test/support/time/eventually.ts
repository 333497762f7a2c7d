import { vi } from 'vitest';
import { SLOWEST, startFairTime } from './fairTime.ts';

/** How long tests wait for what must happen, in milliseconds of `fairTime.ts`. After this time something is broken. */
export const PATIENCE_MS = 30_000;

/**
 * The most that this can be by the usual clock. For limits that only know that clock, and that must not be reached
 * first.
 */
export const PATIENCE_AT_MOST_MS = PATIENCE_MS / SLOWEST;

// Not those that a test replaces with its own.
const { setTimeout, clearTimeout } = globalThis;

/**
 * Waits until a condition no longer throws, and returns its result. For what must happen, but not within a certain
 * time. If the product promises a time, measure it (`ownTime.ts`).
 */
export async function eventually<T>(condition: () => T | Promise<T>, interval = 20): Promise<T> {
  const leftMs = startFairTime(PATIENCE_MS);
  const outcome = await vi.waitFor(
    async () => {
      try {
        return { value: await condition() };
      } catch (error) {
        if (leftMs() > 0) throw error;
        return { error };
      }
    },
    { interval, timeout: PATIENCE_AT_MOST_MS },
  );
  if ('error' in outcome) throw outcome.error;
  return outcome.value;
}

/** Waits for a promise. `late` returns the message of the error if it does not settle in time. */
export async function inTime<T>(promise: Promise<T>, late: () => string, ms = PATIENCE_MS): Promise<T> {
  const leftMs = startFairTime(ms);
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    function check(left: number): void {
      if (left <= 0) reject(new Error(late()));
      else timer = setTimeout(() => check(leftMs()), left);
    }
    check(ms);
  });
  return Promise.race([promise, tooLate]).finally(() => clearTimeout(timer));
}
