import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { endOfQuietHours, type QuietHours } from '../../../src/delivery/settings/quietHours.ts';
import { scaled } from '../../support/run/budget.ts';

const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6];
const at = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
const hours = (from: string, to: string, timeZone: string, days = EVERY_DAY): QuietHours => ({
  from: at(from),
  to: at(to),
  timeZone,
  days,
});
const endOf = (one: QuietHours, now: string) => new Date(endOfQuietHours(one, Date.parse(now))).toISOString();

describe('endOfQuietHours', () => {
  test.each([
    ['outside', '12:00', '2026-11-23T12:00:00.000Z', '2026-11-23T12:00:00.000Z'],
    ['at their first minute', '22:00', '2026-11-23T22:00:00.000Z', '2026-11-24T07:00:00.000Z'],
    ['just before them', '21:59', '2026-11-23T21:59:59.999Z', '2026-11-23T21:59:59.999Z'],
    ['after midnight', '03:00', '2026-11-24T03:00:00.500Z', '2026-11-24T07:00:00.000Z'],
    ['at their end', '07:00', '2026-11-24T07:00:00.000Z', '2026-11-24T07:00:00.000Z'],
  ])('%s', (_name, _local, now, end) => {
    expect(endOf(hours('22:00', '07:00', 'UTC'), now)).toBe(end);
  });

  test('in the zone of the person', () => {
    expect(endOf(hours('22:00', '07:00', 'Asia/Tokyo'), '2026-11-23T13:30:00Z')).toBe(
      '2026-11-23T22:00:00.000Z',
    );
    expect(endOf(hours('12:00', '13:00', 'Asia/Kathmandu'), '2026-11-23T06:20:00Z')).toBe(
      '2026-11-23T07:15:00.000Z',
    );
  });

  test('only on the days on which they begin', () => {
    const weekend = hours('22:00', '07:00', 'UTC', [5]);
    // Friday, and the morning after it.
    expect(endOf(weekend, '2026-11-27T23:00:00Z')).toBe('2026-11-28T07:00:00.000Z');
    expect(endOf(weekend, '2026-11-28T06:00:00Z')).toBe('2026-11-28T07:00:00.000Z');
    expect(endOf(weekend, '2026-11-28T23:00:00Z')).toBe('2026-11-28T23:00:00.000Z');
    expect(endOf(weekend, '2026-11-27T06:00:00Z')).toBe('2026-11-27T06:00:00.000Z');
  });

  // In Berlin clocks go from 02:00 to 03:00 on 29 March 2026 (01:00 UTC), and from 03:00 to 02:00 on 25 October.
  test.each([
    ['an hour shorter over the gap', '22:00', '07:00', '2026-03-28T22:00:00Z', '2026-03-29T05:00:00.000Z'],
    [
      'ends at the gap if its end is in it',
      '22:00',
      '02:30',
      '2026-03-29T00:30:00Z',
      '2026-03-29T01:00:00.000Z',
    ],
    ['an hour longer over the fold', '22:00', '07:00', '2026-10-24T21:00:00Z', '2026-10-25T06:00:00.000Z'],
    ['ends at the first 02:30 of two', '22:00', '02:30', '2026-10-25T00:10:00Z', '2026-10-25T00:30:00.000Z'],
    [
      'and is inside again in the second 02:10',
      '22:00',
      '02:30',
      '2026-10-25T01:10:00Z',
      '2026-10-25T01:30:00.000Z',
    ],
    ['ends at 03:00 after the fold', '22:00', '03:00', '2026-10-25T00:30:00Z', '2026-10-25T02:00:00.000Z'],
    ['begins in the gap', '02:30', '04:00', '2026-03-29T01:00:00Z', '2026-03-29T02:00:00.000Z'],
  ])('daylight saving: %s', (_name, from, to, now, end) => {
    expect(endOf(hours(from, to, 'Europe/Berlin'), now)).toBe(end);
  });

  test('is the first minute at which the local clock is outside, in any zone and at any time', () => {
    const zones = [
      'Europe/Berlin',
      'America/New_York',
      'Australia/Lord_Howe',
      'Asia/Tokyo',
      'Africa/Casablanca',
    ];
    const minute = fc.integer({ min: 0, max: 1_439 });
    fc.assert(
      fc.property(
        fc.record({
          from: minute,
          to: minute,
          timeZone: fc.constantFrom(...zones),
          days: fc.subarray(EVERY_DAY),
        }),
        // All of 2026, in minutes, and close to its changes.
        fc.oneof(
          fc.integer({ min: 0, max: 365 * 1_440 }),
          fc.integer({ min: 0, max: 2_880 }).map((one) => one + 86 * 1_440),
          fc.integer({ min: 0, max: 2_880 }).map((one) => one + 296 * 1_440),
        ),
        (one, minutes) => {
          fc.pre(one.from !== one.to);
          const now = Date.UTC(2026, 0, 1) + minutes * 60_000;
          let expected = now;
          while (isInside(one, expected)) expected += 60_000;
          expect(endOfQuietHours(one, now)).toBe(expected);
        },
      ),
      { numRuns: scaled(40) },
    );
  });
});

/** By the local clock alone. */
function isInside({ from, to, timeZone, days }: QuietHours, now: number): boolean {
  const text = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(now);
  const [, weekday = '', hour, minute] = /^(\w+)\D+(\d+):(\d+)$/.exec(text) ?? [];
  const day = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'].indexOf(weekday);
  const minutes = Number(hour) * 60 + Number(minute);
  if (from < to) return from <= minutes && minutes < to && days.includes(day);
  return (minutes >= from && days.includes(day)) || (minutes < to && days.includes((day + 6) % 7));
}
