import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { counters } from '../../src/app/features.ts';
import { keys, ranges } from '../../src/dynamo/keys.ts';
import { verify } from '../../src/verify/verify.ts';
import { newBrowser } from '../delivery/support/browser.ts';
import { LikeMessage } from '../reactions/likes/support/operations.ts';
import { bearer, nowSeconds, overHttp, session } from '../revocations/support/sessions.ts';
import { OpenDirectRoom } from '../rooms/support/operations.ts';
import {
  AddMember,
  JoinRoom,
  SetMemberRole,
  UpdateProfile,
  UserByHandle,
} from '../support/clients/operations.ts';
import {
  connectTo,
  globalId,
  newUser,
  type Person,
  people,
  rawId,
  roomOf,
  say,
} from '../support/clients/people.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { eventually } from '../support/time/eventually.ts';
import { endJobs } from './support/jobs.ts';
import { AuthorsOf, BellTexts, DeleteAccount, ProfileOf } from './support/operations.ts';

let app: TestApp;
let second: TestApp;
beforeAll(async () => {
  app = await startTestApp({ revocationsMs: 20 });
  second = await startTestApp({ database: app.database, role: 'api', revocationsMs: 20 });
});
afterAll(async () => {
  await second?.stop();
  await app?.stop();
});

const deleteAccount = (person: Person, eraseMessages = false) =>
  person.do(DeleteAccount, { input: { confirm: person.handle, eraseMessages } });

async function expectRightNumbers(): Promise<void> {
  await app.quiet();
  expect((await verify({ dynamo: app.dynamo, counters, fix: false })).differences).toEqual([]);
}

const FORMER = { handle: null, displayName: 'Former member', avatarUrl: null, isFormer: true };

