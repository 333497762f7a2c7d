/** Invites: who sees the codes, what is stored of them, and that uses are counted exactly. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keyOf, keys, ranges } from '../../src/dynamo/keys.ts';
import { watchBadge } from '../support/clients/badges.ts';
import {
  BanMember,
  JoinRoom,
  LeaveRoom,
  Me,
  NodeById,
  RoomById,
  UnbanMember,
} from '../support/clients/operations.ts';
import { CROWD, globalId, newUser, type Person, people, rawId, roomOf } from '../support/clients/people.ts';
import { admit, promote } from '../support/clients/roles.ts';
import { dump, itemsIn } from '../support/database/table.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { CreateInvite, Invites, JoinWithInvite, RevokeInvite } from './support/operations.ts';

let app: TestApp;
/** Milliseconds that the server's clock is ahead. */
let ahead = 0;
beforeAll(async () => {
  app = await startTestApp({ now: () => Date.now() + ahead });
});
afterAll(() => app.stop());

const HOUR = 3_600_000;

const invite = async (by: Person, roomId: string, rest: { maxUses?: number; expiresInHours?: number } = {}) =>
  (await by.do(CreateInvite, { input: { roomId, ...rest } })).createInvite;
const joinWith = (person: Person, code: string) => person.refused(JoinWithInvite, { code });
const usesOf = async (by: Person, roomId: string) =>
  (await by.do(Invites, { roomId })).room?.invites.edges.map(({ node }) => node.uses);
const memberCount = async (by: Person, roomId: string) =>
  (await by.do(RoomById, { id: roomId })).room?.memberCount;

test('joinWithInvite: lets a user into a private room and adds it to their badge', async () => {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, [], { visibility: 'PRIVATE', name: 'Secret' });
  const created = await invite(aki, roomId, { maxUses: 2 });
  expect(created.invite).toMatchObject({
    room: { id: roomId },
    createdBy: { handle: aki.handle },
    maxUses: 2,
    uses: 0,
  });
  await ben.do(Me);
  const badge = watchBadge(ben);
  await badge.next();
  const { joinWithInvite } = await ben.do(JoinWithInvite, { code: created.code });
  expect(joinWithInvite.membership).toMatchObject({ role: 'MEMBER', room: { id: roomId, name: 'Secret' } });
  await badge.until(({ unread }) => unread.rooms.some(({ room }) => room.id === roomId));
  expect(await joinWith(ben, created.code)).toBe('ALREADY_MEMBER');
  expect(await usesOf(aki, roomId)).toEqual([1]);
  badge.close();
});

test('createInvite: returns the code once and stores only its hash', async () => {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, [], { visibility: 'PRIVATE' });
  const { code, invite: made } = await invite(aki, roomId);
  await joinWith(ben, code);
  const secret = code.split('.')[1] ?? '';
  expect(secret).toMatch(/^[0-9a-z]{26}$/);
  expect(JSON.stringify([...(await dump(app.dynamo)).entries()])).not.toContain(secret);
  expect(Buffer.from(made.id, 'base64url').toString()).not.toContain(secret);
});

test('createInvite, invites and revokeInvite: are for owners and moderators only', async () => {
  const [aki, mod, ben, eve] = await people(app, 4);
  const roomId = await roomOf(aki, [], { visibility: 'PRIVATE' });
  for (const person of [mod, ben]) await admit(aki, roomId, person);
  await promote(aki, roomId, mod, 'MODERATOR');
  const { id } = (await invite(mod, roomId)).invite;
  for (const [person, code, seen] of [
    [eve, 'NOT_FOUND', null],
    [ben, 'FORBIDDEN', null],
    [aki, undefined, id],
  ] as const) {
    expect(await person.refused(CreateInvite, { input: { roomId } })).toBe(code);
    expect(await person.refused(Invites, { roomId })).toBe(code === 'NOT_FOUND' ? undefined : code);
    expect((await person.do(NodeById, { id })).node?.id ?? null).toBe(seen);
    expect(await person.refused(RevokeInvite, { inviteId: id })).toBe(code);
  }
  expect(await aki.refused(RevokeInvite, { inviteId: id })).toBe('NOT_FOUND');
  expect(await aki.refused(RevokeInvite, { inviteId: roomId })).toBe('NOT_FOUND');
});

test('joinWithInvite: answers NOT_FOUND for expired, revoked, used-up and unknown codes', async () => {
  const [aki, ben, chi] = await people(app, 3);
  const roomId = await roomOf(aki, [], { visibility: 'PRIVATE' });
  const [short, revoked, once] = [
    await invite(aki, roomId, { expiresInHours: 1 }),
    await invite(aki, roomId),
    await invite(aki, roomId, { maxUses: 1 }),
  ];
  await aki.do(RevokeInvite, { inviteId: revoked.invite.id });
  expect(await joinWith(ben, once.code)).toBeUndefined();
  ahead = HOUR + 1_000;
  for (const code of [short.code, revoked.code, once.code, `${rawId(roomId)}.${'0'.repeat(26)}`, 'x', '']) {
    expect(await joinWith(chi, code)).toBe('NOT_FOUND');
  }
  ahead = 0;
  expect(await joinWith(chi, short.code)).toBeUndefined();
});

