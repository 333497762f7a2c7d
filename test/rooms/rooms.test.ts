import { afterAll, beforeAll, expect, test } from 'vitest';
import { keys } from '../../src/dynamo/keys.ts';
import { MAX_ROOMS } from '../../src/users/user.ts';
import { queryBadge } from '../support/clients/badges.ts';
import {
  CreateRoom,
  Directory,
  JoinRoom,
  LeaveRoom,
  Members,
  Memberships,
  RoomById,
} from '../support/clients/operations.ts';
import { newUser, people, rawId, roomOf, say } from '../support/clients/people.ts';
import { positioned } from '../support/database/table.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

test('createRoom: makes the viewer the owner and the first member', async () => {
  const [aki] = await people(app, 1);
  const input = { name: 'Lobby 集い', topic: 'Everything', visibility: 'PUBLIC', capacity: 5 } as const;
  const { createRoom } = await aki.do(CreateRoom, { input });
  expect(createRoom.room).toMatchObject({ ...input, memberCount: 1, viewerMembership: { role: 'OWNER' } });
  const { room } = await aki.do(RoomById, { id: createRoom.room.id });
  expect(room).toMatchObject({ ...input, memberCount: 1 });
});

test('createRoom: stores a blank topic as null', async () => {
  const aki = await newUser(app);
  const { createRoom } = await aki.do(CreateRoom, {
    input: { name: 'Bare', topic: '  ', visibility: 'PRIVATE' },
  });
  expect(createRoom.room.topic).toBeNull();
});

test('rooms: lists public rooms in pages, newest first, and no private ones', async () => {
  const [aki, ben] = await people(app, 2);
  const created: string[] = [];
  for (let n = 0; n < 5; n++) {
    created.unshift(await roomOf(aki, [], { name: `public ${n}` }));
    await roomOf(aki, [], { name: `private ${n}`, visibility: 'PRIVATE' });
  }
  const found: string[] = [];
  let after: string | null = null;
  for (let more = true; more && found.length < 5; ) {
    const page: Awaited<ReturnType<typeof readPage>> = await readPage(after);
    expect(page.edges.length).toBe(2);
    expect(page.pageInfo.hasPreviousPage).toBe(after !== null);
    found.push(...page.edges.map(({ node }) => node.id));
    expect(page.edges.every(({ node }) => node.visibility === 'PUBLIC')).toBe(true);
    after = page.pageInfo.endCursor;
    more = page.pageInfo.hasNextPage;
  }
  expect(found.slice(0, 5)).toEqual(created);

  async function readPage(cursor: string | null) {
    return (await ben.do(Directory, { first: 2, after: cursor })).rooms;
  }
});

test('joinRoom and leaveRoom: change the members that other users see', async () => {
  const [aki, ben, chi] = await people(app, 3);
  const roomId = await roomOf(aki);
  const { joinRoom } = await ben.do(JoinRoom, { roomId });
  expect(joinRoom.membership).toMatchObject({ role: 'MEMBER', unreadCount: 0, user: { handle: ben.handle } });
  expect((await chi.do(RoomById, { id: roomId })).room).toMatchObject({
    memberCount: 2,
    viewerMembership: null,
  });

  const { room } = await aki.do(Members, { roomId });
  expect(new Set(room?.members.edges.map(({ node }) => node.user.handle))).toEqual(
    new Set([aki.handle, ben.handle]),
  );
  // Each member sees only their own unread count.
  for (const { node } of room?.members.edges ?? []) {
    const own = node.user.handle === aki.handle;
    expect([node.unreadCount, node.muted]).toEqual(own ? [0, false] : [null, null]);
  }

  const { leaveRoom } = await ben.do(LeaveRoom, { roomId });
  expect(leaveRoom).toEqual({
    room: { id: roomId, memberCount: 1 },
    deletedMembershipId: joinRoom.membership?.id,
  });
  expect(await ben.refused(Members, { roomId })).toBe('FORBIDDEN');
  expect(await ben.refused(LeaveRoom, { roomId })).toBe('FORBIDDEN');
});

test('leaveRoom: hides a private room from the former member', async () => {
  const [aki] = await people(app, 1);
  const roomId = await roomOf(aki, [], { visibility: 'PRIVATE' });
  const { leaveRoom } = await aki.do(LeaveRoom, { roomId });
  expect(leaveRoom.room).toBeNull();
  expect((await aki.do(RoomById, { id: roomId })).room).toBeNull();
  expect(await aki.refused(LeaveRoom, { roomId })).toBe('NOT_FOUND');
  expect(await aki.refused(JoinRoom, { roomId })).toBe('NOT_FOUND');
});

test('joinRoom: refuses a second join with ALREADY_MEMBER', async () => {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, [ben]);
  expect(await aki.refused(JoinRoom, { roomId })).toBe('ALREADY_MEMBER');
  expect(await ben.refused(JoinRoom, { roomId })).toBe('ALREADY_MEMBER');
});

test('memberships: lists the rooms of the viewer in pages', async () => {
  const aki = await newUser(app);
  const created = new Set<string>();
  for (let n = 0; n < 5; n++) created.add(await roomOf(aki));
  const first = (await aki.do(Memberships, { first: 3 })).viewer.memberships;
  expect(first.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
  const second = (await aki.do(Memberships, { first: 3, after: first.pageInfo.endCursor })).viewer
    .memberships;
  expect(second.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
  const found = [...first.edges, ...second.edges].map(({ node }) => node.room.id);
  expect(found).toHaveLength(5);
  expect(new Set(found)).toEqual(created);
});

test('createRoom and joinRoom: refuse a user who is in 1,000 rooms with CONFLICT', async () => {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki);
  const other = await roomOf(ben);
  const setRooms = (rooms: number) =>
    app.dynamo.update(keys.user(aki.id), { update: 'SET rooms = :rooms', values: { ':rooms': rooms } });
  await setRooms(MAX_ROOMS);
  expect(await aki.refused(JoinRoom, { roomId: other })).toBe('CONFLICT');
  expect(await aki.refused(CreateRoom, { input: { name: 'One more', visibility: 'PUBLIC' } })).toBe(
    'CONFLICT',
  );
  expect((await ben.do(RoomById, { id: other })).room?.memberCount).toBe(1);

  await aki.do(LeaveRoom, { roomId });
  await aki.do(JoinRoom, { roomId: other });
  expect(await app.dynamo.get(keys.user(aki.id))).toMatchObject({ rooms: MAX_ROOMS });
  await setRooms(1);
});

test('joinRoom: starts with everything read and a higher rev after leaving and joining again', async () => {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, [ben]);
  await say(aki, roomId, 'one');
  await say(aki, roomId, 'two');
  await positioned(app.dynamo, rawId(roomId));
  expect((await queryBadge(ben)).rooms[roomId]).toBe(2);
  const membership = () => app.dynamo.get(keys.membership(ben.id, rawId(roomId)));
  const before = await membership();
  await ben.do(LeaveRoom, { roomId });
  expect((await queryBadge(ben)).total).toBe(0);
  await ben.do(JoinRoom, { roomId });
  const after = await membership();
  expect(Number(after?.rev)).toBeGreaterThan(Number(before?.rev));
  expect((await queryBadge(ben)).total).toBe(0);
  await say(aki, roomId, 'three');
  await positioned(app.dynamo, rawId(roomId));
  expect((await queryBadge(ben)).rooms[roomId]).toBe(1);
});
