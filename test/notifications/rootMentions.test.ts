/** A mention and its root count once in the badge, and reading the root reads the mention. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { counters } from '../../src/app/features.ts';
import { keys } from '../../src/dynamo/keys.ts';
import type { Message } from '../../src/messages/message.ts';
import { backfillNotifications } from '../../src/notifications/derive/backfill.ts';
import { verify } from '../../src/verify/verify.ts';
import { openTestSystem, type TestSystem, type TestUser } from './support/testSystem.ts';

let system: TestSystem;
let aki: TestUser;
let ben: TestUser;
let room: string;
beforeAll(async () => {
  system = await openTestSystem();
});
afterAll(() => system.stop());
beforeEach(async () => {
  [aki, ben] = [await system.createUser(), await system.createUser()];
  room = await system.room(aki, ben);
});

/** Aki mentions Ben. */
const mention = (): Promise<Message> => system.say(aki, room, `@${ben.handle}, look`);

/** Ben's badge after everything in the stream was processed. Nothing that is stored differs from a recount. */
async function badge() {
  await system.consume();
  const { differences } = await verify({ dynamo: system.dynamo, counters, fix: false });
  expect(differences).toEqual([]);
  const { total, notifications, rooms } = await system.services.unread.state(ben.id);
  return { total, notifications, unread: rooms.reduce((sum, { unreadCount }) => sum + unreadCount, 0) };
}

test('unread: a root and the mention in it count once', async () => {
  await system.say(aki, room, 'Hello.');
  await mention();
  expect(await badge()).toEqual({ total: 2, notifications: 1, unread: 2 });
});

test('unread: a mention in a reply has no root that counts', async () => {
  const root = await system.say(aki, room, 'Hello.');
  await system.reply(aki, root, `@${ben.handle}, look`);
  expect(await badge()).toEqual({ total: 2, notifications: 1, unread: 1 });
});

test('unread: in a muted room only the mention counts', async () => {
  await mention();
  await system.services.readPositions.mute(ben.id, room, true);
  expect(await badge()).toEqual({ total: 1, notifications: 1, unread: 1 });
  await system.services.readPositions.mute(ben.id, room, false);
  expect(await badge()).toEqual({ total: 1, notifications: 1, unread: 1 });
});

test('unread: a root counts until it is read, also after its mention was read', async () => {
  await mention();
  await badge();
  const [one] = await system.notifications(ben);
  await system.reading.markRead(ben.id, [one?.id ?? '']);
  expect(await badge()).toEqual({ total: 1, notifications: 0, unread: 1 });
});

test('unread: a root counts also after all notifications were read, and later mentions count once', async () => {
  await mention();
  await badge();
  await system.reading.markAllRead(ben.id);
  expect((await system.services.unread.state(ben.id)).total).toBe(1);
  expect(await badge()).toEqual({ total: 1, notifications: 0, unread: 1 });
  await mention();
  expect(await badge()).toEqual({ total: 2, notifications: 1, unread: 2 });
});

test('markRoomRead: reads the mentions of the roots that are read, and no others', async () => {
  const first = await mention();
  await mention();
  expect(await badge()).toEqual({ total: 2, notifications: 2, unread: 2 });
  await system.services.readPositions.markRead(ben.id, room, first);
  expect(await badge()).toEqual({ total: 1, notifications: 1, unread: 1 });
  await system.services.readPositions.markRead(ben.id, room);
  expect(await badge()).toEqual({ total: 0, notifications: 0, unread: 0 });
});

test('sendMessage: a user who posts has read the mentions before', async () => {
  await mention();
  await badge();
  await system.say(ben, room, 'Yes?');
  expect(await badge()).toEqual({ total: 0, notifications: 0, unread: 0 });
});

test('markRoomRead: reads a mention that is derived afterwards', async () => {
  await mention();
  await system.services.readPositions.markRead(ben.id, room);
  await mention();
  expect(await badge()).toEqual({ total: 1, notifications: 1, unread: 1 });
  const unread = (await system.notifications(ben)).map(({ readAt }) => readAt === null);
  expect(unread).toEqual([true, false]);
});

test('markRoomUnread: a mention stays read, also at once after it was read', async () => {
  const root = await mention();
  await badge();
  await system.services.readPositions.markRead(ben.id, room);
  await system.services.readPositions.markUnread(ben.id, root);
  expect(await badge()).toEqual({ total: 1, notifications: 0, unread: 1 });
});

