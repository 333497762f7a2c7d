import { describe, expect, test } from 'vitest';
import { changesBetween, withUnsaved } from '../../../web/src/delivery/changes.ts';
import { deviceLabel } from '../../../web/src/delivery/deviceLabel.ts';
import { durationIn, durationsWith } from '../../../web/src/delivery/durations.ts';

const like = {
  ...({ kind: 'LIKE', mode: 'ON', delaySeconds: 60, windowSeconds: 60 } as const),
  channels: ['WEB_PUSH' as const, 'EMAIL' as const],
};
const before = {
  hideText: false,
  pausedUntil: null,
  ...({ emailDigest: 'NEVER', email: null, emailRefusedAt: null, sendsEmail: true } as const),
  kinds: [like],
  quietHours: { from: '22:00', to: '07:00', timeZone: 'UTC', days: ['SUNDAY' as const, 'MONDAY' as const] },
};

describe('web delivery settings', () => {
  test('changes: contain only what was changed, and days in another order are the same', () => {
    const same = {
      ...before,
      kinds: [{ ...like, channels: like.channels.toReversed() }],
      quietHours: { ...before.quietHours, days: before.quietHours.days.toReversed() },
    };
    expect(changesBetween(before, same)).toBeUndefined();
    expect(changesBetween(before, { ...same, quietHours: null })).toEqual({ quietHours: null });
    expect(changesBetween(before, { ...same, emailDigest: 'DAILY' })).toEqual({ emailDigest: 'DAILY' });
    const off = { ...before, hideText: true, kinds: [{ ...like, mode: 'OFF' as const, delaySeconds: 0 }] };
    expect(changesBetween(before, off)).toEqual({
      hideText: true,
      kinds: [{ kind: 'LIKE', mode: 'OFF', delaySeconds: 0 }],
    });
  });

  test('what is not saved yet stays when something else is saved', () => {
    const draft = { ...before, hideText: true, kinds: [{ ...like, mode: 'OFF' as const }] };
    const now = {
      ...before,
      pausedUntil: '2027-01-01T00:00:00.000Z',
      quietHours: null,
      kinds: [{ ...like, delaySeconds: 10 }],
    };
    expect(withUnsaved(before, draft, now)).toEqual({
      ...now,
      hideText: true,
      kinds: [{ ...like, mode: 'OFF', delaySeconds: 10 }],
    });
    // What was saved is not a change any more.
    expect(changesBetween(draft, withUnsaved(before, draft, draft))).toBeUndefined();
    const removed = { ...before, quietHours: null };
    expect(withUnsaved(before, removed, { ...before, hideText: true })).toEqual({
      ...removed,
      hideText: true,
    });
  });

  test('durations: are in the largest exact unit, and contain the current one in order', () => {
    expect([10, 60, 90, 600, 7_200, 604_800].map((seconds) => durationIn('en', seconds))).toEqual([
      ...['10 seconds', '1 minute', '90 seconds', '10 minutes', '2 hours', '7 days'],
    ]);
    expect(durationIn('ja', 600)).toBe('10 分');
    expect(durationsWith(45).slice(0, 4)).toEqual([0, 10, 45, 60]);
    expect(durationsWith(60)).toHaveLength(durationsWith(0).length);
  });

  test.each([
    ['Mozilla/5.0 (Windows NT 10.0; Win64) AppleWebKit/537 Chrome/150 Safari/537 Edg/150', 'Edge, Windows'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) AppleWebKit/605 Version/19 Safari/605', 'Safari, Mac'],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 19 like Mac OS X) Version/19 Safari/604', 'Safari, iPhone'],
    ['Mozilla/5.0 (Linux; Android 16) Chrome/150 Mobile Safari/537', 'Chrome, Android'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0', 'Firefox, Linux'],
    ['something else', 'Web browser'],
  ])('a device: has a name: %s', (userAgent, label) => {
    expect(deviceLabel(userAgent)).toBe(label);
  });
});
