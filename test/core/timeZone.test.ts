import { expect, test } from 'vitest';
import { normalizedTimeZone } from '../../src/core/timeZone.ts';

test.each([
  ['Asia/Tokyo', 'Asia/Tokyo'],
  ['europe/berlin', 'Europe/Berlin'],
  ['UTC', 'UTC'],
  ['Europe/Atlantis', undefined],
  ['+09:00', undefined],
  ['', undefined],
  ['A'.repeat(100), undefined],
])('normalizedTimeZone: %j is %j', (name, expected) => {
  expect(normalizedTimeZone(name)).toBe(expected);
});
