import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defined } from '../../src/core/defined.ts';
import { toTimestamp } from '../../src/core/timestamps.ts';
import type { Activity, Variant } from '../../src/notifications/derive/activity.ts';
import {
  type ActorRecord,
  applyActivity,
  type NotificationState,
  type ReduceContext,
} from '../../src/notifications/derive/reducer.ts';
import { NAMED_MAX, type Notification, type NotificationKind } from '../../src/notifications/notification.ts';
import { scaled } from '../support/run/budget.ts';
import { seed } from '../support/run/seed.ts';
import { createReference } from './support/reference.ts';

const [room, threadTs, ts] = ['room', toTimestamp(1), toTimestamp(2)];
const DAY = 86_400;

type RecipientStatus = Pick<ReduceContext, 'muted' | 'leftRoom'>;

/** Any sequence of these is valid. `repeat` applies an earlier activity again. */
type Step =
  | {
      readonly type: 'activity';
      readonly actor: string;
      readonly op: Activity['op'];
      /** Only stamps have one. */
      readonly stamp: string;
      readonly status: RecipientStatus;
    }
  | { readonly type: 'repeat'; readonly which: number }
  | { readonly type: 'read' }
  | { readonly type: 'days'; readonly days: number };

const actor = fc.constantFrom(...Array.from({ length: NAMED_MAX + 4 }, (_, i) => `actor${i}`));
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant('activity'),
      actor,
      op: fc.constantFrom('added', 'added', 'removed'),
      stamp: fc.constantFrom('heart', 'tada', 'tea'),
      status: fc.integer({ max: 9, min: 0 }).map((n) => ({ muted: n <= 1, leftRoom: n === 0 })),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('repeat'), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.constant({ type: 'read' } as const) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('days'), days: fc.integer({ min: 1, max: 20 }) }) },
) as fc.Arbitrary<Step>;

/** The stamps on the message, as the activities change them. */
function createStampsOnMessage() {
  const on = new Map<string, Set<string>>();
  return {
    change({ actor: who, op, stamp: key }: Extract<Step, { type: 'activity' }>): Variant {
      const own = on.get(who) ?? new Set();
      on.set(who, own);
      if (op === 'added') own.add(key);
      else own.delete(key);
      const isOnMessage = [...on.values()].some((one) => one.has(key));
      return { key, isOnMessage, wasLast: op === 'removed' && own.size === 0 };
    },
  };
}

/** Keeps the state between the calls of `applyActivity`, instead of the table. */
function createTable(kind: NotificationKind) {
  let state: NotificationState = { current: null, actors: new Map() };
  let now = 1_000;
  let number = 0;
  let created = 0;
  const past: Activity[] = [];
  const read: Notification[] = [];
  const revs = new Map<string, number>();

  function take(activity: Activity, status: RecipientStatus): void {
    const context: ReduceContext = { ...status, id: `note${++created}`, epoch: 0, now, retention: 30 * DAY };
    const before = state;
    state = applyActivity(state, activity, context);
    const { current } = state;
    if (current !== null && current !== before.current) {
      expect(current.version).toBeGreaterThan(revs.get(current.id) ?? 0);
      revs.set(current.id, current.version);
    }
  }

  return {
    apply(who: string, op: Activity['op'], status: RecipientStatus, variant?: Variant): number {
      const at = ++number;
      const activity: Activity = {
        user: 'me',
        kind,
        room,
        threadTs,
        ts,
        actor: who,
        op,
        at: toTimestamp(at),
        sequence: toTimestamp(at),
        ...defined({ variant }),
      };
      past.push(activity);
      take(activity, status);
      return at;
    },
    repeat(which: number): void {
      const activity = past[which % Math.max(1, past.length)];
      const before = state;
      if (activity !== undefined) take(activity, { muted: false, leftRoom: false });
      expect(state).toEqual(before);
    },
    read(): number {
      const { current, actors: notified } = state;
      const expiresAt = now + 30 * DAY;
      if (current === null) return expiresAt;
      read.push(current);
      const kept = [...notified].map(([name, one]): [string, ActorRecord] => [
        name,
        one.notificationId === current.id ? { ...one, expiresAt } : one,
      ]);
      state = { current: null, actors: new Map(kept) };
      return expiresAt;
    },
    pass(days: number): void {
      now += days * DAY;
    },
    get now() {
      return now;
    },
    get current() {
      return state.current;
    },
    get notified() {
      return state.actors;
    },
  };
}

test.each(['LIKE', 'STAMP', 'MENTION', 'REPLY'] as const)(
  `applyActivity: of a %s, the unread notification counts each actor once, also if repeated (seed ${seed})`,
  (kind) => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const table = createTable(kind);
        const reference = createReference(kind);
        const stamps = createStampsOnMessage();
        for (const one of steps) {
          if (one.type === 'activity') {
            const variant = kind === 'STAMP' ? stamps.change(one) : undefined;
            const at = table.apply(one.actor, one.op, one.status, variant);
            reference.apply(one.actor, one.op, at, { ...one.status, now: table.now }, variant);
          } else if (one.type === 'repeat') table.repeat(one.which);
          else if (one.type === 'read') reference.readAll(table.read());
          else table.pass(one.days);

          const { current, notified } = table;
          expect(current?.count ?? 0).toBe(reference.count);
          const counted = [...notified].filter(
            ([, { notificationId: id }]) => id !== '' && id === current?.id,
          );
          expect(counted.map(([name]) => name).sort()).toEqual(reference.newest.slice().sort());
          const names = (current?.actors ?? []).map(({ user }) => user);
          // The newest actors are named. After removals there may be fewer, but never others.
          expect(names.length).toBeLessThanOrEqual(NAMED_MAX);
          expect(reference.newest.filter((name) => names.includes(name))).toEqual(names);
          if (names.length === reference.count) expect(names).toEqual(reference.newest);
        }
      }),
      { numRuns: scaled(100) },
    );
  },
);

