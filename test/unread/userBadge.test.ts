/** Former members never receive anything of a room in their badge, and members miss nothing because of that check. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { unavailable } from '../../src/core/errors.ts';
import { microsOf, toTimestamp } from '../../src/core/timestamps.ts';
import type { LiveStream } from '../../src/live/subscription.ts';
import type { BadgeChange } from '../../src/unread/badge/badgeSubscription.ts';
import { openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';
import { eventually } from '../support/time/eventually.ts';
import { AT, createBadgeFixture } from './support/fixture.ts';

let db: TestDynamo;
beforeAll(async () => {
  db = await openTestDynamo();
});
afterAll(() => db.stop());

/** Lets everything run that does not wait for input or output. */
const nextTurn = () => new Promise(setImmediate);

/** Opens a user's badge. The guard's reads wait for `release`, or fail. */
async function open(answer: 'held' | 'failing') {
  const waiting: Array<() => void> = [];
  const fixture = createBadgeFixture(db.dynamo, {
    guardedBy: (items) => ({
      ...items,
      loadMany: (wanted) =>
        answer === 'failing'
          ? Promise.reject(unavailable())
          : new Promise((resolve) => waiting.push(() => resolve(items.loadMany(wanted)))),
    }),
  });
  const room = await fixture.createRoom();
  const events = await fixture.subscribe();
  const first = await events.next();
  expect(first.value).toMatchObject({ total: 0, rooms: [] });
  const release = () => {
    for (const go of waiting.splice(0)) go();
  };
  return { fixture, waiting, release, room, events };
}

/** Requests the next event. `value` is undefined until it arrives. */
function pull(events: AsyncIterator<BadgeChange>) {
  const result = { value: undefined as BadgeChange | undefined };
  void events.next().then(({ value }) => {
    result.value = value;
  });
  return result;
}

test('unread: a root that its author has posted is read, although the clock before it was ahead', async () => {
  const fixture = createBadgeFixture(db.dynamo);
  const room = await fixture.createRoom();
  const events = await fixture.subscribe();
  expect((await events.next()).value).toMatchObject({ total: 0 });
  const [others, own] = [toTimestamp(microsOf(AT) + 1), toTimestamp(microsOf(AT) - 1)];
  await fixture.posted(room, own);
  await fixture.positioned(room, own, 1);
  await fixture.positioned(room, others, 2);
  // One unread root: the one of another user.
  expect((await events.next()).value).toMatchObject({ total: 1, rooms: [{ unreadCount: 1 }] });
  // Two more, from two devices: what arrives late takes nothing back.
  const [third, fourth] = [toTimestamp(microsOf(AT) + 3), toTimestamp(microsOf(AT) + 2)];
  await fixture.posted(room, fourth);
  await fixture.posted(room, third);
  expect((await events.next()).value).toMatchObject({ total: 0 });
  await fixture.positioned(room, third, 3);
  await fixture.positioned(room, fourth, 4);
  await fixture.positioned(room, toTimestamp(microsOf(AT) + 4), 5);
  expect((await events.next()).value).toMatchObject({ total: 1 });
  await events.return?.();
  await fixture.stop();
});

