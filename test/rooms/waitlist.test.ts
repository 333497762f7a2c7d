/** The waitlist of a full room: its order, leaving it, and that a free seat goes to the first person on it. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createKeyedMutex } from '../../src/core/keyedMutex.ts';
import { createTimestamps } from '../../src/core/timestamps.ts';
import type { Dynamo } from '../../src/dynamo/dynamo.ts';
import { keys, ranges } from '../../src/dynamo/keys.ts';
import { rebuild } from '../../src/rebuild/rebuild.ts';
import { WAITLIST_MAX } from '../../src/rooms/membership/seats.ts';
import { createWaitlist } from '../../src/rooms/membership/waitlist.ts';
import { createWaitlistProcessor } from '../../src/rooms/membership/waitlistProcessor.ts';
import { MAX_ROOMS } from '../../src/users/user.ts';
import { MarkNotificationsRead } from '../notifications/support/operations.ts';
import { RoomEvents } from '../roomEvents/support/operations.ts';
import { watchBadge } from '../support/clients/badges.ts';
import {
  AddMember,
  BanMember,
  JoinRoom,
  LeaveRoom,
  Me,
  RemoveMember,
  RoomById,
  Timeline,
  UpdateRoom,
} from '../support/clients/operations.ts';
import { globalId, type Person, people, rawId, roomOf, say } from '../support/clients/people.ts';
import { dump, itemsIn } from '../support/database/table.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { createStreamGate, type StreamGate } from '../support/stream/streamGate.ts';
import { eventually } from '../support/time/eventually.ts';
import { held } from '../support/time/held.ts';
import { recount } from '../verify/support/recount.ts';
import { JoinOrWait, NotificationRooms, Waitlist } from './support/operations.ts';

const gate: StreamGate = createStreamGate();
let app: TestApp;
beforeAll(async () => {
  // Otherwise a read position may be written between two looks at the table.
  app = await startTestApp({ wrapDispatcher: gate.wrapDispatcher, putOffMs: 0 });
});
afterEach(() => gate.open());
afterAll(async () => {
  await app.quiet();
  expect(await recount(app.dynamo)).toEqual([]);
  await app.stop();
});

const wait = async (person: Person, roomId: string) => (await person.do(JoinOrWait, { roomId })).joinRoom;
const waitlistOf = async (person: Person, id: string) => (await person.do(Waitlist, { id })).room;
const becomesMember = (person: Person, roomId: string) =>
  eventually(async () => expect((await waitlistOf(person, roomId))?.viewerMembership).not.toBeNull());
/** A full room of two, and six people. The first `waiting` of them wait for a seat, in their order. */
async function fullRoom(waiting: number) {
  const [owner, member] = await people(app, 2);
  const roomId = await roomOf(owner, [member], { capacity: 2 });
  const queue = await people(app, 6);
  for (const person of queue.slice(0, waiting)) await wait(person, roomId);
  return { owner, member, roomId, queue };
}

test('joinRoom: returns the waitlist position and shows no more than to other outsiders', async () => {
  const { owner, roomId, queue } = await fullRoom(2);
  const [ben, chi] = queue;
  await say(owner, roomId, 'for members');
  expect(await wait(ben, roomId)).toEqual({
    membership: null,
    room: { memberCount: 2, waitingCount: 2, waitlistPosition: 1 },
  });
  expect(await waitlistOf(chi, roomId)).toMatchObject({ waitlistPosition: 2, viewerMembership: null });
  expect(await waitlistOf(owner, roomId)).toMatchObject({ waitingCount: 2, waitlistPosition: null });
  expect(await ben.refused(Timeline, { roomId })).toBe('FORBIDDEN');
  expect(await ben.refused(JoinRoom, { roomId })).toBe('ROOM_FULL');
  expect(await owner.refused(AddMember, { roomId, userId: globalId(chi) })).toBe('ROOM_FULL');
});

