/** What muting, leaving and reading do to notifications. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keys, ranges } from '../../src/dynamo/keys.ts';
import { badgesCounter, notificationsCounter } from '../../src/notifications/counters.ts';
import { READ_MAX } from '../../src/notifications/read/markRead.ts';
import { verify } from '../../src/verify/verify.ts';
import { itemsIn } from '../support/database/table.ts';
import { createScenario } from './support/scenario.ts';
import { openTestSystem, type TestSystem } from './support/testSystem.ts';

let system: TestSystem;
beforeAll(async () => {
  system = await openTestSystem();
});
afterAll(() => system.stop());

test('muteRoom: only mentions notify, and earlier activities do not notify after unmuting', async () => {
  const { aki, ben, chi, room, message, likes, stamps, rooms, summaries } = await createScenario(system);
  await rooms.mute(aki.id, room, true);
  await likes.add(ben.id, message);
  await stamps.add(ben.id, message, 'heart');
  await system.reply(ben, message);
  await system.say(ben, room, `@${aki.handle}!`);
  expect(await summaries(aki)).toEqual(['MENTION 1 by ben']);
  await rooms.mute(aki.id, room, false);
  await likes.add(chi.id, message);
  expect(await summaries(aki)).toEqual(['LIKE 1 by chi', 'MENTION 1 by ben']);
});

test('leaveRoom: former members get no notifications of the room', async () => {
  const { aki, ben, chi, room, likes, summaries } = await createScenario(system);
  const message = await system.say(ben, room);
  await system.reply(chi, message);
  await summaries(ben);
  await system.services.rooms.leave(chi.id, room);
  await system.reply(aki, message);
  await likes.add(aki.id, message);
  expect(await summaries(chi)).toEqual([]);
  await system.services.rooms.leave(ben.id, room);
  await likes.add(aki.id, await system.reply(aki, message));
  expect(await summaries(ben)).toEqual(['LIKE 1 by aki', 'REPLY 2 by aki, chi']);
});

test('leaveRoom: a notification keeps its count until its user joins again', async () => {
  const { aki, ben, chi, room, likes, stamps, messages, summaries } = await createScenario(system);
  const message = await system.say(ben, room);
  await likes.add(aki.id, message);
  await likes.add(chi.id, message);
  const heart = await stamps.add(aki.id, message, 'heart');
  const mention = await system.say(chi, room, `@${ben.handle}, look`);
  const before = ['MENTION 1 by chi', 'STAMP 1 by aki', 'LIKE 2 by chi, aki'];
  expect(await summaries(ben)).toEqual(before);
  const all = async () => [await system.dynamo.get(keys.badge(ben.id)), await system.notifications(ben)];
  const state = await all();

  await system.services.rooms.leave(ben.id, room);
  await likes.remove(chi.id, message);
  await stamps.remove(aki.id, heart);
  await messages.remove(chi.id, mention);
  expect(await summaries(ben)).toEqual(before);
  expect(await all()).toEqual(state);
  const { differences } = await verify({
    dynamo: system.dynamo,
    counters: [notificationsCounter, badgesCounter],
    fix: true,
  });
  expect(differences).toEqual([]);

  await system.services.rooms.join(ben.id, room);
  await likes.add(chi.id, message);
  // A user who joins has read the roots that are there.
  expect(await summaries(ben)).toEqual(['(MENTION 1 by chi)', 'STAMP 1 by aki', 'LIKE 2 by chi, aki']);
  await likes.remove(chi.id, message);
  expect(await summaries(ben)).toEqual(['(MENTION 1 by chi)', 'STAMP 1 by aki', 'LIKE 1 by aki']);
});

test('markRead: returns the read notifications, and refuses unknown ids and those of another user', async () => {
  const { aki, ben, chi, message, likes, summaries } = await createScenario(system);
  await likes.add(ben.id, message);
  await summaries(aki);
  const [notification] = await system.notifications(aki);
  const id = String(notification?.id);
  for (const ids of [[id, 'nowhere'], ['#'], [id, id.toUpperCase()]]) {
    await expect(system.reading.markRead(aki.id, ids)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  }
  await expect(system.reading.markRead(chi.id, [id])).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const many = Array.from({ length: READ_MAX + 1 }, () => id);
  await expect(system.reading.markRead(aki.id, many)).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
  expect(await summaries(aki)).toEqual(['LIKE 1 by ben']);
  const [read, ...none] = await system.reading.markRead(aki.id, [id, id]);
  expect(none).toEqual([]);
  expect(await summaries(aki)).toEqual(['(LIKE 1 by ben)']);
  expect(await system.notifications(aki)).toEqual([read]);
  expect(await system.reading.markRead(aki.id, [id])).toEqual([read]);
  expect(await system.reading.markRead(aki.id, [])).toEqual([]);
});

test('markAllRead: empties the badge with one write, and the next like creates a new notification', async () => {
  const { aki, ben, chi, room, likes, summaries } = await createScenario(system);
  for (let n = 0; n < 60; n++) await likes.add(ben.id, await system.say(aki, room, `${n}`));
  expect(await summaries(aki)).toHaveLength(60);
  const [newest] = await system.notifications(aki);
  await system.reading.markAllRead(aki.id);
  expect(await system.badge(aki)).toBe(0);
  expect((await system.notifications(aki)).every(({ readAt }) => readAt !== null)).toBe(true);
  // This like is processed before the items of the read notifications are updated.
  await likes.add(chi.id, newest ?? { room, threadTs: '', ts: '' });
  const entries = await summaries(aki);
  expect(entries[0]).toBe('LIKE 1 by chi');
  expect(entries.slice(1)).toEqual(Array.from({ length: 60 }, () => '(LIKE 1 by ben)'));
  // In the background the items were marked as read and given their expiry.
  const items = await itemsIn(system.dynamo, ranges.notifications(aki.id));
  expect(
    items.filter(({ readAt, expiresAt }) => readAt !== undefined && expiresAt !== undefined),
  ).toHaveLength(60);
  expect(await itemsIn(system.dynamo, ranges.pointers(aki.id))).toHaveLength(1);
  const { room: r, threadTs, ts } = newest ?? { room, threadTs: '', ts: '' };
  const [ofBen] = await system.dynamo.batchGet([
    keys.notified(aki.id, { kind: 'LIKE', room: r, threadTs, ts }, ben.id),
  ]);
  expect(ofBen?.expiresAt).toBeDefined();
});
