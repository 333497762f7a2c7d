import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { resyncTopic, userTopic } from '../../../src/bus/bus.ts';
import type { LiveStream } from '../../../src/live/subscription.ts';
import type { NotificationChange } from '../../../src/notifications/live/subscription.ts';
import {
  firstMembershipVersion,
  lastMembershipVersion,
  type Membership,
  type MembershipEvent,
} from '../../../src/rooms/room.ts';
import { openTestDynamo, type TestDynamo } from '../../support/database/dynamo.ts';
import { eventually, PATIENCE_AT_MOST_MS } from '../../support/time/eventually.ts';
import {
  createNotificationFixture,
  createTurnClock,
  type FixtureOptions,
  type NotificationFixture,
  nextChange,
  summaryOf,
} from '../support/fixture.ts';

let db: TestDynamo;
let fixtures: NotificationFixture[] = [];
beforeAll(async () => {
  db = await openTestDynamo();
});
afterAll(() => db.stop());
afterEach(async () => {
  await Promise.all(fixtures.map((fixture) => fixture.stop()));
  fixtures = [];
});

async function open(options: FixtureOptions = {}): Promise<NotificationFixture> {
  const fixture = await createNotificationFixture(db.dynamo, { everyMs: 100, ...options });
  fixtures.push(fixture);
  return fixture;
}

/** Takes events. Returns a summary of each. */
async function take(events: AsyncIterator<NotificationChange>, count: number): Promise<string[]> {
  const list: string[] = [];
  while (list.length < count) list.push(summaryOf(await nextChange(events)));
  return list;
}

test('notificationChanged: sends the unread notifications, oldest first, then each change', async () => {
  const fixture = await open();
  const [a, b, c] = [await fixture.store(), await fixture.store(3), await fixture.store()];
  await fixture.read(b.id);
  const events = await fixture.subscribe();
  expect(await take(events, 2)).toEqual([`${a.id}×1`, `${c.id}×1`]);
  const grown = await fixture.grow(a.id);
  await fixture.publish(a.id, grown.version);
  const d = await fixture.store();
  await fixture.publish(d.id, d.version);
  expect((await take(events, 2)).sort()).toEqual([`${a.id}×2`, `${d.id}×1`].sort());
});

test('notificationChanged: sends the first change at once', async () => {
  const fixture = await open({ everyMs: 2 * PATIENCE_AT_MOST_MS });
  const events = await fixture.subscribe();
  const { id, version } = await fixture.store();
  await fixture.publish(id, version);
  expect(await take(events, 1)).toEqual([`${id}×1`]);
});

test('notificationChanged: sends many changes of a notification as one event with the last state', async () => {
  const everyMs = 400;
  const pace = createTurnClock();
  const fixture = await open({ everyMs, pace });
  const events = await fixture.subscribe();
  const { id, version } = await fixture.store();
  await fixture.publish(id, version);
  expect(await take(events, 1)).toEqual([`${id}×1`]);
  const first = pace();
  for (let i = 0; i < 20; i++) await fixture.publish(id, (await fixture.grow(id)).version);
  expect(await take(events, 1)).toEqual([`${id}×21`]);
  expect(pace() - first).toBeGreaterThanOrEqual(everyMs);
});

test('notificationChanged: sends the id of a removed notification once', async () => {
  const fixture = await open();
  const { id } = await fixture.store();
  const events = await fixture.subscribe();
  expect(await take(events, 1)).toEqual([`${id}×1`]);
  const version = await fixture.remove(id);
  await fixture.publish(id, version);
  expect(await take(events, 1)).toEqual([`${id} gone`]);
  await fixture.publish(id, version);
  const other = await fixture.store();
  await fixture.publish(other.id, other.version);
  expect(await take(events, 1)).toEqual([`${other.id}×1`]);
});

test('notificationChanged: ignores repeated and late records', async () => {
  const fixture = await open();
  const events = await fixture.subscribe();
  const { id } = await fixture.store();
  await fixture.grow(id);
  const read = await fixture.read(id);
  // A consumer that restarts publishes all changes from the first one.
  for (const version of [1, 2, read.version, 1, 2]) await fixture.publish(id, version);
  expect(await take(events, 1)).toEqual([`${id} read`]);
  const other = await fixture.store();
  await fixture.publish(other.id, other.version);
  expect(await take(events, 1)).toEqual([`${other.id}×1`]);
});

