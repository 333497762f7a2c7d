import { expect, test } from 'vitest';
import { createSpacedLines } from '../../src/core/spacedLines.ts';
import { createTestClock } from '../support/time/clock.ts';

test('spacedLines: one line for each key in its time, with the number of those that were left out', () => {
  const clock = createTestClock();
  const lines = createSpacedLines({ everyMs: 1_000, now: clock.now });
  expect([lines.next('a'), lines.next('a'), lines.next('b'), lines.next('a')]).toEqual([
    0,
    undefined,
    0,
    undefined,
  ]);
  clock.advance(999);
  expect(lines.next('a')).toBeUndefined();
  clock.advance(1);
  expect([lines.next('a'), lines.next('b')]).toEqual([3, 0]);
});
