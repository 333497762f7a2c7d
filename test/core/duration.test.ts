import { expect, test } from 'vitest';
import { parseSeconds } from '../../src/core/duration.ts';

test.each([
  ['0s', 0],
  ['10s', 10],
  ['05m', 300],
  ['24h', 86_400],
  ['7d', 604_800],
  ['999999d', 86_399_913_600],
])('parseSeconds: %s', (text, seconds) => {
  expect(parseSeconds(text)).toBe(seconds);
});

test.each(['', '10', 's', '10S', '10w', '-1s', '1.5s', '1e3s', ' 10s', '10s\n', '10s5s', '1000000s'])(
  'parseSeconds: undefined for %j',
  (text) => {
    expect(parseSeconds(text)).toBeUndefined();
  },
);