describe('a root that its author posts while memberships are read', () => {
  const own = toTimestamp(microsOf(AT) + 1);
  const others = toTimestamp(microsOf(AT) + 2);

  /** Reads of memberships wait for `release` after `hold`. They have read what there was before. */
  function createHeld() {
    const held: Array<() => void> = [];
    let isHolding = false;
    const fixture = createBadgeFixture(db.dynamo, {
      afterRead: () => (isHolding ? new Promise<void>((go) => held.push(go)) : Promise.resolve()),
    });
    return {
      fixture,
      hold() {
        isHolding = true;
      },
      async reading(): Promise<void> {
        await eventually(() => expect(held).toHaveLength(1));
      },
      release() {
        isHolding = false;
        for (const go of held.splice(0)) go();
      },
    };
  }

  /** The user's own root and the one of another user get their positions: only that one is unread. */
  async function expectOneUnread(
    { fixture }: ReturnType<typeof createHeld>,
    { room, events }: { readonly room: string; readonly events: AsyncIterator<BadgeChange> },
  ): Promise<void> {
    await fixture.positioned(room, own, 1);
    await fixture.positioned(room, others, 2);
    expect((await events.next()).value).toMatchObject({ total: 1, rooms: [{ unreadCount: 1 }] });
    await events.return?.();
    await fixture.stop();
  }

  async function post(fixture: ReturnType<typeof createBadgeFixture>, room: string): Promise<void> {
    await fixture.readTo(room, own);
    await fixture.posted(room, own);
  }

  test('unread: it is read if the badge was being compared with the table', async () => {
    const held = createHeld();
    const { fixture } = held;
    const room = await fixture.createRoom();
    const events = await fixture.subscribe();
    await events.next();
    held.hold();
    const compared = fixture.resync.compare();
    await held.reading();
    await post(fixture, room);
    held.release();
    await compared;
    await expectOneUnread(held, { room, events });
  });

  test('unread: it is read if the badge was being opened', async () => {
    const held = createHeld();
    const { fixture } = held;
    const room = await fixture.createRoom();
    held.hold();
    const opening = fixture.subscribe();
    await held.reading();
    await post(fixture, room);
    held.release();
    const events = await opening;
    await events.next();
    await expectOneUnread(held, { room, events });
  });

  test('unread: it is read if an event of the membership before is repeated', async () => {
    const held = createHeld();
    const { fixture } = held;
    const room = await fixture.createRoom();
    const events = await fixture.subscribe();
    await events.next();
    await fixture.posted(room, own);
    await fixture.joined(room);
    await expectOneUnread(held, { room, events });
  });

  test('unread: it is read if the user was entering the room', async () => {
    const held = createHeld();
    const { fixture } = held;
    const events = await fixture.subscribe();
    await events.next();
    const room = await fixture.createRoom();
    held.hold();
    await fixture.joined(room);
    await held.reading();
    await post(fixture, room);
    held.release();
    expect((await events.next()).value).toMatchObject({ total: 0, rooms: [{ unreadCount: 0 }] });
    await expectOneUnread(held, { room, events });
  });
});

test('unread: after a removal sends nothing of the room until it knows that the user is still a member', async () => {
  const { fixture, waiting, release, room, events } = await open('held');
  // The room is marked as changed, and the client has not requested the event yet.
  await fixture.publish({ room, lastPosition: 1, membershipEpoch: 0 });
  await fixture.publish({
    room,
    lastPosition: 2,
    membershipEpoch: 1,
    record: { name: 'Renamed', topic: null, version: 2 },
  });
  await eventually(() => expect(waiting).toHaveLength(1));
  // The total counts the message before the removal. The room itself is held back.
  expect((await events.next()).value).toMatchObject({ total: 1, rooms: [] });
  const pulled = pull(events);
  await fixture.publish({ room, lastPosition: 3, membershipEpoch: 1 });
  await nextTurn();
  expect(pulled.value).toBeUndefined();
  release();
  await eventually(() =>
    expect(pulled.value).toMatchObject({ total: 3, rooms: [{ unreadCount: 3, room: { name: 'Renamed' } }] }),
  );
  await events.return?.();
  await fixture.stop();
});

test('unread: an event in execution that has a room of the removal is made again after the check', async () => {
  const { fixture, waiting, release, room, events } = await open('held');
  const sent: BadgeChange[] = [];
  let execute = () => {};
  const ended = (events as LiveStream<BadgeChange>).pushTo(async (change, mayStillSend) => {
    await new Promise<void>((resolve) => {
      execute = resolve;
    });
    if (mayStillSend(change)) sent.push(change);
  });
  await fixture.publish({ room, lastPosition: 1, membershipEpoch: 0 });
  await fixture.publish({ room, lastPosition: 2, membershipEpoch: 1 });
  await eventually(() => expect(waiting).toHaveLength(1));
  // The total before the removal is sent meanwhile, without the room.
  await eventually(() => {
    execute();
    expect(sent).toMatchObject([{ total: 1, rooms: [] }]);
  });
  release();
  await eventually(() => {
    execute();
    expect(sent).toMatchObject([{ rooms: [] }, { total: 2, rooms: [{ unreadCount: 2 }] }]);
  });
  await events.return?.();
  execute();
  await ended;
  await fixture.stop();
});

