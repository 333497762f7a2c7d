/** Direct rooms: the same people always get the same room, and all of them have equal rights. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { keys, ranges } from '../../src/dynamo/keys.ts';
import { encodeId } from '../../src/graphql/ids.ts';
import { MAX_ROOMS } from '../../src/users/user.ts';
import { DeleteMessage } from '../messages/support/operations.ts';
import { watchBadge } from '../support/clients/badges.ts';
import {
  AddMember,
  BanMember,
  Directory,
  JoinRoom,
  LeaveRoom,
  Me,
  RemoveMember,
  RoomById,
  SetMemberRole,
  UpdateProfile,
  UpdateRoom,
} from '../support/clients/operations.ts';
import { globalId, type Person, people, rawId, roomOf, say } from '../support/clients/people.ts';
import { itemsIn } from '../support/database/table.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { CreateInvite, OpenDirectRoom, PeopleOf } from './support/operations.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

const withProfiles = async <P extends readonly Person[]>(all: P): Promise<P> => {
  for (const person of all) await person.do(Me);
  return all;
};
const open = async (by: Person, others: readonly Person[]) =>
  (await by.do(OpenDirectRoom, { userIds: others.map(globalId) })).openDirectRoom.room;
const membersOf = (roomId: string) => itemsIn(app.dynamo, ranges.members(rawId(roomId)));

test('openDirectRoom: returns the same room for the same people in any order', async () => {
  const [aki, ben, chi] = await withProfiles(await people(app, 3));
  const room = await open(aki, [ben, chi]);
  expect(room).toMatchObject({ visibility: 'DIRECT', memberCount: 3, capacity: null });
  expect((await open(ben, [chi, aki])).id).toBe(room.id);
  expect((await open(chi, [chi, ben, aki, ben])).id).toBe(room.id);
  expect((await open(aki, [ben])).id).not.toBe(room.id);
  expect((await open(aki, [aki])).memberCount).toBe(1);
});

test('openDirectRoom: creates one room when five people open it twice each at once', async () => {
  for (let round = 0; round < 3; round++) {
    const all = await withProfiles(await people(app, 5));
    const rooms = await Promise.all([...all, ...all].map((person) => open(person, all)));
    expect(new Set(rooms.map(({ id }) => id)).size).toBe(1);
    const roomId = rooms[0]?.id ?? '';
    expect(await membersOf(roomId)).toHaveLength(5);
    expect(await app.dynamo.get(keys.seats(rawId(roomId)))).toMatchObject({ taken: 5, owners: 5 });
    for (const { id } of all) expect(await app.dynamo.get(keys.user(id))).toMatchObject({ rooms: 1 });
  }
});

test('openDirectRoom: names the room after the current display names', async () => {
  const [aki, ben] = await withProfiles(await people(app, 2));
  await aki.do(UpdateProfile, { input: { displayName: 'Zoe' } });
  await ben.do(UpdateProfile, { input: { displayName: 'Ben' } });
  const { id, name } = await open(aki, [ben]);
  expect(name).toBe('Ben, Zoe');
  await aki.do(UpdateProfile, { input: { displayName: 'Aki' } });
  for (const person of [aki, ben]) expect((await person.do(RoomById, { id })).room?.name).toBe('Aki, Ben');
});

test('people: lists the participants of a direct room, including those who left', async () => {
  const [aki, ben, eve] = await withProfiles(await people(app, 3));
  const { id } = await open(aki, [ben]);
  await ben.do(LeaveRoom, { roomId: id });
  const { room } = await aki.do(PeopleOf, { id });
  expect(room?.people?.map(({ handle }) => handle).sort()).toEqual([aki.handle, ben.handle].sort());
  expect((await eve.do(PeopleOf, { id })).room).toBeNull();
  expect((await aki.do(PeopleOf, { id: await roomOf(aki, []) })).room?.people).toBeNull();
});

test('openDirectRoom: adds the room to the badges of its people and hides it from others', async () => {
  const [aki, ben, eve] = await withProfiles(await people(app, 3));
  const badge = watchBadge(ben);
  await badge.next();
  const { id: roomId } = await open(aki, [ben]);
  await badge.until(({ unread }) => unread.rooms.some(({ room }) => room.id === roomId));
  await say(ben, roomId, 'hello');
  expect((await eve.do(RoomById, { id: roomId })).room).toBeNull();
  expect(await eve.refused(JoinRoom, { roomId })).toBe('NOT_FOUND');
  const { rooms } = await eve.do(Directory, { first: 100 });
  expect(rooms.edges.map(({ node }) => node.id)).not.toContain(roomId);
  badge.close();
});

test('direct room: refuses every moderation and change with FORBIDDEN', async () => {
  const [aki, ben, chi] = await withProfiles(await people(app, 3));
  const { id: roomId } = await open(aki, [ben]);
  const { id: messageId } = await say(ben, roomId, 'by Ben');
  const [toBen, toChi] = [ben, chi].map((person) => ({ roomId, userId: globalId(person) }));
  const refusals = await Promise.all([
    aki.refused(UpdateRoom, { input: { roomId, name: 'Ours' } }),
    aki.refused(UpdateRoom, { input: { roomId, capacity: 9 } }),
    aki.refused(AddMember, toChi),
    aki.refused(RemoveMember, toBen),
    aki.refused(BanMember, toBen),
    aki.refused(SetMemberRole, { roomId, userId: globalId(ben), role: 'MEMBER' }),
    aki.refused(CreateInvite, { input: { roomId } }),
    aki.refused(DeleteMessage, { messageId }),
  ]);
  expect(new Set(refusals)).toEqual(new Set(['FORBIDDEN']));
  expect(await ben.refused(DeleteMessage, { messageId })).toBeUndefined();
});

test('openDirectRoom: adds people again who left and open it, and keeps the messages', async () => {
  const [aki, ben] = await withProfiles(await people(app, 2));
  const { id: roomId } = await open(aki, [ben]);
  await say(aki, roomId, 'before');
  await ben.do(LeaveRoom, { roomId });
  expect((await ben.do(RoomById, { id: roomId })).room).toBeNull();
  // Aki had added Ben.
  const { errors } = await aki.send(OpenDirectRoom, { userIds: [globalId(ben)] });
  expect(errors).toMatchObject([
    { message: 'You cannot add this person to a direct room.', extensions: { code: 'FORBIDDEN' } },
  ]);
  await Promise.all([open(ben, [aki]), open(ben, [aki])]);
  expect((await ben.do(RoomById, { id: roomId })).room).toMatchObject({ memberCount: 2 });
  await aki.do(LeaveRoom, { roomId });
  await ben.do(LeaveRoom, { roomId });
  expect(await open(ben, [aki])).toMatchObject({ id: roomId, memberCount: 2 });
  expect(await app.dynamo.get(keys.seats(rawId(roomId)))).toMatchObject({ taken: 2, owners: 2 });
});

test('openDirectRoom: refuses unknown people, no people, more than eight, and users in 1,000 rooms', async () => {
  const [aki, ben, ...others] = await withProfiles(await people(app, 9));
  const refused = (userIds: string[]) => aki.refused(OpenDirectRoom, { userIds });
  expect(await refused([globalId(ben), encodeId('User', newId())])).toBe('NOT_FOUND');
  expect(await refused(['nonsense'])).toBe('NOT_FOUND');
  expect(await refused([])).toBe('BAD_USER_INPUT');
  expect(await refused([ben, ...others].map(globalId))).toBe('BAD_USER_INPUT');
  expect(await refused([aki, ben, ...others.slice(1)].map(globalId))).toBeUndefined();
  await app.dynamo.update(keys.user(ben.id), { update: 'SET rooms = :n', values: { ':n': MAX_ROOMS } });
  expect(await refused([globalId(ben)])).toBe('CONFLICT');
  await app.dynamo.update(keys.user(ben.id), { update: 'SET rooms = :n', values: { ':n': 1 } });
});
