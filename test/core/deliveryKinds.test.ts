import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { DELIVERY_WINDOWS, parseDeliveryWindows, WINDOW_MAX_S } from '../../src/core/deliveryKinds.ts';

describe('parseDeliveryWindows: changes the kinds that are named', () => {
  test.each([
    ['MENTION=5s/2m', { MENTION: { delaySeconds: 5, windowSeconds: 120 } }],
    [
      'LIKE=0s/7d, STAMP=1h/168h',
      {
        LIKE: { delaySeconds: 0, windowSeconds: WINDOW_MAX_S },
        STAMP: { delaySeconds: 3_600, windowSeconds: WINDOW_MAX_S },
      },
    ],
  ])('%s', (text, changed) => {
    expect(parseDeliveryWindows(text)).toEqual({ ...DELIVERY_WINDOWS, ...changed });
  });
});

test.each([
  ...['LIKE', 'LIKE=5', 'LIKE=5s', 'LIKE=5/5', 'LIKE=5s/', 'LIKE=-1s/5s', 'LIKE=1.5s/5s', 'LIKE=5s/5w'],
  ...['like=5s/5s', 'LIKES=5s/5s', 'PROFILE=5s/5s', 'LIKE=8d/5s', 'LIKE=5s/604801s', 'LIKE=999999d/1s'],
  ...['LIKE=5s/5s,LIKE=6s/6s', 'LIKE=5s/5s;STAMP=5s/5s', 'off', ''],
])('parseDeliveryWindows: refuses %j', (text) => {
  expect(parseDeliveryWindows(text)).toBeUndefined();
});

test('docs/delivery.md: its table has the kinds and the defaults', () => {
  const documented = readFileSync(new URL('../../docs/delivery.md', import.meta.url), 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, kind, , delay, window] = /^\| `([A-Z_]+)` \|(.*)\| (.+) \| (.+) \| .+ \|$/.exec(line) ?? [];
      return kind === undefined ? [] : [[kind, delay, window]];
    });
  const expected = Object.entries(DELIVERY_WINDOWS).map(([kind, { delaySeconds, windowSeconds }]) => [
    ...[kind, shown(delaySeconds), shown(windowSeconds)],
  ]);
  expect(documented).toEqual(expected);
});

/** `1 h`, `10 min`, `0 s`: in the largest unit that has no fraction. */
function shown(seconds: number): string {
  if (seconds > 0 && seconds % 3_600 === 0) return `${seconds / 3_600} h`;
  return seconds > 0 && seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}
