/** What a blocked user cannot do to the other any more, and that they do not learn of it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { keys, ranges } from '../../src/dynamo/keys.ts';
import { encodeId } from '../../src/graphql/ids.ts';
import { BLOCKED_MAX } from '../../src/users/blocks/block.ts';
import { LikeMessage } from '../reactions/likes/support/operations.ts';
import { NotificationRooms, OpenDirectRoom } from '../rooms/support/operations.ts';
import { AddMember, JoinRoom, LeaveRoom, Me } from '../support/clients/operations.ts';
import { globalId, type Person, people, roomOf, say } from '../support/clients/people.ts';
import { itemsIn } from '../support/database/table.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { recount } from '../verify/support/recount.ts';
import { BlockedUsers, BlockUser, MentionsOf, UnblockUser } from './support/blocks.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

async function known<T extends readonly Person[]>(all: T): Promise<T> {
  await Promise.all(all.map((person) => person.do(Me)));
  return all;
}

const inputOf = (person: Person) => ({ input: { userId: globalId(person) } });
const block = (by: Person, person: Person) => by.do(BlockUser, inputOf(person));
const unblock = (by: Person, person: Person) => by.do(UnblockUser, inputOf(person));
const open = (by: Person, person: Person) => by.refused(OpenDirectRoom, { userIds: [globalId(person)] });

const blockedOf = async (person: Person) =>
  (await person.do(BlockedUsers, {})).viewer.blockedUsers.edges.map(({ node }) => node.id);

async function notificationsOf(person: Person) {
  await app.quiet();
  const { viewer } = await person.do(NotificationRooms);
  return viewer.notifications.edges.map(({ node }) => node);
}

describe('blockUser', () => {
  test('lists who is blocked, in pages, and is idempotent', async () => {
    const [aki, ben, chi] = await known(await people(app, 3));
    for (const person of [ben, chi, ben]) {
      expect((await block(aki, person)).blockUser?.user).toEqual({
        id: globalId(person),
        handle: person.handle,
      });
    }
    expect((await blockedOf(aki)).sort()).toEqual([ben, chi].map(globalId).sort());
    expect(await blockedOf(ben)).toEqual([]);
    const first = (await aki.do(BlockedUsers, { first: 1 })).viewer.blockedUsers;
    expect(first.pageInfo.hasNextPage).toBe(true);
    const rest = await aki.do(BlockedUsers, { first: 5, after: first.pageInfo.endCursor });
    expect(rest.viewer.blockedUsers.edges).toHaveLength(1);
    for (let i = 0; i < 2; i++) await unblock(aki, ben);
    expect(await blockedOf(aki)).toEqual([globalId(chi)]);
    expect(await app.dynamo.get(keys.blockCount(aki.id))).toMatchObject({ blocked: 1 });
  });

  test('refuses the viewer themselves, unknown users, and more than the maximum, also at once', async () => {
    const [aki, ben, chi, dan] = await known(await people(app, 4));
    expect(await aki.refused(BlockUser, inputOf(aki))).toBe('BAD_USER_INPUT');
    const unknown = { input: { userId: encodeId('User', newId()) } };
    expect(await aki.refused(BlockUser, unknown)).toBe('NOT_FOUND');
    expect(await aki.refused(UnblockUser, unknown)).toBe('NOT_FOUND');
    await app.dynamo.put({ ...keys.blockCount(aki.id), v: 1, blocked: BLOCKED_MAX - 1, rev: 1 });
    const results = await Promise.all(
      [ben, chi, dan, ben].map((one) => aki.refused(BlockUser, inputOf(one))),
    );
    expect(await itemsIn(app.dynamo, ranges.blocks(aki.id))).toHaveLength(1);
    expect(new Set(results)).toEqual(new Set([undefined, 'CONFLICT']));
    await app.dynamo.put({ ...keys.blockCount(aki.id), v: 1, blocked: 1, rev: 9 });
  });

  test('blocking and unblocking at the same moment leaves the number right', async () => {
    const [aki, ben, chi] = await known(await people(app, 3));
    await Promise.all([
      ...[ben, chi, ben].map((one) => aki.send(BlockUser, inputOf(one))),
      ...[chi, ben].map((one) => aki.send(UnblockUser, inputOf(one))),
    ]);
    expect(await recount(app.dynamo)).toEqual([]);
  });
});

describe('a blocked user', () => {
  test('cannot add the other, nor open a direct room; the refusal is that of a user who left', async () => {
    const [aki, ben, chi] = await known(await people(app, 3));
    const [roomId, other] = [await roomOf(aki), await roomOf(aki)];
    const add = (to: string, person: Person) => aki.send(AddMember, { roomId: to, userId: globalId(person) });
    await add(other, chi);
    await chi.do(LeaveRoom, { roomId: other });
    await block(ben, aki);
    const [blocked, left] = [await add(roomId, ben), await add(other, chi)];
    expect(blocked.errors?.[0]?.extensions?.code).toBe('FORBIDDEN');
    expect(blocked.errors?.map(({ message, extensions }) => ({ message, extensions }))).toEqual(
      left.errors?.map(({ message, extensions }) => ({ message, extensions })),
    );
    expect(await open(aki, ben)).toBe('FORBIDDEN');
    expect(await aki.refused(OpenDirectRoom, { userIds: [ben, chi].map(globalId) })).toBe('FORBIDDEN');
    await unblock(ben, aki);
    expect((await add(roomId, ben)).errors).toBeUndefined();
    expect(await open(aki, ben)).toBeUndefined();
  });

  test('is not added by the user who blocked them either', async () => {
    const [aki, ben] = await known(await people(app, 2));
    await block(aki, ben);
    const { errors } = await aki.send(AddMember, { roomId: await roomOf(aki), userId: globalId(ben) });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'CONFLICT', reason: 'BLOCKED' });
    expect(await open(aki, ben)).toBe('CONFLICT');
  });

  test('keeps a direct room that exists, until the other leaves it', async () => {
    const [aki, ben] = await known(await people(app, 2));
    const { openDirectRoom } = await aki.do(OpenDirectRoom, { userIds: [globalId(ben)] });
    await block(ben, aki);
    expect([await open(aki, ben), await open(ben, aki)]).toEqual([undefined, undefined]);
    await ben.do(LeaveRoom, { roomId: openDirectRoom.room.id });
    expect(await open(aki, ben)).toBe('FORBIDDEN');
  });

  test('causes no notification: no mention, reply, like, and nothing after unblocking that came before', async () => {
    const [aki, ben, chi] = await known(await people(app, 3));
    const roomId = await roomOf(aki, [ben, chi]);
    const root = await say(aki, roomId, 'A root.');
    await block(aki, ben);
    const input = { roomId, body: `@${aki.handle} @${chi.handle} hello` };
    const { sendMessage } = await ben.do(MentionsOf, { input });
    expect(sendMessage?.message).toMatchObject({ body: input.body, mentions: [{ handle: chi.handle }] });
    await say(ben, roomId, `@${aki.handle} a reply`, root.id);
    await ben.do(LikeMessage, { messageId: root.id });
    expect(await notificationsOf(aki)).toEqual([]);
    await chi.do(LikeMessage, { messageId: root.id });
    expect(await notificationsOf(aki)).toMatchObject([{ kind: 'LIKE', actors: [{ handle: chi.handle }] }]);
    await unblock(aki, ben);
    await ben.do(MentionsOf, { input });
    const kinds = (await notificationsOf(aki)).map(({ kind, actorCount }) => `${kind} ${actorCount}`);
    expect(kinds).toEqual(['MENTION 1', 'LIKE 1']);
  });

  test('is not kept from rooms that both join', async () => {
    const [aki, ben] = await known(await people(app, 2));
    const roomId = await roomOf(aki);
    await block(aki, ben);
    expect(await ben.refused(JoinRoom, { roomId })).toBeUndefined();
  });

  test('blocking and being added at the same moment: afterwards no one is added any more', async () => {
    for (let round = 0; round < 5; round++) {
      const [aki, ben] = await known(await people(app, 2));
      const rooms = await Promise.all(Array.from({ length: 4 }, () => roomOf(aki)));
      const adding = rooms.map((roomId) => aki.refused(AddMember, { roomId, userId: globalId(ben) }));
      await block(ben, aki);
      const blocked = await Promise.all(adding);
      expect(blocked.every((code) => code === undefined || code === 'FORBIDDEN')).toBe(true);
      const added = blocked.filter((code) => code === undefined).length;
      expect(await app.dynamo.get(keys.user(ben.id))).toMatchObject({ rooms: added });
      expect(await open(aki, ben)).toBe('FORBIDDEN');
    }
  });
});
