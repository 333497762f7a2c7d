/** The line in front of a full room: its order, who leaves it, and that a seat that comes free is the first one's. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createTimestamps } from '../../src/core/timestamps.ts';
import { keys, ranges } from '../../src/dynamo/keys.ts';
import { rebuild } from '../../src/rebuild/rebuild.ts';
import { WAITLIST_MAX } from '../../src/rooms/membership/seats.ts';
import { createSeating } from '../../src/rooms/membership/waitlistProcessor.ts';
import { MAX_ROOMS } from '../../src/users/user.ts';
import { RoomEvents } from '../roomEvents/operations.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { watchBadge } from '../support/badges.ts';
import { eventually } from '../support/eventually.ts';
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
} from '../support/operations.ts';
import { globalId, type Person, people, rawId, roomOf, say } from '../support/people.ts';
import { recount } from '../support/recount/recount.ts';
import { createStreamGate, type StreamGate } from '../support/streamGate.ts';
import { itemsIn } from '../support/table.ts';
import { JoinOrWait, Line } from './operations.ts';

const gate: StreamGate = createStreamGate();
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ dispatching: gate.dispatching });
});
afterEach(() => gate.open());
afterAll(async () => {
  await app.quiet();
  expect(await recount(app.dynamo)).toEqual([]);
  await app.stop();
});

const wait = async (person: Person, roomId: string) => (await person.do(JoinOrWait, { roomId })).joinRoom;
const line = async (person: Person, id: string) => (await person.do(Line, { id })).room;
const isIn = (person: Person, roomId: string) =>
  eventually(async () => expect((await line(person, roomId))?.viewerMembership).not.toBeNull());
/** A full room of two, and the first so many of six people, who wait for a seat of it in their order. */
async function fullRoom(waiting: number) {
  const [owner, member] = await people(app, 2);
  const roomId = await roomOf(owner, [member], { capacity: 2 });
  const queue = await people(app, 6);
  for (const person of queue.slice(0, waiting)) await wait(person, roomId);
  return { owner, member, roomId, queue };
}

