import { expect, test } from 'vitest';
import { ContentionError, OutageError, OverloadError, unavailable } from '../../src/core/errors.ts';

test.each([
  ['an outage', () => new OutageError()],
  ['contention', () => new ContentionError()],
  ['overload', () => new OverloadError()],
  ['a server that is stopping', () => unavailable()],
])('UNAVAILABLE: %s asks clients to come back at different times, one to two seconds later', (_, create) => {
  const waits = Array.from({ length: 200 }, () => create().details.retryAfterMs ?? 0);
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(1_000);
  expect(Math.max(...waits)).toBeLessThanOrEqual(2_000);
  expect(new Set(waits).size).toBeGreaterThan(50);
});
