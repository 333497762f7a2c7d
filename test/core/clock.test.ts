import { expect, test } from 'vitest';
import { inTime } from '../../src/core/clock.ts';
import { createTestClock } from '../support/time/clock.ts';
import { held } from '../support/time/held.ts';

test('inTime: resolves with the value if it comes in time, and leaves no timer behind', async () => {
  const clock = createTestClock();
  const { promise, letGo } = held();
  const work = promise.then(() => 'value');
  const result = inTime(clock, 10, work, 'late');
  clock.advance(9);
  expect(clock.waiting).toBe(1);
  letGo();
  expect(await result).toBe('value');
  expect(clock.waiting).toBe(0);
});

test('inTime: resolves with `late` when the time is over', async () => {
  const clock = createTestClock();
  const result = inTime(clock, 10, held().promise, 'late');
  clock.advance(10);
  expect(await result).toBe('late');
});

test('inTime: rejects as the promise does, and leaves no timer behind', async () => {
  const clock = createTestClock();
  const work = Promise.reject(new Error('down'));
  await expect(inTime(clock, 10, work, 'late')).rejects.toThrow('down');
  expect(clock.waiting).toBe(0);
});