test('joinWithInvite: answers NOT_FOUND for a private room without members, not for a public one', async () => {
  const [aki, ben] = await people(app, 2);
  for (const [visibility, code] of [
    ['PRIVATE', 'NOT_FOUND'],
    ['PUBLIC', undefined],
  ] as const) {
    const roomId = await roomOf(aki, [], { visibility });
    const made = await invite(aki, roomId);
    await aki.do(LeaveRoom, { roomId });
    expect(await joinWith(ben, made.code)).toBe(code);
  }
});

test('joinWithInvite: lets the creator of an invite back into a public room', async () => {
  const [aki] = await people(app, 1);
  const roomId = await roomOf(aki, [], { visibility: 'PUBLIC' });
  const { code } = await invite(aki, roomId);
  await aki.do(LeaveRoom, { roomId });
  expect(await joinWith(aki, code)).toBeUndefined();
});

test.each(['PRIVATE', 'PUBLIC'] as const)(
  'joinWithInvite: an invite to a %s room ends when its creator is demoted or banned',
  async (visibility) => {
    const [aki, ben, chi, dan] = await people(app, 4);
    await Promise.all([chi.do(Me), dan.do(Me)]);
    const roomId = await roomOf(aki, [], { visibility });
    await admit(aki, roomId, ben);
    await promote(aki, roomId, ben, 'MODERATOR');
    const { code } = await invite(ben, roomId);
    expect(await joinWith(chi, code)).toBeUndefined();
    await promote(aki, roomId, ben, 'MEMBER');
    expect(await joinWith(dan, code)).toBe('NOT_FOUND');
    await promote(aki, roomId, ben, 'MODERATOR');
    await aki.do(BanMember, { roomId, userId: globalId(ben) });
    expect(await joinWith(dan, code)).toBe('NOT_FOUND');
    expect(await usesOf(aki, roomId)).toEqual([]);
  },
);

test.each(['PRIVATE', 'PUBLIC'] as const)(
  'joinWithInvite: an invite to a %s room that ended with its creator does not come back',
  async (visibility) => {
    const [aki, ben, chi] = await people(app, 3);
    const roomId = await roomOf(aki, [], { visibility });
    await admit(aki, roomId, ben);
    await promote(aki, roomId, ben, 'MODERATOR');
    const demoted = await invite(ben, roomId);
    await promote(aki, roomId, ben, 'MEMBER');
    expect(await usesOf(aki, roomId)).toEqual([]);
    await promote(aki, roomId, ben, 'MODERATOR');
    expect(await joinWith(chi, demoted.code)).toBe('NOT_FOUND');
    // A promotion to owner, and back, ends nothing.
    const banned = await invite(ben, roomId, { maxUses: 5 });
    await promote(aki, roomId, ben);
    await promote(aki, roomId, ben, 'MODERATOR');
    expect(await joinWith(chi, banned.code)).toBeUndefined();
    await chi.do(LeaveRoom, { roomId });
    await aki.do(BanMember, { roomId, userId: globalId(ben) });
    await aki.do(UnbanMember, { roomId, userId: globalId(ben) });
    expect(await joinWith(chi, banned.code)).toBe('NOT_FOUND');
    await admit(aki, roomId, ben);
    await promote(aki, roomId, ben, 'MODERATOR');
    expect(await joinWith(chi, banned.code)).toBe('NOT_FOUND');
    expect(await usesOf(aki, roomId)).toEqual([]);
    const { code } = await invite(ben, roomId);
    expect(await joinWith(chi, code)).toBeUndefined();
    expect(await usesOf(aki, roomId)).toEqual([1]);
  },
);

test('joinWithInvite: an invite that ended by a demotion does not come back when its creator leaves a public room', async () => {
  const [aki, ben, chi] = await people(app, 3);
  const roomId = await roomOf(aki, [], { visibility: 'PUBLIC' });
  await admit(aki, roomId, ben);
  await promote(aki, roomId, ben, 'MODERATOR');
  const { code } = await invite(ben, roomId);
  await promote(aki, roomId, ben, 'MEMBER');
  await ben.do(LeaveRoom, { roomId });
  expect(await joinWith(chi, code)).toBe('NOT_FOUND');
  expect(await usesOf(aki, roomId)).toEqual([]);
});

test("joinWithInvite: an invite of a public room's creator that ended by a demotion does not come back when they leave", async () => {
  const [aki, ben, chi] = await people(app, 3);
  const roomId = await roomOf(aki, [], { visibility: 'PUBLIC' });
  const { code } = await invite(aki, roomId);
  await admit(aki, roomId, ben);
  await promote(aki, roomId, ben);
  await promote(ben, roomId, aki, 'MEMBER');
  expect(await joinWith(chi, code)).toBe('NOT_FOUND');
  await aki.do(LeaveRoom, { roomId });
  expect(await joinWith(chi, code)).toBe('NOT_FOUND');
  expect(await usesOf(ben, roomId)).toEqual([]);
});