describe('deleteAccount', () => {
  test('is refused without the own handle or id, and accepts both', async () => {
    const [aki, ben] = await people(app, 2);
    await ben.do(ProfileOf, { id: globalId(aki) });
    for (const confirm of ['', 'yes', ben.handle, globalId(ben), aki.id]) {
      const { errors } = await aki.send(DeleteAccount, { input: { confirm, eraseMessages: false } });
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field: 'input.confirm' });
    }
    const confirm = ` @${aki.handle.toUpperCase()} `;
    const { deleteAccount: done } = await aki.do(DeleteAccount, { input: { confirm, eraseMessages: false } });
    expect(done?.deletedUserId).toBe(globalId(aki));
    await ben.do(UpdateProfile, { input: { handle: null } });
    await ben.do(DeleteAccount, { input: { confirm: globalId(ben), eraseMessages: false } });
  });

  test('leaves a former member, whose handle is reserved and whose messages and rooms stay', async () => {
    const [aki, ben, chi] = await people(app, 3);
    const roomId = await roomOf(aki, [ben, chi]);
    await aki.do(SetMemberRole, { roomId, userId: globalId(chi), role: 'MODERATOR' });
    const { id } = await say(ben, roomId, 'Hello');
    await say(aki, roomId, `Hello @${ben.handle}`);
    await say(ben, roomId, `Hello @${aki.handle}`);
    await aki.do(LikeMessage, { messageId: id });
    await deleteAccount(aki);
    const { node } = await ben.do(ProfileOf, { id: globalId(aki) });
    expect(node).toEqual({ id: globalId(aki), ...FORMER });
    expect((await ben.do(UserByHandle, { handle: aki.handle })).user).toBeNull();
    expect(await ben.refused(UpdateProfile, { input: { handle: aki.handle } })).toBe('HANDLE_TAKEN');
    // The request itself has left the room.
    const { room } = await ben.do(AuthorsOf, { roomId });
    expect(room?.memberCount).toBe(2);
    expect(room?.members.edges.find((edge) => edge.node.user.id === globalId(chi))?.node.role).toBe('OWNER');
    await endJobs(app);
    const { room: later } = await ben.do(AuthorsOf, { roomId });
    expect(
      later?.messages.edges.map(({ node: { body, likeCount, author } }) => [
        body,
        likeCount,
        author.isFormer,
      ]),
    ).toEqual([
      ['Hello', 0, false],
      [`Hello @${ben.handle}`, 0, true],
      ['Hello @someone', 0, false],
    ]);
    await expectRightNumbers();
  });

  test('erases the texts of the messages if the user wishes it', async () => {
    const [aki, ben] = await people(app, 2);
    const roomId = await roomOf(ben, [aki]);
    await say(aki, roomId, 'A secret');
    await deleteAccount(aki, true);
    await endJobs(app);
    const { room } = await ben.do(AuthorsOf, { roomId });
    expect(room?.messages.edges.map(({ node: { body, author } }) => [body, author.displayName])).toEqual([
      [null, 'Former member'],
    ]);
    await expectRightNumbers();
  });

  test('refuses all tokens of the subject on every server, and closes its connections', async () => {
    const aki = await newUser(app);
    const elsewhere = await connectTo(second, aki);
    await elsewhere.do(ProfileOf, { id: globalId(aki) });
    const token = await bearer(aki.handle);
    const open = [await session(app, token), await session(second, token)];
    await deleteAccount(aki);
    // This server at once.
    expect(await aki.refused(ProfileOf, { id: globalId(aki) })).toBe('ACCOUNT_DELETED');
    for (const { closed } of open) expect((await closed).code).toBe(4403);
    const later = await bearer(aki.handle, { iat: nowSeconds() + 60 });
    for (const server of [app, second]) {
      for (const one of [token, later]) expect(await overHttp(server, one)).toBe('403 ACCOUNT_DELETED');
      expect((await session(server, later)).acknowledged).toBe('4403');
    }
  });

  test('refuses tokens by the profile when the revocation has ended', async () => {
    const aki = await newUser(app);
    await deleteAccount(aki);
    // A server without revocations.
    const third = await startTestApp({
      database: app.database,
      role: 'api',
      now: () => Date.now() + 3_700_000,
    });
    const token = await bearer(aki.handle, { iat: nowSeconds() + 3_700, exp: nowSeconds() + 7_200 });
    expect(await overHttp(third, token)).toBe('403 ACCOUNT_DELETED');
    expect(await overHttp(third, token)).toBe('403 ACCOUNT_DELETED');
    const { acknowledged, ...socket } = await session(third, token);
    expect(acknowledged).toBe('connection_ack');
    socket.subscribe('1', 'subscription { unread { total } }');
    expect(await socket.next()).toMatchObject({
      type: 'error',
      payload: [{ extensions: { code: 'ACCOUNT_DELETED' } }],
    });
    await third.stop();
  });

  test('removes devices, settings and everything else of the user', async () => {
    const [aki, ben] = await people(app, 2);
    const roomId = await roomOf(ben, [aki]);
    const { id } = await say(aki, roomId, 'Hello');
    await ben.do(LikeMessage, { messageId: id });
    const { pushSubscriptions, deliverySettings, blocks } = app.services;
    const browser = newBrowser('http://127.0.0.1:9/x');
    await pushSubscriptions.register(aki.id, {
      ...browser,
      label: 'A',
      key: 'K',
      token: { jti: aki.handle },
    });
    await blocks.block(aki.id, ben.id);
    await deliverySettings.change(aki.id, { hideText: true });
    await app.quiet();
    await deleteAccount(aki);
    await endJobs(app);
    const { items } = await app.dynamo.query(
      { pk: keys.user(aki.id).pk, from: '0', to: '\u{10FFFF}' },
      { limit: 10 },
    );
    expect(items.map(({ sk }) => sk)).toEqual(['PROFILE']);
    for await (const { pk } of app.dynamo.scan({
      condition: '#u = :u',
      names: { '#u': 'user' },
      values: { ':u': aki.id },
    })) {
      expect(String(pk)).not.toMatch(/^(PUSH|TOKEN)#/);
    }
    await expectRightNumbers();
  });

  test('is named in the bells of others, in their language', async () => {
    const [aki, ben, chi] = await people(app, 3);
    const roomId = await roomOf(ben, [aki, chi]);
    for (const sender of [ben, chi]) {
      const { id } = await say(sender, roomId, 'Hello');
      await aki.do(LikeMessage, { messageId: id });
      await say(aki, roomId, `Hello @${sender.handle}`);
    }
    await chi.do(UpdateProfile, { input: { locale: 'ja' } });
    await app.quiet();
    await deleteAccount(aki);
    await endJobs(app);
    const textsOf = async (person: Person) =>
      (await person.do(BellTexts)).viewer.notifications.edges.map(({ node }) => node.text);
    // Their likes are gone, so these are unread not any more.
    expect(await textsOf(ben)).toEqual(['Former member mentioned you']);
    expect(await textsOf(chi)).toEqual(['退会したユーザーさんがあなたをメンションしました']);
    await expectRightNumbers();
  });

  test('no one adds a former member to a room; their direct rooms stay', async () => {
    const [aki, ben, chi] = await people(app, 3);
    await Promise.all([aki, chi].map((person) => person.do(ProfileOf, { id: globalId(aki) })));
    const direct = await ben.do(OpenDirectRoom, { userIds: [globalId(aki)] });
    const roomId = await roomOf(ben);
    await deleteAccount(aki);
    expect(await ben.refused(AddMember, { roomId, userId: globalId(aki) })).toBe('NOT_FOUND');
    const again = await ben.do(OpenDirectRoom, { userIds: [globalId(aki)] });
    expect(again.openDirectRoom?.room.id).toBe(direct.openDirectRoom?.room.id);
    expect(again.openDirectRoom?.room.memberCount).toBe(1);
    expect(await chi.refused(OpenDirectRoom, { userIds: [globalId(aki)] })).toBe('NOT_FOUND');
    await expectRightNumbers();
  });

  test('a user who waits loses the place, also if a seat is free at that moment', async () => {
    const [aki, ben, chi] = await people(app, 3);
    const roomId = await roomOf(ben, [], { capacity: 1 });
    for (const person of [aki, chi]) {
      await person.do(ProfileOf, { id: globalId(person) });
      await app.services.rooms.joinOrWait(person.id, rawId(roomId));
    }
    await Promise.all([
      deleteAccount(aki),
      app.services.rooms.update(ben.id, rawId(roomId), { capacity: 2 }),
    ]);
    await eventually(async () => {
      const { room } = await ben.do(AuthorsOf, { roomId });
      expect(room?.members.edges.map((edge) => edge.node.user.id).sort()).toEqual(
        [globalId(ben), globalId(chi)].sort(),
      );
    });
    await expectRightNumbers();
  });

  test('a user in a room that is deleted at that moment leaves it', async () => {
    const [aki, ben] = await people(app, 2);
    const roomId = await roomOf(ben, [aki]);
    await Promise.all([deleteAccount(aki), app.services.roomDeletion.deleteRoom(ben.id, rawId(roomId))]);
    await endJobs(app);
    expect(await app.dynamo.get(keys.user(aki.id))).toMatchObject({ rooms: 0 });
    const { items } = await app.dynamo.query(ranges.memberships(aki.id), { limit: 1 });
    expect(items).toEqual([]);
    await expectRightNumbers();
  });

  test('reopen: lets the user in again, whose next token fills the profile', async () => {
    const aki = await newUser(app);
    const roomId = await roomOf(await newUser(app));
    await aki.do(UpdateProfile, { input: { displayName: 'Old name' } });
    await deleteAccount(aki);
    const { accountDeletion } = app.services;
    await expect(accountDeletion.reopen(aki.id)).rejects.toThrow('still deletes');
    await endJobs(app);
    await accountDeletion.reopen(aki.id);
    await expect(accountDeletion.reopen(aki.id)).rejects.toThrow();
    const third = await startTestApp({
      database: app.database,
      role: 'api',
      now: () => Date.now() + 3_700_000,
    });
    const back = { ...(await third.as(aki.handle)), id: aki.id, handle: aki.handle };
    const profile = await back.do(ProfileOf, { id: globalId(back) });
    expect(profile.node).toMatchObject({ handle: aki.handle, isFormer: false });
    expect(profile.node).not.toMatchObject({ displayName: 'Old name' });
    await back.do(JoinRoom, { roomId });
    await deleteAccount(back);
    await third.stop();
  });
});