const added = (who: string, at: number, kind: NotificationKind = 'LIKE'): Activity => ({
  user: 'me',
  kind,
  room,
  threadTs,
  ts,
  actor: who,
  op: 'added',
  at: toTimestamp(at),
  sequence: toTimestamp(at),
});
const context: ReduceContext = {
  muted: false,
  leftRoom: false,
  id: 'note',
  epoch: 3,
  now: 1_000,
  retention: 30 * DAY,
};
const applyAll = (activities: readonly Activity[]) =>
  activities.reduce((state, one) => applyActivity(state, one, context), {
    current: null,
    actors: new Map(),
  } as NotificationState);

test('applyActivity: orders a late activity by its time', () => {
  const { current } = applyAll([added('a', 10), added('b', 30), added('c', 20)]);
  expect(current?.actors.map(({ user }) => user)).toEqual(['b', 'c', 'a']);
  expect(current?.updatedAt).toBe(toTimestamp(30));
});

test('applyActivity: names at most NAMED_MAX actors of 1,000', () => {
  const { current } = applyAll(Array.from({ length: 1_000 }, (_, i) => added(`a${i}`, i)));
  expect(current).toMatchObject({ count: 1_000, epoch: 3, updatedAt: toTimestamp(999), latest: null });
  expect(current?.actors.map(({ user }) => user)).toEqual(
    Array.from({ length: NAMED_MAX }, (_, i) => `a${999 - i}`),
  );
});

test('applyActivity: keeps the newest reply', () => {
  expect(
    applyAll([added('a', 10, 'REPLY'), added('b', 30, 'REPLY'), added('a', 20, 'REPLY')]).current,
  ).toMatchObject({
    count: 2,
    latest: toTimestamp(30),
  });
});

test('applyActivity: what comes from another stream is newer, also if a table is used again', () => {
  const from = (stream: string, number: number, op: Activity['op']): Activity => ({
    ...added('a', number),
    op,
    sequence: `${stream}#${String(number).padStart(40, '0')}`,
  });
  const [first, second] = ['2026-11-01T00:00:00.000', '2026-11-02T00:00:00.000'];
  const there = applyAll([from(first, 9, 'added'), from(first, 10, 'removed'), from(second, 1, 'added')]);
  expect(there.current).toMatchObject({ count: 1 });
  const back = applyActivity(there, from(first, 20, 'removed'), context);
  expect(back.current).toBeNull();
  const again = applyActivity(back, from(first, 21, 'added'), context);
  expect(again.current).toMatchObject({ count: 1 });
  // Repetitions.
  for (const one of [from(first, 20, 'removed'), from('', 0, 'removed')])
    expect(applyActivity(again, one, context)).toBe(again);
});

const stamped = (at: number, key: string, change: Partial<Activity> = {}): Activity => ({
  ...added('a', at, 'STAMP'),
  variant: { key, isOnMessage: true, wasLast: false },
  ...change,
});

test('applyActivity: the newest different stamps are in the notification, without those that were removed', () => {
  const stamps = ['heart', 'tada', 'heart', 'tea', 'cake'];
  const activities = stamps.map((key, i) => stamped(i, key, { actor: `a${i}` }));
  const gone = { key: 'tea', isOnMessage: false, wasLast: true };
  const { current } = applyAll([
    ...activities,
    stamped(9, 'tea', { actor: 'a3', op: 'removed', variant: gone }),
  ]);
  expect(current?.variants.map(({ key }) => key)).toEqual(['cake', 'heart', 'tada']);
  expect(current?.count).toBe(4);
});

test.each([
  ['that changed nothing, before the stamp was added again', false],
  ['whose recipient was not in the room', true],
])('applyActivity: a repeated removal %s takes no stamp out of the notification', (_what, wasOutside) => {
  const nowhere = { key: 'tea', isOnMessage: false, wasLast: true };
  const removal = stamped(wasOutside ? 4 : 2, 'tea', { op: 'removed', variant: nowhere });
  const muted = { ...context, muted: true };
  let state: NotificationState = { current: null, actors: new Map() };
  state = applyActivity(state, stamped(1, wasOutside ? 'tea' : 'heart'), muted);
  if (!wasOutside) state = applyActivity(state, removal, context);
  state = applyActivity(state, stamped(3, 'tea', { actor: 'b' }), context);
  if (wasOutside) state = applyActivity(state, removal, { ...muted, leftRoom: true });
  expect(state.current?.variants).toHaveLength(1);
  expect(applyActivity(state, removal, context)).toEqual(state);
});

test('applyActivity: a record of an earlier release, without stamps, counts the actor until their last stamp is removed', () => {
  const { current, actors } = applyAll([added('a', 1, 'STAMP')]);
  const before = { current, actors };
  const different = applyActivity(before, stamped(2, 'tea'), context);
  expect(different.current).toMatchObject({ count: 1, updatedAt: toTimestamp(2) });
  const removed = { op: 'removed', actor: 'a' } as const;
  const one = { key: 'heart', isOnMessage: false, wasLast: false };
  expect(applyActivity(before, stamped(2, 'heart', { ...removed, variant: one }), context).current).toBe(
    current,
  );
  const last = { ...one, wasLast: true };
  expect(
    applyActivity(before, stamped(2, 'heart', { ...removed, variant: last }), context).current,
  ).toBeNull();
});
