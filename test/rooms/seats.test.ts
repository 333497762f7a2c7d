/** Seats and owners under concurrent joins and leaves. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keys, ranges } from '../../src/dynamo/keys.ts';
import { JoinRoom, LeaveRoom, Me, RoomById } from '../support/clients/operations.ts';
import { CROWD, newUser, type Person, people, rawId, roomOf } from '../support/clients/people.ts';
import { promote } from '../support/clients/roles.ts';
import { itemsIn } from '../support/database/table.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

const members = (roomId: string) => itemsIn(app.dynamo, ranges.members(rawId(roomId)));
const owners = async (roomId: string) =>
  (await members(roomId)).filter(({ role }) => role === 'OWNER').length;

/** The seats item has the right counts, and each member has both items. */
async function expectConsistent(roomId: string): Promise<void> {
  const room = rawId(roomId);
  const items = await members(roomId);
  const seats = await app.dynamo.get(keys.seats(room));
  expect(seats).toMatchObject({ taken: items.length, owners: await owners(roomId) });
  for (const { sk, role } of items) {
    const user = String(sk).slice('MEMBER#'.length);
    expect(await app.dynamo.get(keys.membership(user, room))).toMatchObject({ role });
  }
}

const outcomes = async (all: Array<Promise<string | undefined>>): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const code of await Promise.all(all)) counts[code ?? 'ok'] = (counts[code ?? 'ok'] ?? 0) + 1;
  return counts;
};

test('joinRoom: gives the last seat to one of many users who want it at once', async () => {
  const [aki] = await people(app, 1);
  const crowd: Person[] = [];
  while (crowd.length < CROWD) crowd.push(await newUser(app));
  for (const person of crowd) await person.do(Me);
  const roomId = await roomOf(aki, [], { capacity: 2 });
  expect(await outcomes(crowd.map((person) => person.refused(JoinRoom, { roomId })))).toEqual({
    ok: 1,
    ROOM_FULL: CROWD - 1,
  });
  await expectConsistent(roomId);
  expect((await aki.do(RoomById, { id: roomId })).room?.memberCount).toBe(2);
});

test('leaveRoom: frees the seat for the next user', async () => {
  const [aki, ben, chi] = await people(app, 3);
  const roomId = await roomOf(aki, [ben], { capacity: 2 });
  expect(await chi.refused(JoinRoom, { roomId })).toBe('ROOM_FULL');
  await ben.do(LeaveRoom, { roomId });
  await chi.do(JoinRoom, { roomId });
  await expectConsistent(roomId);
});

test('joinRoom: counts a user who joins fifteen times at once as one member', async () => {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki);
  const codes = await outcomes(Array.from({ length: 15 }, () => ben.refused(JoinRoom, { roomId })));
  expect(codes).toEqual({ ok: 1, ALREADY_MEMBER: 14 });
  expect(await app.dynamo.get(keys.user(ben.id))).toMatchObject({ rooms: 1, joins: 1 });
  await expectConsistent(roomId);
});

/** Each join writes the same profile, so they conflict: DynamoDB Local needs 13 s for all of them. */
const ROOMS_AT_ONCE = 30;

test('joinRoom: lets one user join many rooms at once', async () => {
  const [aki, ben] = await people(app, 2);
  const rooms: string[] = [];
  for (let n = 0; n < ROOMS_AT_ONCE; n++) rooms.push(await roomOf(aki));
  expect(await outcomes(rooms.map((roomId) => ben.refused(JoinRoom, { roomId })))).toEqual({
    ok: ROOMS_AT_ONCE,
  });
  expect(await app.dynamo.get(keys.user(ben.id))).toMatchObject({
    rooms: ROOMS_AT_ONCE,
    joins: ROOMS_AT_ONCE,
  });
});

test('leaveRoom: refuses the last owner with CONFLICT while there are other members', async () => {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, [ben]);
  expect(await aki.refused(LeaveRoom, { roomId })).toBe('CONFLICT');
  await ben.do(LeaveRoom, { roomId });
  await aki.do(LeaveRoom, { roomId });
  await expectConsistent(roomId);
});

test('leaveRoom: refuses one of two owners who leave at once', async () => {
  for (let round = 0; round < 5; round++) {
    const [aki, ben, chi] = await people(app, 3);
    const roomId = await roomOf(aki, [ben, chi]);
    await promote(aki, roomId, ben);
    const codes = await outcomes([aki, ben].map((person) => person.refused(LeaveRoom, { roomId })));
    expect(codes).toEqual({ ok: 1, CONFLICT: 1 });
    expect(await owners(roomId)).toBe(1);
    await expectConsistent(roomId);
  }
});

test('joinRoom: makes the first user in an empty room its owner', async () => {
  const [aki] = await people(app, 1);
  const crowd = await people(app, 10);
  for (const person of crowd) await person.do(Me);
  const roomId = await roomOf(aki);
  await aki.do(LeaveRoom, { roomId });
  expect(await outcomes(crowd.map((person) => person.refused(JoinRoom, { roomId })))).toEqual({ ok: 10 });
  expect(await owners(roomId)).toBe(1);
  await expectConsistent(roomId);
});

test('joinRoom and leaveRoom: keep counts and owner right while eight users leave and eight join', async () => {
  const owner = await newUser(app);
  const [leaving, joining] = [await people(app, 8), await people(app, 8)];
  const roomId = await roomOf(owner, leaving);
  for (const person of joining) await person.do(Me);
  const codes = await outcomes([
    ...leaving.map((person) => person.refused(LeaveRoom, { roomId })),
    ...joining.map((person) => person.refused(JoinRoom, { roomId })),
    owner.refused(LeaveRoom, { roomId }),
  ]);
  // The owner may have been the only member for a moment, and then may leave.
  expect([{ ok: 16, CONFLICT: 1 }, { ok: 17 }]).toContainEqual(codes);
  await expectConsistent(roomId);
});
