/** Adding, removing, banning, promoting: what they do, and what everybody hears of it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { encodeId } from '../../src/graphql/ids.ts';
import { MAX_ROOMS } from '../../src/users/user.ts';
import { RoomEvents } from '../roomEvents/operations.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { watchBadge } from '../support/badges.ts';
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
} from '../support/operations.ts';
import { startOwnTime } from '../support/ownTime.ts';
import { globalId, type Person, people, rawId, roomOf, say } from '../support/people.ts';
import { admit, promote } from '../support/roles.ts';
import { Bans } from './operations.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

/** What happens from now on: what was done before is in the room's log by then. */
const events = async (person: Person, roomId: string) => {
  await app.quiet();
  const live = person.subscribe(RoomEvents, { roomId, after: null });
  await live.until(({ roomEvents }) => roomEvents.__typename === 'Synced');
  return live;
};
const nobody = encodeId('User', newId());

describe('who is added', () => {
  test('to a private room sees it at once, in their badge and in queries; the others hear of it', async () => {
    const [aki, ben] = await people(app, 2);
    const roomId = await roomOf(aki, [], { visibility: 'PRIVATE', name: 'Secret' });
    await ben.do(Me);
    const [badge, room] = [watchBadge(ben), await events(aki, roomId)];
    await badge.next();
    const { addMember } = await aki.do(AddMember, { roomId, userId: globalId(ben) });
    // What is unread is each person's own affair.
    expect(addMember.membership).toMatchObject({ role: 'MEMBER', muted: null, user: { id: globalId(ben) } });
    const joined = await badge.until(({ unread }) => unread.rooms.length > 0);
    expect(joined.unread.rooms).toMatchObject([{ unreadCount: 0, room: { name: 'Secret' } }]);
    const told = await room.next();
    expect(told.roomEvents).toMatchObject({
      __typename: 'MembershipChanged',
      user: { handle: ben.handle },
      membership: { role: 'MEMBER' },
    });
    expect((await ben.do(RoomById, { id: roomId })).room?.memberCount).toBe(2);
    room.close();
    badge.close();
  });

  test('is there once; nobody who is not there can be added, and nobody beyond the seats or a thousand rooms', async () => {
    const [aki, ben, chi] = await people(app, 3);
    const roomId = await roomOf(aki, [], { visibility: 'PRIVATE', capacity: 2 });
    await Promise.all([ben.do(Me), chi.do(Me)]);
    expect(await aki.refused(AddMember, { roomId, userId: nobody })).toBe('NOT_FOUND');
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
});

describe('who is removed', () => {
  test.each(['PUBLIC', 'PRIVATE'] as const)(
    'from a %s room sees nothing of it any more',
    async (visibility) => {
      const [aki, ben, chi] = await people(app, 3);
      const roomId = await roomOf(aki, [], { visibility });
      for (const person of [ben, chi]) await admit(aki, roomId, person);
      const [badge, theirs, others] = [watchBadge(ben), await events(ben, roomId), await events(chi, roomId)];
      await badge.next();
      const over = expect(theirs.until(() => false)).rejects.toThrow('complete');
      const { removeMember } = await aki.do(RemoveMember, { roomId, userId: globalId(ben) });
      expect(removeMember.room.memberCount).toBe(2);
      const took = over.then(startOwnTime());
      await say(aki, roomId, 'behind their back');
      expect(await took).toBeLessThan(1_000);
      expect(JSON.stringify(theirs.seen)).not.toContain('behind');
      const { unread } = await badge.until((event) => event.unread.removedRoomIds.length > 0);
      expect(unread.removedRoomIds).toEqual([roomId]);
      const told = await others.next();
      expect(told.roomEvents).toMatchObject({ __typename: 'MembershipChanged', membership: null });
      expect(await ben.refused(LeaveRoom, { roomId })).toBe(
        visibility === 'PUBLIC' ? 'FORBIDDEN' : 'NOT_FOUND',
      );
      const { data } = await ben.send(Timeline, { roomId });
      expect(JSON.stringify(data)).not.toContain('behind');
      others.close();
      badge.close();
    },
  );

  test('may come again by the ways that there are', async () => {
    const [aki, ben] = await people(app, 2);
    const roomId = await roomOf(aki, [ben]);
    await aki.do(RemoveMember, { roomId, userId: globalId(ben) });
    expect(await ben.refused(JoinRoom, { roomId })).toBeUndefined();
  });

  test('is always somebody else: oneself one leaves', async () => {
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
});

describe('who is banned', () => {
  test('is out, comes in no way until the ban is lifted, and can be seen to be banned', async () => {
    const [aki, ben, chi] = await people(app, 3);
    const roomId = await roomOf(aki, [ben]);
    const userId = globalId(ben);
    const theirs = await events(ben, roomId);
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

  test('from a full room hears that they are banned, not that it is full', async () => {
    const [aki, ben] = await people(app, 2);
    const roomId = await roomOf(aki, [], { capacity: 1 });
    await ben.do(Me);
    await aki.do(BanMember, { roomId, userId: globalId(ben) });
    expect(await ben.refused(JoinRoom, { roomId })).toBe('FORBIDDEN');
  });

  test('while they join is in the end not there', async () => {
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
});

describe('a role', () => {
  test('that changes is told to everybody in the room, and to the person', async () => {
    const [aki, ben, chi] = await people(app, 3);
    const roomId = await roomOf(aki, [ben, chi]);
    const [badge, room] = [watchBadge(ben), await events(chi, roomId)];
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

  test('of the last owner cannot be given up, not even by two at once', async () => {
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

  test('of two owners who demote, remove or leave each other at once one stays an owner', async () => {
    for (let round = 0; round < 6; round++) {
      const [aki, ben, chi] = await people(app, 3);
      const roomId = await roomOf(aki, [ben, chi]);
      await promote(aki, roomId, ben);
      const demote = (by: Person, whom: Person) =>
        by.refused(SetMemberRole, { roomId, userId: globalId(whom), role: 'MEMBER' });
      const remove = (by: Person, whom: Person) =>
        by.refused(RemoveMember, { roomId, userId: globalId(whom) });
      const ways = [demote, remove, (by: Person) => by.refused(LeaveRoom, { roomId })];
      const [one, other] = [ways[round % 3] ?? demote, ways[(round + 1) % 3] ?? remove];
      const codes = await Promise.all([one(aki, ben), other(ben, aki)]);
      expect(codes).toContain(undefined);
      const seats = await app.dynamo.get(keys.seats(rawId(roomId)));
      expect(Number(seats?.owners)).toBeGreaterThanOrEqual(1);
      expect(await app.dynamo.get(keys.member(rawId(roomId), chi.id))).toMatchObject({ role: 'MEMBER' });
    }
  });
});