describe('who waits', () => {
  test('is told their place, is no member, and sees no more than everybody', async () => {
    const { owner, roomId, queue } = await fullRoom(2);
    const [ben, chi] = queue;
    await say(owner, roomId, 'for members');
    expect(await wait(ben, roomId)).toEqual({
      membership: null,
      room: { memberCount: 2, waitingCount: 2, waitlistPosition: 1 },
    });
    expect(await line(chi, roomId)).toMatchObject({ waitlistPosition: 2, viewerMembership: null });
    expect(await line(owner, roomId)).toMatchObject({ waitingCount: 2, waitlistPosition: null });
    expect(await ben.refused(Timeline, { roomId })).toBe('FORBIDDEN');
    expect(await ben.refused(JoinRoom, { roomId })).toBe('ROOM_FULL');
    expect(await owner.refused(AddMember, { roomId, userId: globalId(chi) })).toBe('ROOM_FULL');
  });

  test('comes in at once where there is a seat; who is in cannot wait', async () => {
    const [owner, ben] = await people(app, 2);
    const roomId = await roomOf(owner, [], { capacity: 2 });
    expect((await wait(ben, roomId)).membership).toMatchObject({ role: 'MEMBER' });
    expect(await ben.refused(JoinOrWait, { roomId })).toBe('ALREADY_MEMBER');
    const hidden = await roomOf(owner, [], { capacity: 1, visibility: 'PRIVATE' });
    expect(await ben.refused(JoinOrWait, { roomId: hidden })).toBe('NOT_FOUND');
  });

  test('leaves the line as one leaves the room', async () => {
    const { roomId, queue } = await fullRoom(3);
    const [ben, chi, dan] = queue;
    const { leaveRoom } = await chi.do(LeaveRoom, { roomId });
    expect(leaveRoom.room?.memberCount).toBe(2);
    expect(await line(dan, roomId)).toMatchObject({ waitingCount: 2, waitlistPosition: 2 });
    expect(await line(ben, roomId)).toMatchObject({ waitlistPosition: 1 });
    expect(await chi.refused(LeaveRoom, { roomId })).toBe('FORBIDDEN');
    expect((await wait(chi, roomId)).room.waitlistPosition).toBe(3);
  });

  test('is one of a hundred at most, and nobody who is banned', async () => {
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
});

describe('a seat that comes free', () => {
  test.each(['left', 'removed', 'banned'] as const)(
    'because somebody %s is the first one’s, who hears of it as the room does',
    async (how) => {
      const { owner, member, roomId, queue } = await fullRoom(2);
      const [ben, chi] = queue;
      const [badge, events] = [watchBadge(ben), owner.subscribe(RoomEvents, { roomId, after: null })];
      await Promise.all([badge.next(), events.next()]);
      const about = { roomId, userId: globalId(member) };
      if (how === 'left') await member.do(LeaveRoom, { roomId });
      else if (how === 'removed') await owner.do(RemoveMember, about);
      else await owner.do(BanMember, about);
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
      expect(await line(chi, roomId)).toMatchObject({ memberCount: 2, waitingCount: 1, waitlistPosition: 1 });
      await say(ben, roomId, 'thank you');
      events.close();
      badge.close();
    },
  );

  test('because there are more seats, or no limit, is the first one’s, and so on', async () => {
    const { owner, roomId, queue } = await fullRoom(4);
    const [ben, chi, dan, eve] = queue;
    await owner.do(UpdateRoom, { input: { roomId, capacity: 4 } });
    await Promise.all([ben, chi].map((person) => isIn(person, roomId)));
    expect(await line(eve, roomId)).toMatchObject({ memberCount: 4, waitingCount: 2, waitlistPosition: 2 });
    await owner.do(UpdateRoom, { input: { roomId, capacity: null } });
    await Promise.all([dan, eve].map((person) => isIn(person, roomId)));
    expect(await line(eve, roomId)).toMatchObject({
      memberCount: 6,
      waitingCount: 0,
      waitlistPosition: null,
    });
  });

  test('goes to the next where the first can no longer have it', async () => {
    const { owner, member, roomId, queue } = await fullRoom(3);
    const [ben, chi, dan] = queue;
    await owner.do(BanMember, { roomId, userId: globalId(ben) });
    const setRooms = (rooms: number) =>
      app.dynamo.update(keys.user(chi.id), { update: 'SET rooms = :n', values: { ':n': rooms } });
    await setRooms(MAX_ROOMS);
    await member.do(LeaveRoom, { roomId });
    await isIn(dan, roomId);
    expect(await line(owner, roomId)).toMatchObject({ memberCount: 2, waitingCount: 0 });
    await setRooms(0);
  });

  test('is nobody else’s, however long no consumer looks', async () => {
    gate.close();
    const { member, roomId, queue } = await fullRoom(1);
    await member.do(LeaveRoom, { roomId });
    const [other] = await people(app, 1);
    expect(await other.refused(JoinRoom, { roomId })).toBe('ROOM_FULL');
    expect((await wait(other, roomId)).room.waitlistPosition).toBe(2);
    gate.open();
    await isIn(queue[0], roomId);
    expect(await line(other, roomId)).toMatchObject({ memberCount: 2, waitlistPosition: 1 });
  });

  test('in a room that everybody has left makes an owner', async () => {
    const { owner, member, roomId, queue } = await fullRoom(2);
    const first = queue.slice(0, 2);
    gate.close();
    await member.do(LeaveRoom, { roomId });
    await owner.do(LeaveRoom, { roomId });
    gate.open();
    await Promise.all(first.map((person) => isIn(person, roomId)));
    const roles = await Promise.all(
      first.map(async (person) => (await line(person, roomId))?.viewerMembership?.role),
    );
    expect(roles).toEqual(['OWNER', 'MEMBER']);
  });

  test('is given once, however many give it at the same time, and to nobody who just leaves the line', async () => {
    const { owner, roomId, queue } = await fullRoom(6);
    gate.close();
    await owner.do(UpdateRoom, { input: { roomId, capacity: 5 } });
    const consumers = Array.from({ length: 4 }, () =>
      createSeating({ dynamo: app.dynamo, timestamps: createTimestamps() }),
    );
    const first = queue[0];
    await Promise.all([
      ...consumers.map((seating) => seating.fill(rawId(roomId))),
      ...consumers.map(({ visitor }) => rebuild({ dynamo: app.dynamo, visitors: [visitor] })),
      first.do(LeaveRoom, { roomId }),
    ]);
    const seats = await app.dynamo.get(keys.seats(rawId(roomId)));
    const members = await itemsIn(app.dynamo, ranges.members(rawId(roomId)));
    // The first was given a seat and has left it, or has left the line: it is free again, or the next one's.
    await Promise.all(consumers.map((seating) => seating.fill(rawId(roomId))));
    expect(seats?.taken).toBe(members.length);
    expect(await line(owner, roomId)).toMatchObject({ memberCount: 5, waitingCount: 2 });
    expect((await first.do(RoomById, { id: roomId })).room?.viewerMembership).toBeNull();
  });
});