test('joinRoom: takes a free seat at once and refuses members with ALREADY_MEMBER', async () => {
  const [owner, ben] = await people(app, 2);
  const roomId = await roomOf(owner, [], { capacity: 2 });
  expect((await wait(ben, roomId)).membership).toMatchObject({ role: 'MEMBER' });
  expect(await ben.refused(JoinOrWait, { roomId })).toBe('ALREADY_MEMBER');
  const hidden = await roomOf(owner, [], { capacity: 1, visibility: 'PRIVATE' });
  expect(await ben.refused(JoinOrWait, { roomId: hidden })).toBe('NOT_FOUND');
});

test('leaveRoom: takes the user off the waitlist', async () => {
  const { roomId, queue } = await fullRoom(3);
  const [ben, chi, dan] = queue;
  const { leaveRoom } = await chi.do(LeaveRoom, { roomId });
  expect(leaveRoom.room?.memberCount).toBe(2);
  expect(await waitlistOf(dan, roomId)).toMatchObject({ waitingCount: 2, waitlistPosition: 2 });
  expect(await waitlistOf(ben, roomId)).toMatchObject({ waitlistPosition: 1 });
  expect(await chi.refused(LeaveRoom, { roomId })).toBe('FORBIDDEN');
  expect((await wait(chi, roomId)).room.waitlistPosition).toBe(3);
});

test('joinRoom: refuses a banned user, and everyone when 100 people wait', async () => {
  const { owner, roomId } = await fullRoom(0);
  const [ben, chi] = await people(app, 2);
  await chi.do(Me);
  await owner.do(BanMember, { roomId, userId: globalId(chi) });
  expect(await chi.refused(JoinOrWait, { roomId })).toBe('FORBIDDEN');
  const setWaiting = (waiting: number) =>
    app.dynamo.update(keys.seats(rawId(roomId)), { update: 'SET waiting = :n', values: { ':n': waiting } });
  await setWaiting(WAITLIST_MAX);
  expect(await ben.refused(JoinOrWait, { roomId })).toBe('ROOM_FULL');
  await setWaiting(0);
  expect((await wait(ben, roomId)).room.waitingCount).toBe(1);
});

test.each(['left', 'was removed', 'was banned'] as const)(
  'waitlist: gives the seat of a member who %s to the first person and notifies them and the room',
  async (how) => {
    const { owner, member, roomId, queue } = await fullRoom(2);
    const [ben, chi] = queue;
    const [badge, events] = [watchBadge(ben), owner.subscribe(RoomEvents, { roomId, after: null })];
    await Promise.all([badge.next(), events.next()]);
    const target = { roomId, userId: globalId(member) };
    if (how === 'left') await member.do(LeaveRoom, { roomId });
    else if (how === 'was removed') await owner.do(RemoveMember, target);
    else await owner.do(BanMember, target);
    const { unread } = await badge.until((event) => event.unread.rooms.length > 0);
    expect(unread.rooms).toMatchObject([
      { unreadCount: 0, room: { id: roomId }, membership: { role: 'MEMBER' } },
    ]);
    await events.until(
      ({ roomEvents }) =>
        roomEvents.__typename === 'MembershipChanged' &&
        roomEvents.user.handle === ben.handle &&
        roomEvents.membership?.role === 'MEMBER',
    );
    expect(await waitlistOf(chi, roomId)).toMatchObject({
      memberCount: 2,
      waitingCount: 1,
      waitlistPosition: 1,
    });
    await say(ben, roomId, 'thank you');
    events.close();
    badge.close();
  },
);