test('notificationChanged: after markAllRead sends a notification as read even if its item is still unread', async () => {
  const fixture = await open();
  const events = await fixture.subscribe();
  const { id } = await fixture.store();
  await fixture.readAll();
  await fixture.publish(id, 1);
  expect(await take(events, 1)).toEqual([`${id} read`]);
  const late = await fixture.subscribe();
  const fresh = await fixture.store();
  await fixture.publish(fresh.id, fresh.version);
  expect(await take(late, 1)).toEqual([`${fresh.id}×1`]);
});

describe('notificationChanged: when its reader leaves or enters a room', () => {
  const joined = (room: string, version: number) => ({
    type: 'membership',
    membership: { room, version } as Membership,
  });

  test('sends the unread notifications of that room again, once for each time', async () => {
    const fixture = await open();
    const [a, b, c] = [await fixture.store(), await fixture.store(1, 'other'), await fixture.store(2)];
    const events = await fixture.subscribe();
    expect(await take(events, 3)).toEqual([`${a.id}×1`, `${b.id}×1`, `${c.id}×2`]);
    const topic = userTopic<MembershipEvent>(fixture.user);
    const first = firstMembershipVersion(0);
    // The server that took the request and the consumer both publish it.
    const left = { type: 'left', room: 'r', version: lastMembershipVersion(first + 3) } as const;
    await fixture.bus.publish(topic, left);
    expect((await take(events, 2)).sort()).toEqual([`${a.id}×1`, `${c.id}×2`].sort());
    await fixture.bus.publish(topic, left);
    const again = firstMembershipVersion(1);
    for (const version of [first, first + 1, again, again, again + 1])
      await fixture.bus.publish(topic, joined('r', version) as MembershipEvent);
    expect((await take(events, 2)).sort()).toEqual([`${a.id}×1`, `${c.id}×2`].sort());
    const d = await fixture.store(1, 'other');
    await fixture.publish(d.id, d.version);
    expect(await take(events, 1)).toEqual([`${d.id}×1`]);
  });

  test.each([
    ['unread', 'r'],
    // The badge of the event may have that room.
    ['unread', 'another room'],
    ['read', 'r'],
    ['gone', 'r'],
  ])('makes one that is %s and being executed again, if they leave %s', async (state, room) => {
    const fixture = await open();
    const { id } = await fixture.store();
    const events = (await fixture.subscribe()) as LiveStream<NotificationChange>;
    const sent: string[] = [];
    const executing: Array<() => void> = [];
    const execute = async () => {
      await eventually(() => expect(executing).toHaveLength(1));
      executing.pop()?.();
    };
    const ended = events.pushTo(async (change, mayStillSend) => {
      await new Promise<void>((resolve) => executing.push(resolve));
      if (mayStillSend(change)) sent.push(summaryOf(change));
    });
    if (state !== 'unread') {
      await execute();
      const version = state === 'gone' ? await fixture.remove(id) : (await fixture.read(id)).version;
      await fixture.publish(id, version);
    }
    await eventually(() => expect(executing).toHaveLength(1));
    const before = sent.length;
    const version = lastMembershipVersion(firstMembershipVersion(0));
    await fixture.bus.publish(userTopic<MembershipEvent>(fixture.user), { type: 'left', room, version });
    await new Promise(setImmediate);
    await execute();
    await eventually(() => expect(executing).toHaveLength(1));
    expect(sent).toHaveLength(before);
    await execute();
    await eventually(() =>
      expect(sent.slice(before)).toEqual([state === 'unread' ? `${id}×1` : `${id} ${state}`]),
    );
    await events.return?.();
    await ended;
  });

  test('sends them after the database was down', async () => {
    let failures = 0;
    const fixture = await open({
      through: (dynamo) => ({
        ...dynamo,
        async queryIndex(...args) {
          if (failures > 0 && failures-- > 0) throw new Error('The database is down.');
          return dynamo.queryIndex(...args);
        },
      }),
    });
    const { id } = await fixture.store();
    const events = await fixture.subscribe();
    expect(await take(events, 1)).toEqual([`${id}×1`]);
    failures = 2;
    const version = lastMembershipVersion(firstMembershipVersion(0));
    await fixture.bus.publish(userTopic<MembershipEvent>(fixture.user), { type: 'left', room: 'r', version });
    expect(await take(events, 1)).toEqual([`${id}×1`]);
  });
});

