import { afterAll, beforeAll, expect, test } from 'vitest';
import { createItemLoader } from '../../src/dynamo/itemLoader.ts';
import { backfillNotifications } from '../../src/notifications/derive/backfill.ts';
import { createThreadEntries } from '../../src/notifications/threads/entries.ts';
import { LISTED_DAYS } from '../../src/notifications/threads/followedThread.ts';
import { createFollowedThreadList } from '../../src/notifications/threads/list.ts';
import { openTestSystem, type TestSystem } from './support/testSystem.ts';
import { entriesOf, entryKeysOf, listed } from './support/threads.ts';

const RETENTION = 30 * 24 * 3600;

let system: TestSystem;
beforeAll(async () => {
  system = await openTestSystem();
});
afterAll(() => system.stop());

async function createScenario() {
  const [aki, ben] = [await system.createUser(), await system.createUser()];
  const room = await system.room(aki, ben);
  const root = await system.say(aki, room);
  return { aki, ben, room, root, key: { room, threadTs: root.threadTs, ts: root.threadTs } };
}

test('followed threads: are listed with their first reply, and move with each one', async () => {
  const { aki, ben, room, root } = await createScenario();
  const other = await system.say(aki, room);
  await system.consume();
  expect(await listed(system, aki)).toEqual([]);

  await system.reply(ben, root);
  await system.reply(ben, other);
  await system.consume();
  for (const one of [aki, ben]) expect(await listed(system, one)).toEqual([other.threadTs, root.threadTs]);
  await system.reply(aki, root);
  await system.consume();
  for (const one of [aki, ben]) expect(await listed(system, one)).toEqual([root.threadTs, other.threadTs]);
});

test('followed threads: what the viewer unfollows, or a room that they leave, is gone before the consumer knows', async () => {
  const { aki, ben, room, root, key } = await createScenario();
  await system.reply(ben, root);
  await system.consume();
  await system.services.following.follow(aki.id, key, false);
  await system.services.rooms.leave(ben.id, room);
  expect(await listed(system, aki)).toEqual([]);
  expect(await listed(system, ben)).toEqual([]);
  await system.consume();
  expect(await entriesOf(system, room)).toEqual([]);

  await system.services.following.follow(aki.id, key, true);
  await system.services.rooms.join(ben.id, room);
  await system.consume();
  expect(await listed(system, aki)).toEqual([root.threadTs]);
  // Ben still follows the thread: it returns with its next reply.
  expect(await listed(system, ben)).toEqual([]);
  await system.reply(aki, root);
  await system.consume();
  expect(await listed(system, ben)).toEqual([root.threadTs]);
});

test('followed threads: a user who left and came back before the consumer knows sees none of before', async () => {
  const { aki, ben, room, root } = await createScenario();
  await system.reply(ben, root);
  await system.services.rooms.leave(ben.id, room);
  await system.services.rooms.join(ben.id, room);
  await system.consume();
  expect(await listed(system, ben)).toEqual([]);
  expect(await entryKeysOf(system.dynamo, room)).toMatchObject([{ user: aki.id }]);
});

test('followed threads: an entry does not move back to an earlier reply', async () => {
  const { aki, ben, room, root } = await createScenario();
  const earlier = await system.reply(ben, root);
  const later = await system.reply(ben, root);
  await system.consume();
  const { move } = createThreadEntries({ dynamo: system.dynamo, now: Date.now });
  await move(earlier, [aki.id, ben.id]);
  const entries = await entryKeysOf(system.dynamo, room);
  expect(entries.map(({ newestReply }) => newestReply)).toEqual([later.ts, later.ts]);
});

test('followed threads: a user who leaves or unfollows while a reply is handled keeps no entry', async () => {
  const { aki, ben, room, root, key } = await createScenario();
  const reply = await system.reply(ben, root);
  const { dynamo } = system;
  let isFirst = true;
  const slow: typeof dynamo = {
    ...dynamo,
    // Both are handled completely after the users were read, and before the first entry is written.
    async update(itemKey, update) {
      if (isFirst) {
        isFirst = false;
        await system.services.following.follow(aki.id, key, false);
        await system.services.rooms.leave(ben.id, room);
        await system.consume();
        expect(await entriesOf(system, room)).toEqual([]);
      }
      return dynamo.update(itemKey, update);
    },
  };
  await createThreadEntries({ dynamo: slow, now: Date.now }).move(reply, [aki.id, ben.id]);
  expect(isFirst).toBe(false);
  expect(await entriesOf(system, room)).toEqual([]);
});

test('followed threads: a thread that was closed, or whose room was deleted, is in no list', async () => {
  const { aki, ben, room, root, key } = await createScenario();
  const open = await system.say(aki, room);
  await system.reply(ben, root);
  await system.reply(ben, open);
  await system.consume();
  await system.services.messages.remove(aki.id, key);
  expect(await listed(system, ben)).toEqual([open.threadTs]);
  await system.consume();
  expect(await entriesOf(system, room)).toHaveLength(2);
  await system.services.roomDeletion.deleteRoom(aki.id, room);
  expect(await listed(system, ben)).toEqual([]);
  await system.consume();
  expect(await entriesOf(system, room)).toEqual([]);
});

test(`followed threads: a thread without a reply in ${LISTED_DAYS} days is not listed`, async () => {
  const { aki, ben, root } = await createScenario();
  await system.reply(ben, root);
  await system.consume();
  const { dynamo, services } = system;
  const page = { limit: 10, from: undefined, unreadOnly: false };
  const after = async (days: number) => {
    const now = () => Date.now() + days * 24 * 3600 * 1_000;
    const list = createFollowedThreadList({ dynamo, notifications: services.notifications, now });
    return (await list.list(aki.id, page, createItemLoader(dynamo))).nodes.length;
  };
  expect([await after(LISTED_DAYS - 1), await after(LISTED_DAYS + 1)]).toEqual([1, 0]);
});

test('followed threads: those followed in an earlier release are listed with the next reply, or by a repair', async () => {
  const { aki, ben, room, root } = await createScenario();
  const other = await system.say(aki, room);
  await system.reply(ben, root);
  await system.reply(ben, other);
  await system.consume();
  // An earlier release stored who follows, and had no lists.
  for (const { key } of await entryKeysOf(system.dynamo, room)) await system.dynamo.remove(key);
  expect(await listed(system, ben)).toEqual([]);

  await system.reply(aki, root);
  await system.consume();
  for (const one of [aki, ben]) expect(await listed(system, one)).toEqual([root.threadTs]);
  await backfillNotifications({ dynamo: system.dynamo, retention: RETENTION, now: Date.now });
  for (const one of [aki, ben]) expect(await listed(system, one)).toEqual([root.threadTs, other.threadTs]);
});
