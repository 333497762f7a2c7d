/** Adding, removing, banning and promoting members: the effect, and the events that are sent. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { encodeId } from '../../src/graphql/ids.ts';
import { MAX_ROOMS } from '../../src/users/user.ts';
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
  SetMemberRole,
  Timeline,
  UnbanMember,
} from '../support/clients/operations.ts';
import { globalId, type Person, people, rawId, roomOf, say } from '../support/clients/people.ts';
import { admit, promote } from '../support/clients/roles.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { startOwnTime } from '../support/time/ownTime.ts';
import { Bans } from './support/operations.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

/** Events from now on. Everything earlier is in the room's log before the subscription starts. */
const subscribeFromNow = async (person: Person, roomId: string) => {
  await app.quiet();
  const live = person.subscribe(RoomEvents, { roomId, after: null });
  await live.until(({ roomEvents }) => roomEvents.__typename === 'Synced');
  return live;
};
const unknownUser = encodeId('User', newId());

test('addMember: shows a private room to the new member at once and notifies the others', async () => {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, [], { visibility: 'PRIVATE', name: 'Secret' });
  await ben.do(Me);
  const [badge, room] = [watchBadge(ben), await subscribeFromNow(aki, roomId)];
  await badge.next();
  const { addMember } = await aki.do(AddMember, { roomId, userId: globalId(ben) });
  // Only the member sees `muted` and the unread count.
  expect(addMember.membership).toMatchObject({ role: 'MEMBER', muted: null, user: { id: globalId(ben) } });
  const joined = await badge.until(({ unread }) => unread.rooms.length > 0);
  expect(joined.unread.rooms).toMatchObject([{ unreadCount: 0, room: { name: 'Secret' } }]);
  const event = await room.next();
  expect(event.roomEvents).toMatchObject({
    __typename: 'MembershipChanged',
    user: { handle: ben.handle },
    membership: { role: 'MEMBER' },
  });
  expect((await ben.do(RoomById, { id: roomId })).room?.memberCount).toBe(2);
  room.close();
  badge.close();
});

test('addMember: refuses unknown users, members, full rooms and users in 1,000 rooms', async () => {
  const [aki, ben, chi] = await people(app, 3);
  const roomId = await roomOf(aki, [], { visibility: 'PRIVATE', capacity: 2 });
  await Promise.all([ben.do(Me), chi.do(Me)]);
  expect(await aki.refused(AddMember, { roomId, userId: unknownUser })).toBe('NOT_FOUND');
  expect(await aki.refused(AddMember, { roomId, userId: roomId })).toBe('NOT_FOUND');
  expect(await aki.refused(AddMember, { roomId, userId: globalId(aki) })).toBe('ALREADY_MEMBER');
  const setRooms = (rooms: number) =>
    app.dynamo.update(keys.user(ben.id), { update: 'SET rooms = :rooms', values: { ':rooms': rooms } });
  await setRooms(MAX_ROOMS);
  expect(await aki.refused(AddMember, { roomId, userId: globalId(ben) })).toBe('CONFLICT');
  await setRooms(0);
  const both = [aki, aki].map((by) => by.refused(AddMember, { roomId, userId: globalId(ben) }));
  expect((await Promise.all(both)).sort()).toEqual(['ALREADY_MEMBER', undefined]);
  expect(await aki.refused(AddMember, { roomId, userId: globalId(chi) })).toBe('ROOM_FULL');
});

test.each(['PUBLIC', 'PRIVATE'] as const)(
  'removeMember: ends all access of the removed member to a %s room',
  async (visibility) => {
    const [aki, ben, chi] = await people(app, 3);
    const roomId = await roomOf(aki, [], { visibility });
    for (const person of [ben, chi]) await admit(aki, roomId, person);
    const [badge, theirs, others] = [
      watchBadge(ben),
      await subscribeFromNow(ben, roomId),
      await subscribeFromNow(chi, roomId),
    ];
    await badge.next();
    const over = expect(theirs.until(() => false)).rejects.toThrow('complete');
    const { removeMember } = await aki.do(RemoveMember, { roomId, userId: globalId(ben) });
    expect(removeMember.room.memberCount).toBe(2);
    const took = over.then(startOwnTime());
    await say(aki, roomId, 'sent after the removal');
    // Not by the comparison with the table, which happens every 30 s.
    expect(await took).toBeLessThan(15_000);
    expect(JSON.stringify(theirs.seen)).not.toContain('after the removal');
    const { unread } = await badge.until((event) => event.unread.removedRoomIds.length > 0);
    expect(unread.removedRoomIds).toEqual([roomId]);
    const event = await others.next();
    expect(event.roomEvents).toMatchObject({ __typename: 'MembershipChanged', membership: null });
    expect(await ben.refused(LeaveRoom, { roomId })).toBe(
      visibility === 'PUBLIC' ? 'FORBIDDEN' : 'NOT_FOUND',
    );
    const { data } = await ben.send(Timeline, { roomId });
    expect(JSON.stringify(data)).not.toContain('after the removal');
    others.close();
    badge.close();
  },
);

test('removeMember: lets the removed user join again', async () => {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, [ben]);
  await aki.do(RemoveMember, { roomId, userId: globalId(ben) });
  expect(await ben.refused(JoinRoom, { roomId })).toBeUndefined();
});

