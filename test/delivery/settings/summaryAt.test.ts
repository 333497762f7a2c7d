import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { QuietHours } from '../../../src/delivery/settings/quietHours.ts';
import { holdOf, settingsOf, summaryAt } from '../../../src/delivery/settings/settings.ts';

const DAY_S = 24 * 3_600;
const days = [0, 1, 2, 3, 4, 5, 6];
const minute = fc.nat(1_439);
const quietHours = fc
  .tuple(minute, minute)
  .filter(([from, to]) => from !== to)
  .map(([from, to]): QuietHours => ({ from, to, timeZone: 'UTC', days }));
const shortest = minute.map((to): QuietHours => ({ from: (to + 1) % 1_440, to, timeZone: 'UTC', days }));

test('summaryAt: at least half a minute before quiet hours begin again, however long they are', () => {
  fc.assert(
    fc.property(fc.oneof(quietHours, shortest), fc.nat(DAY_S), fc.uuid(), (hours, second, user) => {
      const settings = { ...settingsOf(undefined), quietHours: hours };
      const hold = holdOf(settings, second * 1_000, ['LIKE']);
      fc.pre(hold !== null);
      const at = summaryAt(user, hold);
      expect(at - hold.until).toBeGreaterThanOrEqual(0);
      expect(at - hold.until).toBeLessThan(60_000);
      for (const late of [0, 29_999]) expect(holdOf(settings, at + late, ['LIKE'])).toBeNull();
    }),
  );
});
