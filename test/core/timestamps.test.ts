import { expect, test } from 'vitest';
import { createTimestamps } from '../../src/core/timestamps.ts';

test('createTimestamps: timestamps rise within one millisecond, and if the clock jumps back', () => {
  let now = 1_000;
  const timestamps = createTimestamps(() => now);
  const created = Array.from({ length: 1_000 }, () => timestamps.next());
  now = 500;
  created.push(timestamps.next());
  expect(new Set(created).size).toBe(1_001);
  expect([...created].sort()).toEqual(created);
  expect(created.every((timestamp) => timestamp.length === 16)).toBe(true);
});

test('createTimestamps: a floor ahead of the clock is returned, and does not advance the clock', () => {
  const timestamps = createTimestamps(() => 1_000);
  const before = timestamps.next();
  expect(timestamps.next(9_000_000_000)).toBe('0000009000000000');
  expect(timestamps.next()).toBe(String(Number(before) + 1).padStart(16, '0'));
});
