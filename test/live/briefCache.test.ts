import { expect, test } from 'vitest';
import { createBriefCache } from '../../src/live/briefCache.ts';
import { createTestClock } from '../support/time/clock.ts';

test('a brief cache: who comes within 100 ms gets the same value of the same key', () => {
  const clock = createTestClock();
  const cache = createBriefCache<string, object>(clock);
  const first = cache('a', () => ({}));
  clock.advance(99);
  expect(cache('a', () => ({}))).toBe(first);
  expect(cache('b', () => ({}))).not.toBe(first);
  clock.advance(1);
  expect(cache('a', () => ({}))).not.toBe(first);
});

test('a brief cache: a value is not kept longer than it is shared', () => {
  const clock = createTestClock();
  const cache = createBriefCache<string, object>({ ...clock, now: () => 0 });
  const first = cache('a', () => ({}));
  clock.advance(50);
  const other = cache('b', () => ({}));
  clock.advance(50);
  expect(cache('a', () => ({}))).not.toBe(first);
  expect(cache('b', () => ({}))).toBe(other);
});

test('a brief cache: a promise is shared while it is pending, and 100 ms after that', async () => {
  const clock = createTestClock();
  const cache = createBriefCache<string, Promise<number>>(clock);
  let resolve = (_: number) => {};
  const first = cache(
    'a',
    () =>
      new Promise((done) => {
        resolve = done;
      }),
  );
  clock.advance(10_000);
  expect(cache('a', async () => 2)).toBe(first);
  resolve(1);
  await first;
  clock.advance(99);
  expect(cache('a', async () => 2)).toBe(first);
  clock.advance(1);
  expect(await cache('a', async () => 2)).toBe(2);
});

test('a brief cache: a promise that rejects is not shared with those who come later', async () => {
  const cache = createBriefCache<string, Promise<number>>(createTestClock());
  await expect(cache('a', async () => Promise.reject(new Error('down')))).rejects.toThrow('down');
  expect(await cache('a', async () => 2)).toBe(2);
});