test('removeMember and banMember: refuse the viewer as target with BAD_USER_INPUT', async () => {
  const aki = (await people(app, 1))[0];
  const roomId = await roomOf(aki);
  for (const document of [RemoveMember, BanMember]) {
    expect(
      await aki.refused<unknown, { roomId: string; userId: string }>(document, {
        roomId,
        userId: globalId(aki),
      }),
    ).toBe('BAD_USER_INPUT');
  }
});

test('banMember: removes the user, refuses every join until unbanMember, and lists the ban', async () => {
  const [aki, ben, chi] = await people(app, 3);
  const roomId = await roomOf(aki, [ben]);
  const userId = globalId(ben);
  const theirs = await subscribeFromNow(ben, roomId);
  const { banMember } = await aki.do(BanMember, { roomId, userId });
  expect(banMember).toMatchObject({ room: { memberCount: 1 }, user: { id: userId } });
  expect(banMember.deletedMembershipId).toBe(encodeId('Membership', `${rawId(roomId)}:${ben.id}`));
  await expect(theirs.until(() => false)).rejects.toThrow('complete');
  expect((await aki.do(BanMember, { roomId, userId })).banMember.deletedMembershipId).toBeNull();
  expect(await ben.refused(JoinRoom, { roomId })).toBe('FORBIDDEN');
  expect(await aki.refused(AddMember, { roomId, userId })).toBe('CONFLICT');
  const { room } = await aki.do(Bans, { roomId });
  expect(room?.bans.edges).toMatchObject([
    { node: { user: { id: userId }, bannedBy: { id: globalId(aki) } } },
  ]);
  await admit(aki, roomId, chi);
  expect(await chi.refused(Bans, { roomId })).toBe('FORBIDDEN');
  await aki.do(UnbanMember, { roomId, userId });
  await aki.do(UnbanMember, { roomId, userId });
  expect((await aki.do(Bans, { roomId })).room?.bans.edges).toEqual([]);
  await ben.do(JoinRoom, { roomId });
});

test('joinRoom: reports the ban to a banned user even if the room is full', async () => {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, [], { capacity: 1 });
  await ben.do(Me);
  await aki.do(BanMember, { roomId, userId: globalId(ben) });
  expect(await ben.refused(JoinRoom, { roomId })).toBe('FORBIDDEN');
});

test('banMember: wins against a join at the same time', async () => {
  const [aki, ...crowd] = await people(app, 9);
  const roomId = await roomOf(aki);
  for (const person of crowd) await person.do(Me);
  await Promise.all(
    crowd.flatMap((person) => [
      person.refused(JoinRoom, { roomId }),
      aki.do(BanMember, { roomId, userId: globalId(person) }),
    ]),
  );
  expect((await aki.do(RoomById, { id: roomId })).room?.memberCount).toBe(1);
  for (const { id } of crowd) expect(await app.dynamo.get(keys.member(rawId(roomId), id))).toBeUndefined();
});

test('setMemberRole: sends the new role to the room and to the user', async () => {
  const [aki, ben, chi] = await people(app, 3);
  const roomId = await roomOf(aki, [ben, chi]);
  const [badge, room] = [watchBadge(ben), await subscribeFromNow(chi, roomId)];
  await badge.next();
  await promote(aki, roomId, ben, 'MODERATOR');
  expect((await room.next()).roomEvents).toMatchObject({
    __typename: 'MembershipChanged',
    user: { handle: ben.handle },
    membership: { role: 'MODERATOR' },
  });
  const changed = await badge.until(({ unread }) => unread.rooms.length > 0);
  expect(changed.unread.rooms).toMatchObject([{ membership: { role: 'MODERATOR' } }]);
  room.close();
  badge.close();
});

test('setMemberRole: refuses to demote the last owner, even for two at once', async () => {
  for (let round = 0; round < 5; round++) {
    const [aki, ben] = await people(app, 2);
    const roomId = await roomOf(aki, [ben]);
    const step = (person: Person) =>
      person.refused(SetMemberRole, { roomId, userId: globalId(person), role: 'MEMBER' });
    expect(await step(aki)).toBe('CONFLICT');
    await promote(aki, roomId, ben);
    expect((await Promise.all([aki, ben].map(step))).sort()).toEqual(['CONFLICT', undefined]);
    expect(await app.dynamo.get(keys.seats(rawId(roomId)))).toMatchObject({ owners: 1, taken: 2 });
  }
});

test('setMemberRole, removeMember and leaveRoom: leave an owner when two owners act at once', async () => {
  for (let round = 0; round < 6; round++) {
    const [aki, ben, chi] = await people(app, 3);
    const roomId = await roomOf(aki, [ben, chi]);
    await promote(aki, roomId, ben);
    const demote = (by: Person, target: Person) =>
      by.refused(SetMemberRole, { roomId, userId: globalId(target), role: 'MEMBER' });
    const remove = (by: Person, target: Person) =>
      by.refused(RemoveMember, { roomId, userId: globalId(target) });
    const operations = [demote, remove, (by: Person) => by.refused(LeaveRoom, { roomId })];
    const [one, other] = [operations[round % 3] ?? demote, operations[(round + 1) % 3] ?? remove];
    const codes = await Promise.all([one(aki, ben), other(ben, aki)]);
    expect(codes).toContain(undefined);
    const seats = await app.dynamo.get(keys.seats(rawId(roomId)));
    expect(Number(seats?.owners)).toBeGreaterThanOrEqual(1);
    expect(await app.dynamo.get(keys.member(rawId(roomId), chi.id))).toMatchObject({ role: 'MEMBER' });
  }
});
