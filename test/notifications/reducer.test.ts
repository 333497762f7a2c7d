import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toTimestamp } from '../../src/core/timestamps.ts';
import type { NotificationKind } from '../../src/dynamo/keys.ts';
import type { Activity } from '../../src/notifications/derive/activity.ts';
import {
  type ActorRecord,
  applyActivity,
  type NotificationState,
  type ReduceContext,
} from '../../src/notifications/derive/reducer.ts';
import { NAMED_MAX, type Notification } from '../../src/notifications/notification.ts';
import { scaled } from '../support/budget.ts';
import { seed } from '../support/seed.ts';
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
      status: fc.integer({ max: 9, min: 0 }).map((n) => ({ muted: n <= 1, leftRoom: n === 0 })),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('repeat'), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.constant({ type: 'read' } as const) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('days'), days: fc.integer({ min: 1, max: 20 }) }) },
) as fc.Arbitrary<Step>;

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
    apply(who: string, op: Activity['op'], status: RecipientStatus): number {
      const at = ++number;
      const activity: Activity = {
        ...{ user: 'me', kind, room, threadTs, ts, actor: who, op },
        at: toTimestamp(at),
        sequence: toTimestamp(at),
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
        for (const one of steps) {
          if (one.type === 'activity') {
            const at = table.apply(one.actor, one.op, one.status);
            reference.apply(one.actor, one.op, at, { ...one.status, now: table.now });
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
  ...{ user: 'me', kind, room, threadTs, ts, actor: who, op: 'added' },
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
