import { expect, test } from 'vitest';
import type { Clock } from '../../src/core/clock.ts';
import { every } from '../../src/core/every.ts';

/** A clock with one timer, which `fire` lets end. */
function manualClock() {
  let waiting: { readonly ms: number; readonly call: () => void } | undefined;
  const clock: Clock = {
    now: () => 0,
    after(ms, call) {
      waiting = { ms, call };
      return () => {
        waiting = undefined;
      };
    },
  };
  const fire = () => {
    const timer = waiting;
    waiting = undefined;
    timer?.call();
  };
  return { clock, fire, waitsFor: () => waiting?.ms };
}

test('every: runs one at a time, waits after each, and reports each outcome', async () => {
  const { clock, fire, waitsFor } = manualClock();
  const outcomes: string[] = [];
  const runs: Array<PromiseWithResolvers> = [];
  const health = {
    good: true,
    worked: () => void outcomes.push('worked'),
    failed: () => void outcomes.push('failed'),
  };
  const stop = every(7, () => new Promise((resolve, reject) => runs.push({ resolve, reject })), {
    clock,
    health,
  });
  expect([waitsFor(), runs.length]).toEqual([7, 0]);
  fire();
  expect([waitsFor(), runs.length]).toEqual([undefined, 1]);
  runs[0]?.reject(new Error('down'));
  await expect.poll(waitsFor).toBe(7);
  fire();
  runs[1]?.resolve();
  await expect.poll(waitsFor).toBe(7);
  expect(outcomes).toEqual(['failed', 'worked']);

  fire();
  let stopped = false;
  const stopping = stop().then(() => {
    stopped = true;
  });
  await Promise.resolve();
  expect(stopped).toBe(false);
  runs[2]?.resolve();
  await stopping;
  expect(waitsFor()).toBeUndefined();
});

interface PromiseWithResolvers {
  resolve(value?: unknown): void;
  reject(error: unknown): void;
}
