import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createUserUsage } from '../../src/rateLimits/userUsage.ts';

test('take: a user never holds more than the maximum, also if a place is given back twice', () => {
  const action = fc.record({
    user: fc.constantFrom('aki', 'ben'),
    what: fc.constantFrom('sockets' as const, 'subscriptions' as const),
    giveBack: fc.boolean(),
    which: fc.nat(5),
  });
  const limits = { sockets: 2, subscriptions: 3 };
  fc.assert(
    fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
      const refused: string[] = [];
      const usage = createUserUsage({ limits, onRefused: (what) => refused.push(what) });
      const taken = new Map<string, Array<{ give: () => void; held: boolean }>>();
      let refusals = 0;
      for (const { user, what, giveBack, which } of actions) {
        const all = taken.get(`${user} ${what}`) ?? [];
        taken.set(`${user} ${what}`, all);
        const one = all[which];
        if (giveBack && one !== undefined) {
          // Also one that was given back before.
          one.give();
          one.held = false;
          continue;
        }
        const give = usage.take(what, user);
        const isFull = all.filter(({ held }) => held).length === limits[what];
        expect(give === undefined).toBe(isFull);
        if (give !== undefined) all.push({ give, held: true });
        else refusals++;
      }
      expect(refused).toHaveLength(refusals);
    }),
  );
});

test('take: without a limit there is always a place', () => {
  const usage = createUserUsage({ limits: {} });
  for (let i = 0; i < 1_000; i++) expect(usage.take('sockets', 'aki')).toBeDefined();
});

test('read: objects are counted for each user alone; what is refused is not', () => {
  let now = 0;
  const usage = createUserUsage({ limits: { objects: { max: 100, seconds: 10 } }, now: () => now });
  expect([usage.read('aki', 60), usage.read('aki', 40)]).toEqual([0, 0]);
  expect(usage.read('ben', 100)).toBe(0);
  // Ten a second come back.
  expect(usage.read('aki', 50)).toBe(5_000);
  now = 4_999;
  expect(usage.read('aki', 50)).toBe(1);
  now = 5_000;
  expect(usage.read('aki', 50)).toBe(0);
  const unlimited = createUserUsage({ limits: {} });
  expect(unlimited.read('aki', 1_000_000)).toBe(0);
});

test('read: a client that waits as long as it is asked to is let through, also with more than the whole limit', () => {
  const steps = fc.array(fc.tuple(fc.integer({ min: 1, max: 300 }), fc.nat(20_000)), { maxLength: 30 });
  fc.assert(
    fc.property(steps, (all) => {
      let now = 0;
      const usage = createUserUsage({ limits: { objects: { max: 100, seconds: 10 } }, now: () => now });
      let read = 0;
      for (const [count, pause] of all) {
        const waitMs = usage.read('aki', count);
        if (waitMs > 0) {
          now += waitMs;
          expect(usage.read('aki', count)).toBe(0);
        }
        read += count;
        // Never more than a burst, the steady rate, and the last document.
        expect(read).toBeLessThanOrEqual(100 + (now / 10_000) * 100 + Math.max(0, count - 100) + 0.01);
        now += pause;
      }
    }),
  );
});
