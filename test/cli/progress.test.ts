import { expect, test } from 'vitest';
import { progressLine, timeText } from '../../src/cli/command/progress.ts';

const line = (done: number, total: number | undefined) =>
  JSON.parse(progressLine({ done, total, what: 'items', seconds: 10 }));

test('a line of progress says how much is left, if that is known', () => {
  expect(line(100, 400)).toEqual({ done: 100, total: 400, what: 'items', remainingSeconds: 30 });
  expect(line(400, 400)).toEqual({ done: 400, total: 400, what: 'items', remainingSeconds: 0 });
  expect(line(0, 400)).toEqual({ done: 0, total: 400, what: 'items' });
  expect(line(100, undefined)).toEqual({ done: 100, what: 'items' });
});

test('if more is done than there was, as in a table that grows, it is not known how much is left', () => {
  expect(line(500, 400)).toEqual({ done: 500, what: 'items' });
});

test.each([
  [0, '0s'],
  [8, '8s'],
  [58, '1m00s'],
  [52, '50s'],
  [124, '2m05s'],
  [4_790, '1h19m'],
])('%i seconds that are left are shown as %s', (seconds, text) => {
  expect(timeText(seconds)).toBe(text);
});
