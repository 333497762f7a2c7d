import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createUserUsage } from '../../src/rateLimits/userUsage.ts';

const by = (user: string | null, network = '192.0.2.1') => ({ user, network });

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
        const give = usage.take(what, by(user));
        const isFull = all.filter(({ held }) => held).length === limits[what];
        expect(give === undefined).toBe(isFull);
        if (give !== undefined) all.push({ give, held: true });
        else refusals++;
      }
      expect(refused).toHaveLength(refusals);
    }),
  );
});

test('extend: takes more than the maximum, but not if more are held already', () => {
  const refused: string[] = [];
  const limits = { operations: 2, networkOperations: 20 };
  const usage = createUserUsage({ limits, onRefused: (what) => refused.push(what) });
  const own = usage.take('operations', by('aki'));
  const more = usage.extend('operations', by('aki'), 10);
  expect(usage.extend('operations', by('aki'), 1)).toBeUndefined();
  expect(usage.take('operations', by('aki'))).toBeUndefined();
  expect(usage.extend('operations', by('ben'), 10)).toBeDefined();
  expect(usage.extend('operations', by('eva'), 1)).toBeUndefined();
  expect(refused).toEqual(['operations', 'operations', 'networkOperations']);
  more?.();
  more?.();
  expect(usage.extend('operations', by('eva'), 1)).toBeDefined();
  own?.();
  expect([usage.take('operations', by('aki')), usage.take('operations', by('aki'))]).not.toContain(undefined);
  expect(usage.take('operations', by('aki'))).toBeUndefined();
});

test('add: takes places also if more than the maximum are held, which are given back as others', () => {
  const usage = createUserUsage({ limits: { operations: 1, networkOperations: 2 } });
  const places = [10, 10].map((count) => usage.add('operations', by('aki'), count));
  expect(usage.take('operations', by('aki'))).toBeUndefined();
  expect(usage.take('operations', by('ben'))).toBeUndefined();
  for (const giveBack of places) giveBack();
  expect(usage.take('operations', by('aki'))).toBeDefined();
  expect(usage.take('operations', by('ben'))).toBeDefined();
});

test('take: a network alone, or a user alone', () => {
  const usage = createUserUsage({ limits: { sockets: 1, networkSockets: 1 } });
  const giveBack = usage.take('sockets', { user: null, network: '192.0.2.1' });
  expect(usage.take('sockets', { user: 'aki', network: null })).toBeDefined();
  expect(usage.take('sockets', { user: 'aki', network: null })).toBeUndefined();
  expect(usage.take('sockets', by(null))).toBeUndefined();
  giveBack?.();
  expect(usage.take('sockets', by(null))).toBeDefined();
});

test('take: without a limit there is always a place', () => {
  const usage = createUserUsage({ limits: {} });
  for (let i = 0; i < 1_000; i++) expect(usage.take('sockets', by('aki'))).toBeDefined();
});

test('read: objects are counted for each user alone; what is refused is not', () => {
  let now = 0;
  const usage = createUserUsage({ limits: { objects: { max: 100, seconds: 10 } }, now: () => now });
  expect([usage.read(by('aki'), 60), usage.read(by('aki'), 40)]).toEqual([0, 0]);
  expect(usage.read(by('ben'), 100)).toBe(0);
  // Ten a second come back.
  expect(usage.read(by('aki'), 50)).toBe(5_000);
  now = 4_999;
  expect(usage.read(by('aki'), 50)).toBe(1);
  now = 5_000;
  expect(usage.read(by('aki'), 50)).toBe(0);
  const unlimited = createUserUsage({ limits: {} });
  expect(unlimited.read(by('aki'), 1_000_000)).toBe(0);
});

test('read: a client that waits as long as it is asked to is let through, also with more than the whole limit', () => {
  const steps = fc.array(fc.tuple(fc.integer({ min: 1, max: 300 }), fc.nat(20_000)), { maxLength: 30 });
  fc.assert(
    fc.property(steps, (all) => {
      let now = 0;
      const usage = createUserUsage({ limits: { objects: { max: 100, seconds: 10 } }, now: () => now });
      let read = 0;
      for (const [count, pause] of all) {
        const waitMs = usage.read(by('aki'), count);
        if (waitMs > 0) {
          now += waitMs;
          expect(usage.read(by('aki'), count)).toBe(0);
        }
        read += count;
        // Never more than a burst, the steady rate, and the last document.
        expect(read).toBeLessThanOrEqual(100 + (now / 10_000) * 100 + Math.max(0, count - 100) + 0.01);
        now += pause;
      }
    }),
  );
});

test('take: the users of a network hold no more than the network may, and give back both places', () => {
  const refused: string[] = [];
  const limits = { sockets: 2, networkSockets: 3 };
  const usage = createUserUsage({ limits, onRefused: (what) => refused.push(what) });
  const first = usage.take('sockets', by('aki'));
  expect([usage.take('sockets', by('aki')), usage.take('sockets', by(null))]).not.toContain(undefined);
  expect(usage.take('sockets', by('ben'))).toBeUndefined();
  expect(usage.take('sockets', by('ben', '192.0.2.2'))).toBeDefined();
  first?.();
  first?.();
  // The place that the network refused was not kept.
  expect([usage.take('sockets', by('ben')), usage.take('sockets', by(null))]).toEqual([
    expect.any(Function),
    undefined,
  ]);
  expect(refused).toEqual(['networkSockets', 'networkSockets']);
});

test('read: the users of a network share its budget, and what it refuses costs the user nothing', () => {
  const limits = { objects: { max: 100, seconds: 10 }, networkObjects: { max: 150, seconds: 10 } };
  const usage = createUserUsage({ limits, now: () => 0 });
  expect([usage.read(by('aki'), 100), usage.read(by('ben'), 100), usage.read(by('ben'), 50)]).toEqual([
    0, 3_334, 0,
  ]);
  expect(usage.read(by('ben', '192.0.2.2'), 50)).toBe(0);
});

test('refuse: after a burst the time to wait grows, up to its limit, and ends when refusals end', () => {
  let now = 0;
  const usage = createUserUsage({ limits: { refusals: { max: 5, seconds: 1 } }, now: () => now });
  const waits = Array.from({ length: 20 }, () => usage.refuse(by('eve')));
  expect(waits).toEqual([
    0,
    0,
    0,
    0,
    0,
    200,
    400,
    600,
    800,
    1_000,
    1_200,
    1_400,
    1_600,
    1_800,
    ...Array(6).fill(2_000),
  ]);
  expect(usage.refuse(by('aki'))).toBe(0);
  now = 2_000;
  expect([usage.refuse(by('eve')), usage.refuse(by('eve'))]).toEqual([0, 200]);
});

test('refuse: all clients of a network without a token are one user', () => {
  const usage = createUserUsage({ limits: { refusals: { max: 1, seconds: 10 } }, now: () => 0 });
  expect([usage.refuse(by(null)), usage.refuse(by(null))]).toEqual([0, 2_000]);
  expect([usage.refuse(by(null, '192.0.2.2')), usage.refuse(by('aki'))]).toEqual([0, 0]);
});
