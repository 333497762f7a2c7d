/** What others may do to a user who was not asked: how many rooms they may put them into, and whether again. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { ADDED_BY_ONE_MAX, ADDED_ROOMS_MAX } from '../../src/rooms/membership/consent.ts';
import {
  AddMember,
  CreateRoom,
  JoinRoom,
  LeaveRoom,
  Me,
  RemoveMember,
} from '../support/clients/operations.ts';
import { globalId, type Person, people, rawId, roomOf } from '../support/clients/people.ts';
import { promote } from '../support/clients/roles.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { recount } from '../verify/support/recount.ts';
import { CreateInvite, JoinWithInvite, OpenDirectRoom, OwnRooms } from './support/operations.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => {
  await app.quiet();
  expect(await recount(app.dynamo)).toEqual([]);
  await app.stop();
});

async function known<T extends readonly Person[]>(all: T): Promise<T> {
  await Promise.all(all.map((person) => person.do(Me)));
  return all;
}

const privateRooms = (owner: Person, count: number): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, () => roomOf(owner, [], { visibility: 'PRIVATE' })));

const add = (by: Person, roomId: string, person: Person) =>
  by.refused(AddMember, { roomId, userId: globalId(person) });

const profile = (person: Person) => app.dynamo.get(keys.user(person.id));

const tally = (results: ReadonlyArray<string | undefined>) => ({
  ok: results.filter((code) => code === undefined).length,
  refused: results.filter((code) => code === 'FORBIDDEN').length,
});

describe('limits of being added', () => {
  test('one user adds another to ten rooms at most, also at the same moment', async () => {
    const [aki, ben, chi] = await known(await people(app, 3));
    const rooms = await privateRooms(aki, ADDED_BY_ONE_MAX + 5);
    const results = await Promise.all(rooms.map((roomId) => add(aki, roomId, ben)));
    expect(tally(results)).toEqual({ ok: ADDED_BY_ONE_MAX, refused: 5 });
    expect(await profile(ben)).toMatchObject({ rooms: ADDED_BY_ONE_MAX, addedRooms: ADDED_BY_ONE_MAX });
    // Each pair of users counts for itself.
    expect(await add(aki, rooms[0] ?? '', chi)).toBeUndefined();
    const [other = ''] = await privateRooms(chi, 1);
    expect(await add(chi, other, ben)).toBeUndefined();
  });

  test('a direct room that one user opens counts as one of them, for the other', async () => {
    const [aki, ben, chi] = await known(await people(app, 3));
    for (const roomId of await privateRooms(aki, ADDED_BY_ONE_MAX)) await add(aki, roomId, ben);
    const open = (by: Person, others: readonly Person[]) =>
      by.refused(OpenDirectRoom, { userIds: others.map(globalId) });
    expect(await open(aki, [ben])).toBe('FORBIDDEN');
    expect(await open(aki, [ben, chi])).toBe('FORBIDDEN');
    expect(await profile(chi)).toMatchObject({ rooms: 0 });
    expect(await open(ben, [aki])).toBeUndefined();
    expect(await profile(aki)).toMatchObject({ addedRooms: 1 });
    // Now it exists, so opening it adds no one.
    expect(await open(aki, [ben])).toBeUndefined();
  });

  test('others put a user into 200 rooms at most, and the user has space for their own', async () => {
    const [aki, ben, chi] = await known(await people(app, 3));
    await app.dynamo.update(keys.user(ben.id), {
      update: 'SET addedRooms = :n, rooms = :n',
      values: { ':n': ADDED_ROOMS_MAX - 1 },
    });
    const [ofAki, ofChi] = await Promise.all([privateRooms(aki, 3), privateRooms(chi, 3)]);
    const results = await Promise.all([
      ...ofAki.map((roomId) => add(aki, roomId, ben)),
      ...ofChi.map((roomId) => add(chi, roomId, ben)),
    ]);
    expect(tally(results)).toEqual({ ok: 1, refused: 5 });
    expect(await chi.refused(OpenDirectRoom, { userIds: [globalId(ben)] })).toBe('FORBIDDEN');
    expect(await ben.refused(CreateRoom, { input: { name: 'Own', visibility: 'PRIVATE' } })).toBeUndefined();
    expect(await ben.refused(OpenDirectRoom, { userIds: [globalId(chi)] })).toBeUndefined();
    expect(await ben.refused(JoinRoom, { roomId: await roomOf(aki) })).toBeUndefined();
    await app.dynamo.update(keys.user(ben.id), {
      update: 'SET addedRooms = :added, rooms = :rooms',
      values: { ':added': 1, ':rooms': 4 },
    });
  });

  test('leaving, and being removed, make space again, exactly once', async () => {
    const [aki, ben] = await known(await people(app, 2));
    const rooms = await privateRooms(aki, ADDED_BY_ONE_MAX + 2);
    const [first = '', second = ''] = rooms;
    for (const roomId of rooms.slice(0, -2)) expect(await add(aki, roomId, ben)).toBeUndefined();
    await Promise.all([1, 2, 3].map(() => ben.send(LeaveRoom, { roomId: first })));
    await aki.do(RemoveMember, { roomId: second, userId: globalId(ben) });
    expect(await profile(ben)).toMatchObject({ addedRooms: ADDED_BY_ONE_MAX - 2 });
    const results = await Promise.all([...rooms.slice(-2), second].map((roomId) => add(aki, roomId, ben)));
    expect(tally(results)).toEqual({ ok: 2, refused: 1 });
    for (const { node } of (await ben.do(OwnRooms)).viewer.memberships.edges) {
      await ben.do(LeaveRoom, { roomId: node.room.id });
    }
    expect(await app.dynamo.get(keys.adder(ben.id, aki.id))).toBeUndefined();
  });

  test('one waitlist, join, invite or room of their own is never counted', async () => {
    const [aki, ben] = await known(await people(app, 2));
    const roomId = await roomOf(aki, [ben]);
    await ben.do(LeaveRoom, { roomId });
    const [hidden = ''] = await privateRooms(aki, 1);
    const { createInvite } = await aki.do(CreateInvite, { input: { roomId: hidden } });
    await ben.do(JoinWithInvite, { code: createInvite.code });
    await roomOf(ben);
    expect(await app.dynamo.get(keys.adder(ben.id, aki.id))).toBeUndefined();
    expect((await profile(ben))?.addedRooms).toBeUndefined();
  });
});

describe('being added again', () => {
  test('a user who left is not added again by the same user, but by another, until they come back', async () => {
    const [aki, ben, chi] = await known(await people(app, 3));
    const roomId = await roomOf(aki, [chi]);
    await promote(aki, roomId, chi);
    expect(await add(aki, roomId, ben)).toBeUndefined();
    await ben.do(LeaveRoom, { roomId });
    expect(await add(aki, roomId, ben)).toBe('FORBIDDEN');
    expect(await add(chi, roomId, ben)).toBeUndefined();
    await ben.do(LeaveRoom, { roomId });
    expect([await add(aki, roomId, ben), await add(chi, roomId, ben)]).toEqual(['FORBIDDEN', 'FORBIDDEN']);
    await ben.do(JoinRoom, { roomId });
    await ben.do(LeaveRoom, { roomId });
    expect(await app.dynamo.get(keys.left(ben.id, rawId(roomId)))).toBeUndefined();
    expect(await add(aki, roomId, ben)).toBeUndefined();
  });

  test('accepting an invite counts as coming back', async () => {
    const [aki, ben] = await known(await people(app, 2));
    const [roomId = ''] = await privateRooms(aki, 1);
    await add(aki, roomId, ben);
    await ben.do(LeaveRoom, { roomId });
    expect(await add(aki, roomId, ben)).toBe('FORBIDDEN');
    const { createInvite } = await aki.do(CreateInvite, { input: { roomId } });
    await ben.do(JoinWithInvite, { code: createInvite.code });
    await aki.do(RemoveMember, { roomId, userId: globalId(ben) });
    expect(await add(aki, roomId, ben)).toBeUndefined();
  });

  test('a user who was removed may be added again by the same user', async () => {
    const [aki, ben] = await known(await people(app, 2));
    const [roomId = ''] = await privateRooms(aki, 1);
    for (let i = 0; i < 2; i++) {
      expect(await add(aki, roomId, ben)).toBeUndefined();
      await aki.do(RemoveMember, { roomId, userId: globalId(ben) });
    }
  });

  test('after ten others had added them, no one adds a user again who left', async () => {
    const [aki, ben] = await known(await people(app, 2));
    const [roomId = ''] = await privateRooms(aki, 1);
    const by = Array.from({ length: 10 }, () => newId());
    await app.dynamo.put({ ...keys.left(ben.id, rawId(roomId)), v: 1, by });
    expect(await add(aki, roomId, ben)).toBe('FORBIDDEN');
    await app.dynamo.put({ ...keys.left(ben.id, rawId(roomId)), v: 1, by: by.slice(1) });
    expect(await add(aki, roomId, ben)).toBeUndefined();
  });

  test('adding and leaving at the same moment leaves every number right', async () => {
    const [aki, ben, chi] = await known(await people(app, 3));
    const [roomId = ''] = await privateRooms(aki, 1);
    await aki.do(AddMember, { roomId, userId: globalId(chi) });
    await promote(aki, roomId, chi);
    await Promise.all([
      ...[aki, chi, aki, chi].map((by) => add(by, roomId, ben)),
      ...[1, 2, 3].map(() => ben.send(LeaveRoom, { roomId })),
      ...[1, 2].map(() => aki.send(RemoveMember, { roomId, userId: globalId(ben) })),
    ]);
    await app.quiet();
    expect(await recount(app.dynamo)).toEqual([]);
  });
});
