import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { idFrom } from '../../src/core/ids.ts';
import { keys, ranges } from '../../src/dynamo/keys.ts';
import type { Message } from '../../src/messages/message.ts';
import { notificationItem } from '../../src/notifications/notification.ts';
import { itemsIn } from '../support/database/table.ts';
import { openTestSystem, type TestSystem, type TestUser } from './support/testSystem.ts';

let system: TestSystem;
let aki: TestUser;
let ben: TestUser;
let room: string;
let root: Message;
beforeAll(async () => {
  system = await openTestSystem();
});
afterAll(() => system.stop());

/** Aki has a root that mentions Ben, and Ben has replied. */
async function thread(): Promise<void> {
  [aki, ben] = [await system.createUser(), await system.createUser()];
  room = await system.room(aki, ben);
  root = await system.say(aki, room, `@${ben.handle}, what do you think?`);
  await system.reply(ben, root);
  await system.consume();
}

const unreadOf = async (user: TestUser): Promise<string[]> =>
  (await system.notifications(user)).filter(({ readAt }) => readAt === null).map(({ kind }) => kind);

afterEach(async () => {
  for (const user of [aki, ben]) expect(await system.badge(user)).toBe((await unreadOf(user)).length);
});

test('markThreadRead: reads the replies and the mentions of a thread, and nothing else', async () => {
  await thread();
  const other = await system.say(aki, room, 'another thread');
  await system.reply(aki, other, `a reply to you, @${ben.handle}`);
  await system.services.likes.add(ben.id, root);
  await system.reply(aki, root, 'one');
  await system.reply(aki, root, `two, @${ben.handle}`);
  await system.consume();
  expect((await unreadOf(ben)).sort()).toEqual(['MENTION', 'MENTION', 'MENTION', 'REPLY']);
  const read = await system.reading.markThreadRead(ben.id, root);
  expect(read).toMatchObject({ threadTs: root.threadTs, ts: root.threadTs });
  expect(await unreadOf(ben)).toEqual(['MENTION']);
  await system.reading.markThreadRead(aki.id, root);
  expect(await unreadOf(aki)).toEqual(['LIKE']);
  // Idempotent.
  await system.reading.markThreadRead(aki.id, root);
  expect(await unreadOf(aki)).toEqual(['LIKE']);
});

test('markThreadRead: the next reply is a new notification', async () => {
  await thread();
  expect(await unreadOf(aki)).toEqual(['REPLY']);
  await system.reading.markThreadRead(aki.id, root);
  await system.reply(ben, root, 'More.');
  await system.consume();
  expect(await unreadOf(aki)).toEqual(['REPLY']);
  expect(await system.notifications(aki)).toHaveLength(2);
});

test('markThreadRead: the job of a large thread leaves what came after the call', async () => {
  await thread();
  const upTo = root.threadTs;
  await system.reply(ben, root, `@${aki.handle}`);
  await system.consume();
  const { threadReadJob } = system.reading;
  await threadReadJob.step({ user: aki.id, room, t: root.threadTs, upTo }, null);
  expect((await unreadOf(aki)).sort()).toEqual(['MENTION', 'REPLY']);
});

test('markThreadRead: more than a hundred unread notifications are read by a job', async () => {
  await thread();
  await system.reading.markThreadRead(aki.id, root);
  const template = (await system.notifications(ben)).find(({ kind }) => kind === 'MENTION');
  if (template === undefined) throw new Error('Ben has not been mentioned.');
  const last = await system.reply(aki, root, 'the newest');
  await system.consume();
  for (let i = 0; i < 120; i++) {
    const one = {
      ...template,
      id: idFrom(`${room} ${i}`),
      ts: String(Number(root.ts) + 1 + i).padStart(16, '0'),
    };
    await system.dynamo.put(notificationItem(one));
    await system.dynamo.put({ ...keys.pointer(ben.id, one), v: 1, id: one.id });
  }
  await system.dynamo.update(keys.badge(ben.id), {
    update: 'SET #total = #total + :more',
    names: { '#total': 'total' },
    values: { ':more': 120 },
  });
  await system.reading.markThreadRead(ben.id, last);
  expect((await unreadOf(ben)).length).toBeGreaterThan(0);
  await system.consume();
  expect(await unreadOf(ben)).toEqual([]);
  expect(await itemsIn(system.dynamo, ranges.threadPointers(ben.id, room, root.threadTs))).toEqual([]);
});

test('markThreadRead: is refused for outsiders and for threads that do not exist', async () => {
  await thread();
  const eve = await system.createUser();
  await expect(system.reading.markThreadRead(eve.id, root)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  const absent = { room, threadTs: '1'.repeat(16), ts: '1'.repeat(16) };
  await expect(system.reading.markThreadRead(aki.id, absent)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