test('unread: an event in execution that has a room that the user has left is made again without it', async () => {
  const { fixture, room, events } = await open('held');
  const sent: BadgeChange[] = [];
  const executing: Array<() => void> = [];
  const execute = () => {
    for (const go of executing.splice(0)) go();
  };
  const ended = (events as LiveStream<BadgeChange>).pushTo(async (change, mayStillSend) => {
    await new Promise<void>((resolve) => executing.push(resolve));
    if (mayStillSend(change)) sent.push(change);
  });
  await fixture.publish({ room, lastPosition: 1, membershipEpoch: 0 });
  await eventually(() => expect(executing).toHaveLength(1));
  await fixture.leave(room);
  await fixture.left(room);
  await nextTurn();
  await eventually(() => {
    execute();
    expect(sent).toEqual([{ total: 0, notifications: 0, rooms: [], removedRoomIds: [room] }]);
  });
  await events.return?.();
  execute();
  await ended;
  await fixture.stop();
});

test('unread: a former member receives the removal of the room and nothing of later changes', async () => {
  const { fixture, waiting, release, room, events } = await open('held');
  await fixture.leave(room);
  await fixture.publish({
    room,
    lastPosition: 2,
    membershipEpoch: 1,
    record: { name: 'Renamed', topic: null, version: 2 },
  });
  const pulled = pull(events);
  await eventually(() => expect(waiting).toHaveLength(1));
  await fixture.publish({ room, lastPosition: 3, membershipEpoch: 1 });
  expect(pulled.value).toBeUndefined();
  release();
  await eventually(() =>
    expect(pulled.value).toEqual({ total: 0, notifications: 0, rooms: [], removedRoomIds: [room] }),
  );
  await events.return?.();
  await fixture.stop();
});

test('unread: after a removal a room is held back while the table is down, and is sent after a resync', async () => {
  const { fixture, room, events } = await open('failing');
  await fixture.publish({ room, lastPosition: 1, membershipEpoch: 0 });
  expect((await events.next()).value).toMatchObject({ total: 1, rooms: [{ unreadCount: 1 }] });
  await fixture.publish({ room, lastPosition: 2, membershipEpoch: 1 });
  await eventually(() => expect(fixture.troubles).toBe(1));
  const pulled = pull(events);
  await fixture.publish({ room, lastPosition: 3, membershipEpoch: 1 });
  await nextTurn();
  expect(pulled.value).toBeUndefined();
  await fixture.resync.resync();
  await eventually(() => expect(pulled.value).toMatchObject({ total: 3, rooms: [{ unreadCount: 3 }] }));
  await fixture.publish({ room, lastPosition: 4, membershipEpoch: 1 });
  expect((await events.next()).value).toMatchObject({ total: 4, rooms: [{ unreadCount: 4 }] });
  await events.return?.();
  await fixture.stop();
});

test('unread: after a removal that could not be checked, a resync sends nothing of the room to its former member', async () => {
  const { fixture, room, events } = await open('failing');
  // The room is marked as changed, and the client has not requested the event yet.
  await fixture.publish({ room, lastPosition: 1, membershipEpoch: 0 });
  await fixture.leave(room);
  const record = { name: 'Renamed', topic: null, version: 2 };
  await fixture.publish({ room, lastPosition: 2, membershipEpoch: 1, record });
  await eventually(() => expect(fixture.troubles).toBe(1));
  expect((await events.next()).value).toMatchObject({ total: 1, rooms: [] });
  const pulled = pull(events);
  await fixture.resync.resync();
  await eventually(() =>
    expect(pulled.value).toEqual({ total: 0, notifications: 0, rooms: [], removedRoomIds: [room] }),
  );
  await events.return?.();
  await fixture.stop();
});