test('joinWithInvite: an invite to a public room outlasts a ban from before it, but not a later one', async () => {
  const [aki, ben, chi, dan] = await people(app, 4);
  const roomId = await roomOf(aki, [], { visibility: 'PUBLIC' });
  const userId = globalId(ben);
  const returnAsModerator = async () => {
    await ben.do(JoinRoom, { roomId });
    await promote(aki, roomId, ben, 'MODERATOR');
  };
  await returnAsModerator();
  const before = await invite(ben, roomId);
  await aki.do(BanMember, { roomId, userId });
  await aki.do(UnbanMember, { roomId, userId });
  await returnAsModerator();
  const after = await invite(ben, roomId);
  await ben.do(LeaveRoom, { roomId });
  expect(await joinWith(chi, before.code)).toBe('NOT_FOUND');
  expect(await joinWith(chi, after.code)).toBeUndefined();
  expect(await usesOf(aki, roomId)).toEqual([1]);
  await aki.do(BanMember, { roomId, userId });
  await aki.do(UnbanMember, { roomId, userId });
  expect(await joinWith(dan, after.code)).toBe('NOT_FOUND');
  await returnAsModerator();
  await ben.do(LeaveRoom, { roomId });
  expect(await joinWith(dan, after.code)).toBe('NOT_FOUND');
  expect(await usesOf(aki, roomId)).toEqual([]);
});

test('joinWithInvite: an invite of an earlier release lasts as long as its creator may invite', async () => {
  const [aki, ben, chi] = await people(app, 3);
  const roomId = await roomOf(aki, [], { visibility: 'PRIVATE' });
  await admit(aki, roomId, ben);
  await promote(aki, roomId, ben, 'MODERATOR');
  const { code } = await invite(ben, roomId);
  for (const item of await itemsIn(app.dynamo, ranges.invites(rawId(roomId)))) {
    const { grant, ...before } = item;
    expect(grant).toEqual(expect.any(String));
    await app.dynamo.put({ ...keyOf(item), ...before });
  }
  expect(await usesOf(aki, roomId)).toEqual([0]);
  expect(await joinWith(chi, code)).toBeUndefined();
  await promote(aki, roomId, ben, 'MEMBER');
  expect(await usesOf(aki, roomId)).toEqual([]);
});

test('joinWithInvite: refuses a banned user without counting a use', async () => {
  const [aki, ben] = await people(app, 2);
  await ben.do(Me);
  for (const [visibility, code] of [
    ['PRIVATE', 'NOT_FOUND'],
    ['PUBLIC', 'FORBIDDEN'],
  ] as const) {
    const roomId = await roomOf(aki, [], { visibility });
    const made = await invite(aki, roomId, { maxUses: 1 });
    await aki.do(BanMember, { roomId, userId: globalId(ben) });
    expect(await joinWith(ben, made.code)).toBe(code);
    expect(await usesOf(aki, roomId)).toEqual([0]);
  }
});

test('joinWithInvite: lets exactly three of many users in with an invite for three', async () => {
  const aki = await newUser(app);
  const roomId = await roomOf(aki, [], { visibility: 'PRIVATE' });
  const { code } = await invite(aki, roomId, { maxUses: 3 });
  const crowd = await Promise.all(Array.from({ length: CROWD }, () => newUser(app)));
  for (const person of crowd) await person.do(Me);
  const codes = await Promise.all(crowd.map((person) => joinWith(person, code)));
  expect(codes.filter((one) => one === undefined)).toHaveLength(3);
  expect(codes.filter((one) => one === 'NOT_FOUND')).toHaveLength(CROWD - 3);
  expect(await usesOf(aki, roomId)).toEqual([3]);
  expect(await itemsIn(app.dynamo, ranges.members(rawId(roomId)))).toHaveLength(4);
});

test('joinWithInvite: counts no use for users who find the room full', async () => {
  const [aki, ...crowd] = await people(app, 11);
  const roomId = await roomOf(aki, [], { visibility: 'PRIVATE', capacity: 3 });
  const { code } = await invite(aki, roomId, { maxUses: 5 });
  for (const person of crowd) await person.do(Me);
  const codes = await Promise.all(crowd.map((person) => joinWith(person, code)));
  expect(codes.filter((one) => one === 'ROOM_FULL')).toHaveLength(8);
  expect(await usesOf(aki, roomId)).toEqual([2]);
  expect(await memberCount(aki, roomId)).toBe(3);
  expect(await app.dynamo.get(keys.seats(rawId(roomId)))).toMatchObject({ taken: 3, owners: 1 });
});

test('createInvite and joinWithInvite: refuse values out of bounds with BAD_USER_INPUT', async () => {
  const aki = await newUser(app);
  const roomId = await roomOf(aki);
  for (const wrong of [{ maxUses: 0 }, { maxUses: 10_001 }, { expiresInHours: 0 }, { expiresInHours: 721 }]) {
    expect(await aki.refused(CreateInvite, { input: { roomId, ...wrong } })).toBe('BAD_USER_INPUT');
  }
  expect(await aki.refused(JoinWithInvite, { code: 'x'.repeat(101) })).toBe('BAD_USER_INPUT');
});