test('markRoomUnread: a mention that was not read counts once', async () => {
  const root = await mention();
  await system.services.readPositions.markUnread(ben.id, root);
  expect(await badge()).toEqual({ total: 1, notifications: 1, unread: 1 });
});

test('deleteMessage: the root still counts, and its mention does not', async () => {
  const root = await mention();
  await badge();
  await system.services.messages.remove(aki.id, root);
  expect(await badge()).toEqual({ total: 1, notifications: 0, unread: 1 });
});

test('leaveRoom: a mention counts by itself, and is read when its user joins again', async () => {
  await mention();
  await mention();
  await badge();
  await system.services.rooms.leave(ben.id, room);
  expect(await badge()).toEqual({ total: 2, notifications: 2, unread: 0 });
  const [one] = await system.notifications(ben);
  await system.reading.markRead(ben.id, [one?.id ?? '']);
  expect(await badge()).toEqual({ total: 1, notifications: 1, unread: 0 });
  await system.services.rooms.join(ben.id, room);
  await mention();
  expect(await badge()).toEqual({ total: 1, notifications: 1, unread: 1 });
});

test('leaveRoom: a mention is read that was derived after its root was read, also if its user leaves at once', async () => {
  await mention();
  const changes = await system.readStream();
  const { handlers } = system.derivationsOf(system.dynamo);
  const handle = (isWanted: (name: string) => boolean) =>
    system.dispatcherOf(handlers.filter(({ name }) => isWanted(name))).dispatch(changes);
  await handle((name) => name !== 'notifications');
  await system.services.readPositions.markRead(ben.id, room);
  await handle((name) => name === 'notifications');
  expect((await system.notifications(ben)).map(({ readAt }) => readAt)).toEqual([null]);
  await system.services.rooms.leave(ben.id, room);
  expect(await badge()).toEqual({ total: 0, notifications: 0, unread: 0 });
});

test('unread: no more than a step of a room is read at once', async () => {
  const root = await mention();
  await badge();
  const item = await system.dynamo.get(keys.pointer(ben.id, { ...root, kind: 'MENTION' }));
  // Unread reactions to messages before the root.
  const others = Array.from({ length: 250 }, (_, i) => {
    const ts = String(1_000_000_000_000_000 + i) as typeof root.ts;
    return { ...keys.pointer(ben.id, { room, threadTs: ts, ts, kind: 'LIKE' }), v: 1, id: item?.id };
  });
  for (const other of others) await system.dynamo.put(other);
  await system.services.readPositions.markRead(ben.id, room);
  expect(await badge()).toEqual({ total: 0, notifications: 0, unread: 0 });
});

test('repair: reads the mentions of roots that were read while the stream trimmed its records', async () => {
  await mention();
  await badge();
  await system.services.readPositions.markRead(ben.id, room);
  // Nothing handles this record.
  await system.readStream();
  expect(await badge()).toEqual({ total: 1, notifications: 1, unread: 0 });
  await backfillNotifications({ dynamo: system.dynamo, retention: 3_600, now: Date.now });
  expect(await badge()).toEqual({ total: 0, notifications: 0, unread: 0 });
});

test('repair: counts the mentions of a membership again', async () => {
  await mention();
  await badge();
  const key = keys.membership(ben.id, room);
  await system.dynamo.update(key, {
    update: 'SET mentioned = :none, rev = rev + :one',
    values: { ':none': { count: 0, epoch: 0 }, ':one': 1 },
  });
  const { differences } = await verify({ dynamo: system.dynamo, counters, fix: true });
  expect(differences).toMatchObject([{ what: 'mentions', key, fixed: true }]);
  expect(await badge()).toEqual({ total: 1, notifications: 1, unread: 1 });
});

test('unread: a mention that a release before stored is counted beside its root, and read with it', async () => {
  await mention();
  await badge();
  const [one] = await system.notifications(ben);
  await system.dynamo.update(keys.notification(ben.id, one?.id ?? ''), {
    update: 'REMOVE #join',
    names: { '#join': 'join' },
  });
  await system.dynamo.update(keys.membership(ben.id, room), { update: 'REMOVE mentioned' });
  expect(await badge()).toEqual({ total: 2, notifications: 1, unread: 1 });
  await system.services.readPositions.markRead(ben.id, room);
  expect(await badge()).toEqual({ total: 1, notifications: 1, unread: 0 });
  const [again] = await system.notifications(ben);
  await system.reading.markRead(ben.id, [again?.id ?? '']);
  expect(await badge()).toEqual({ total: 0, notifications: 0, unread: 0 });
});