test('waitlist: notifies the user who got the seat, each time, and no one of their own joins', async () => {
  const { member, roomId, queue } = await fullRoom(1);
  const [ben] = queue;
  const seatsOf = async () => {
    await app.quiet();
    const { viewer } = await ben.do(NotificationRooms);
    return viewer.notifications.edges.map(({ node }) => node);
  };
  expect(await seatsOf()).toEqual([]);
  await member.do(LeaveRoom, { roomId });
  await becomesMember(ben, roomId);
  const [first, ...others] = await seatsOf();
  expect(first).toMatchObject({
    kind: 'SEAT',
    actorCount: 1,
    room: { id: roomId },
    message: null,
    readAt: null,
  });
  expect(first?.text).toBe('A seat opened up, and you joined the room');
  expect(others).toEqual([]);
  await ben.do(MarkNotificationsRead, {});
  // Again, with the first one read: a new one.
  await ben.do(LeaveRoom, { roomId });
  await member.do(JoinRoom, { roomId });
  await wait(ben, roomId);
  await member.do(LeaveRoom, { roomId });
  await becomesMember(ben, roomId);
  expect((await seatsOf()).map(({ kind, readAt }) => [kind, readAt === null])).toEqual([
    ['SEAT', true],
    ['SEAT', false],
  ]);
});

test('joinRoom: a full room refuses without a transaction, a banned user and a user in 1,000 rooms as before', async () => {
  const { owner, roomId } = await fullRoom(0);
  const [ben, chi] = await people(app, 2);
  await Promise.all([ben.do(Me), chi.do(Me)]);
  await owner.do(BanMember, { roomId, userId: globalId(chi) });
  await app.quiet();
  const before = await dump(app.dynamo);
  expect(await chi.refused(JoinRoom, { roomId })).toBe('FORBIDDEN');
  expect(await ben.refused(JoinRoom, { roomId })).toBe('ROOM_FULL');
  expect(await dump(app.dynamo)).toEqual(before);
  const setRooms = (rooms: number) =>
    app.dynamo.update(keys.user(ben.id), { update: 'SET rooms = :n', values: { ':n': rooms } });
  await setRooms(MAX_ROOMS);
  expect(await ben.refused(JoinRoom, { roomId })).toBe('CONFLICT');
  await setRooms(0);
});

test('waitlist: gives new seats to the first people when the capacity grows or is removed', async () => {
  const { owner, roomId, queue } = await fullRoom(4);
  const [ben, chi, dan, eve] = queue;
  await owner.do(UpdateRoom, { input: { roomId, capacity: 4 } });
  await Promise.all([ben, chi].map((person) => becomesMember(person, roomId)));
  expect(await waitlistOf(eve, roomId)).toMatchObject({
    memberCount: 4,
    waitingCount: 2,
    waitlistPosition: 2,
  });
  await owner.do(UpdateRoom, { input: { roomId, capacity: null } });
  await Promise.all([dan, eve].map((person) => becomesMember(person, roomId)));
  expect(await waitlistOf(eve, roomId)).toMatchObject({
    memberCount: 6,
    waitingCount: 0,
    waitlistPosition: null,
  });
});

test('waitlist: skips banned people and people in 1,000 rooms', async () => {
  const { owner, member, roomId, queue } = await fullRoom(3);
  const [ben, chi, dan] = queue;
  await owner.do(BanMember, { roomId, userId: globalId(ben) });
  const setRooms = (rooms: number) =>
    app.dynamo.update(keys.user(chi.id), { update: 'SET rooms = :n', values: { ':n': rooms } });
  await setRooms(MAX_ROOMS);
  await member.do(LeaveRoom, { roomId });
  await becomesMember(dan, roomId);
  expect(await waitlistOf(owner, roomId)).toMatchObject({ memberCount: 2, waitingCount: 0 });
  await setRooms(0);
});

test('waitlist: a place without the item of its user does not keep others from their seats', async () => {
  const { member, roomId, queue } = await fullRoom(3);
  const [ben, chi, dan] = queue;
  await app.dynamo.remove(keys.waiting(ben.id, rawId(roomId)));
  await member.do(LeaveRoom, { roomId });
  await becomesMember(chi, roomId);
  expect(await waitlistOf(dan, roomId)).toMatchObject({ waitingCount: 1, waitlistPosition: 1 });
});