describe('notificationChanged: after a resync', () => {
  test('sends notifications that grew, are new, were read or were removed', async () => {
    const fixture = await open();
    const [grows, goes, isRead, stays] = [
      await fixture.store(),
      await fixture.store(),
      await fixture.store(),
      await fixture.store(),
    ];
    const events = await fixture.subscribe();
    await take(events, 4);
    await fixture.grow(grows.id);
    await fixture.remove(goes.id);
    await fixture.read(isRead.id);
    const fresh = await fixture.store();
    await fixture.bus.publish(resyncTopic, { reason: 'a test' });
    expect((await take(events, 4)).sort()).toEqual(
      [`${grows.id}×2`, `${goes.id} gone`, `${isRead.id} read`, `${fresh.id}×1`].sort(),
    );
    await fixture.publish(stays.id, (await fixture.grow(stays.id)).version);
    expect(await take(events, 1)).toEqual([`${stays.id}×2`]);
  });

  test('reads from the table if more changes wait for a client than the buffer holds', async () => {
    const fixture = await open();
    const events = await fixture.subscribe();
    const pending = nextChange(events);
    const first = await fixture.store();
    await fixture.publish(first.id, 1);
    await pending;
    const ids: string[] = [];
    for (let i = 0; i < 60; i++) ids.push((await fixture.store()).id);
    for (let i = 0; i < 300; i++) await fixture.publish(`unknown${i}`, 1);
    for (const id of ids) await fixture.publish(id, 1);
    expect(await take(events, 60)).toEqual(ids.map((id) => `${id}×1`));
  });
});

describe('notificationChanged: when it is opened', () => {
  test('sends a change that happens during the first read', async () => {
    let duringRead: (() => Promise<void>) | undefined;
    const fixture = await open({
      through: (dynamo) => ({
        ...dynamo,
        async queryIndex(...args) {
          const page = await dynamo.queryIndex(...args);
          const change = duringRead;
          duringRead = undefined;
          await change?.();
          return page;
        },
      }),
    });
    const shown = await fixture.store();
    let fresh = '';
    duringRead = async () => {
      const one = await fixture.store();
      fresh = one.id;
      await fixture.publish(one.id, one.version);
    };
    const events = await fixture.subscribe();
    expect(await take(events, 2)).toEqual([`${shown.id}×1`, `${fresh}×1`]);
  });

  test('does not share what another one of the user has read before it was attached', async () => {
    let duringRead: (() => Promise<void>) | undefined;
    const fixture = await open({
      through: (dynamo) => ({
        ...dynamo,
        async batchGet(wanted) {
          const found = await dynamo.batchGet(wanted);
          const change = duringRead;
          duringRead = undefined;
          await change?.();
          return found;
        },
      }),
    });
    const shown = await fixture.store();
    let late: Promise<string[]> | undefined;
    let fresh = '';
    // Its event was before the second one is attached.
    duringRead = async () => {
      fresh = (await fixture.store()).id;
      late = take(await fixture.subscribe(), 2);
    };
    expect(await take(await fixture.subscribe(), 1)).toEqual([`${shown.id}×1`]);
    expect(await late).toEqual([`${shown.id}×1`, `${fresh}×1`]);
  });

  test('waits for an index that lags, because the badge counts more than it has', async () => {
    let lagging = true;
    const fixture = await open({
      through: (dynamo) => ({
        ...dynamo,
        queryIndex: async (...args) => (lagging ? { items: [], more: false } : dynamo.queryIndex(...args)),
      }),
    });
    const { id } = await fixture.store();
    const events = await fixture.subscribe();
    const first = take(events, 1);
    await eventually(() => expect(fixture.live.size).toBe(1));
    lagging = false;
    expect(await first).toEqual([`${id}×1`]);
  });

  test('sends only the newest hundred', async () => {
    const fixture = await open();
    const ids: string[] = [];
    for (let i = 0; i < 105; i++) ids.push((await fixture.store()).id);
    const events = await fixture.subscribe();
    expect(await take(events, 100)).toEqual(ids.slice(5).map((id) => `${id}×1`));
  });
});

test('notificationChanged: retries while the database is down', async () => {
  let failures = 0;
  const fixture = await open({
    through: (dynamo) => ({
      ...dynamo,
      async batchGet(wanted) {
        if (failures++ === 0) throw new Error('The database is down.');
        return dynamo.batchGet(wanted);
      },
    }),
  });
  const { id } = await fixture.store();
  expect(await take(await fixture.subscribe(), 1)).toEqual([`${id}×1`]);
  expect(failures).toBeGreaterThan(1);
});

test('notificationChanged: completes at once when it is closed during a pending read', async () => {
  const fixture = await open();
  const events = await fixture.subscribe();
  const waiting = events.next();
  expect(fixture.live.size).toBe(1);
  await events.return?.();
  expect(await waiting).toEqual({ done: true, value: undefined });
  expect(fixture.live.size).toBe(0);
});
