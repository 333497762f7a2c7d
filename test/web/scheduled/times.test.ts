import { expect, it } from 'vitest';
import { zoneOf, zoneOfBrowser } from '../../../web/src/i18n/zone.ts';
import { localValue, timeOf, tomorrowMorning } from '../../../web/src/scheduled/times.ts';

const BERLIN = 'Europe/Berlin';
const tomorrow = (zone: string, now: string) => tomorrowMorning(zone, Date.parse(now)).toISOString();

it('tomorrow at 9: is by the clock of the zone, also over midnight of UTC', () => {
  expect(tomorrow('Asia/Tokyo', '2026-01-05T14:59:00Z')).toBe('2026-01-06T00:00:00.000Z');
  expect(tomorrow('Asia/Tokyo', '2026-01-05T15:00:00Z')).toBe('2026-01-07T00:00:00.000Z');
  expect(tomorrow('America/New_York', '2026-01-05T03:00:00Z')).toBe('2026-01-05T14:00:00.000Z');
  expect(tomorrow('Pacific/Kiritimati', '2026-12-31T12:00:00Z')).toBe('2027-01-01T19:00:00.000Z');
});

it('tomorrow at 9: is at 9 if the clock changes in the night', () => {
  expect(tomorrow(BERLIN, '2026-03-28T12:00:00Z')).toBe('2026-03-29T07:00:00.000Z');
  expect(tomorrow(BERLIN, '2026-10-24T12:00:00Z')).toBe('2026-10-25T08:00:00.000Z');
  // 22:30 on the day before, and 23:30 of a day with 25 hours.
  expect(tomorrow(BERLIN, '2026-10-24T22:30:00Z')).toBe('2026-10-26T08:00:00.000Z');
  expect(tomorrow(BERLIN, '2026-10-25T22:30:00Z')).toBe('2026-10-26T08:00:00.000Z');
});

it('a time that the clock leaves out: is later by an hour, as for `Date`', () => {
  expect(timeOf('2026-03-29T02:30', BERLIN).toISOString()).toBe('2026-03-29T01:30:00.000Z');
  expect(timeOf('2026-03-29T01:59', BERLIN).toISOString()).toBe('2026-03-29T00:59:00.000Z');
  expect(timeOf('2026-03-29T03:00', BERLIN).toISOString()).toBe('2026-03-29T01:00:00.000Z');
  // By half an hour, on the other side of the earth.
  expect(localValue(timeOf('2026-10-04T02:15', 'Australia/Lord_Howe'), 'Australia/Lord_Howe')).toBe(
    '2026-10-04T02:45',
  );
});

it('a time that the clock shows twice: is the first', () => {
  expect(timeOf('2026-10-25T02:30', BERLIN).toISOString()).toBe('2026-10-25T00:30:00.000Z');
  expect(timeOf('2026-10-25T03:00', BERLIN).toISOString()).toBe('2026-10-25T02:00:00.000Z');
  expect(timeOf('2026-11-01T01:30', 'America/New_York').toISOString()).toBe('2026-11-01T05:30:00.000Z');
});

it.each(['UTC', BERLIN, 'America/St_Johns', 'Asia/Kathmandu', 'Pacific/Apia'])(
  'the value of a field in %s: is the time that it was made of',
  (zone) => {
    // Each hour of the day, over a year.
    for (let at = Date.UTC(2026, 0, 1); at < Date.UTC(2027, 0, 1); at += 25 * 3_600_000) {
      const value = localValue(new Date(at), zone);
      expect(localValue(timeOf(value, zone), zone)).toBe(value);
      expect(at - timeOf(value, zone).getTime()).toBeOneOf([0, 3_600_000]);
    }
  },
);

it('a zone that the browser does not know: is that of the browser', () => {
  expect(zoneOf('Mars/Olympus')).toBe(zoneOfBrowser());
  expect(zoneOf(null)).toBe(zoneOfBrowser());
  expect(zoneOf('Asia/Tokyo')).toBe('Asia/Tokyo');
});