test('joinRoom: does not take a seat from the waitlist while the consumer is stopped', async () => {
  gate.close();
  const { member, roomId, queue } = await fullRoom(1);
  await member.do(LeaveRoom, { roomId });
  const [other] = await people(app, 1);
  expect(await other.refused(JoinRoom, { roomId })).toBe('ROOM_FULL');
  expect((await wait(other, roomId)).room.waitlistPosition).toBe(2);
  gate.open();
  await becomesMember(queue[0], roomId);
  expect(await waitlistOf(other, roomId)).toMatchObject({ memberCount: 2, waitlistPosition: 1 });
});

test('waitlist: makes the first person the owner of a room without members', async () => {
  const { owner, member, roomId, queue } = await fullRoom(2);
  const first = queue.slice(0, 2);
  gate.close();
  await member.do(LeaveRoom, { roomId });
  await owner.do(LeaveRoom, { roomId });
  gate.open();
  await Promise.all(first.map((person) => becomesMember(person, roomId)));
  const roles = await Promise.all(
    first.map(async (person) => (await waitlistOf(person, roomId))?.viewerMembership?.role),
  );
  expect(roles).toEqual(['OWNER', 'MEMBER']);
});

test('wait: places a user after those who came while they were being checked', async () => {
  const { roomId, queue } = await fullRoom(0);
  const [ben, chi] = queue;
  const room = rawId(roomId);
  await Promise.all([ben.do(Me), chi.do(Me)]);
  const [begun, checked] = [held(), held()];
  const options = {
    timestamps: createTimestamps(),
    userMutex: createKeyedMutex(),
    seatsMutex: createKeyedMutex(),
  };
  const slow: Dynamo = {
    ...app.dynamo,
    async query(range, queryOptions) {
      begun.letGo();
      await checked.promise;
      return app.dynamo.query(range, queryOptions);
    },
  };
  const benWaits = createWaitlist({ ...options, dynamo: slow }).wait({ user: ben.id, room });
  await begun.promise;
  expect(await createWaitlist({ ...options, dynamo: app.dynamo }).wait({ user: chi.id, room })).toBe(true);
  checked.letGo();
  expect(await benWaits).toBe(true);
  expect(await waitlistOf(chi, roomId)).toMatchObject({ waitlistPosition: 1 });
  expect(await waitlistOf(ben, roomId)).toMatchObject({ waitlistPosition: 2 });
});

test('assignFreeSeats: gives each seat once when four processors run at once', async () => {
  const { owner, roomId, queue } = await fullRoom(6);
  gate.close();
  await owner.do(UpdateRoom, { input: { roomId, capacity: 5 } });
  const consumers = Array.from({ length: 4 }, () =>
    createWaitlistProcessor({ dynamo: app.dynamo, timestamps: createTimestamps() }),
  );
  const first = queue[0];
  await Promise.all([
    ...consumers.map((processor) => processor.assignFreeSeats(rawId(roomId))),
    ...consumers.map(({ visitor }) => rebuild({ dynamo: app.dynamo, visitors: [visitor] })),
    first.do(LeaveRoom, { roomId }),
  ]);
  const seats = await app.dynamo.get(keys.seats(rawId(roomId)));
  const members = await itemsIn(app.dynamo, ranges.members(rawId(roomId)));
  // The first person got a seat and left it, or left the waitlist. In both cases the next person gets the seat.
  await Promise.all(consumers.map((processor) => processor.assignFreeSeats(rawId(roomId))));
  expect(seats?.taken).toBe(members.length);
  expect(await waitlistOf(owner, roomId)).toMatchObject({ memberCount: 5, waitingCount: 2 });
  expect((await first.do(RoomById, { id: roomId })).room?.viewerMembership).toBeNull();
});
