import { afterAll, beforeAll, expect, test } from 'vitest';
import { keys, ranges } from '../../src/dynamo/keys.ts';
import { badgesCounter, notificationsCounter } from '../../src/notifications/counters.ts';
import { followUpdate } from '../../src/notifications/derive/follow.ts';
import { NAMED_MAX } from '../../src/notifications/notification.ts';
import { READ_MAX } from '../../src/notifications/read/markRead.ts';
import { verify } from '../../src/verify/verify.ts';
import { itemsIn } from '../support/table.ts';
import { openWorld, type Somebody, shortly, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

/** Four people in a room, where Aki has said something. */
async function scene() {
  const [aki, ben, chi, dan] = await Promise.all([1, 2, 3, 4].map(() => world.somebody()));
  if (aki === undefined || ben === undefined || chi === undefined || dan === undefined) throw new Error();
  const people = { aki, ben, chi, dan };
  const room = await world.room(aki, ben, chi, dan);
  const message = await world.say(aki, room);
  const { likes, stamps, messages, reading } = world.services;
  return {
    ...{ ...people, room, message, likes, stamps, messages, rooms: reading },
    /** What somebody has, once all that was done has been told. */
    async told(one: Somebody): Promise<string[]> {
      await world.consume();
      const notifications = await world.notifications(one);
      const unread = notifications.filter(({ readAt }) => readAt === null);
      expect(await world.badge(one)).toBe(unread.reduce((sum, { count }) => sum + count, 0));
      return shortly(notifications, people);
    },
    readFirst: async (one: Somebody) => {
      const [first] = await world.notifications(one);
      return world.reading.markRead(one.id, first === undefined ? [] : [first.id]);
    },
  };
}

test('while it is unread, all likes of a message are one notification; after reading, the next is another', async () => {
  const { aki, ben, chi, dan, message, likes, told, readFirst } = await scene();
  await likes.like(ben.id, message);
  expect(await told(aki)).toEqual(['LIKE 1 by ben']);
  const [first] = await world.notifications(aki);
  await likes.like(chi.id, message);
  expect(await told(aki)).toEqual(['LIKE 2 by chi, ben']);
  expect((await world.notifications(aki)).map(({ id }) => id)).toEqual([first?.id]);
  await readFirst(aki);
  await likes.like(dan.id, message);
  expect(await told(aki)).toEqual(['LIKE 1 by dan', '(LIKE 2 by chi, ben)']);
});

test('a like that is taken back takes the person out, and the last one the notification', async () => {
  const { aki, ben, chi, message, likes, told } = await scene();
  await likes.like(ben.id, message);
  await likes.like(chi.id, message);
  await likes.unlike(chi.id, message);
  expect(await told(aki)).toEqual(['LIKE 1 by ben']);
  await likes.unlike(ben.id, message);
  expect(await told(aki)).toEqual([]);
  expect(await itemsIn(world.dynamo, ranges.pointers(aki.id))).toEqual([]);
  await likes.like(ben.id, message);
  expect(await told(aki)).toEqual(['LIKE 1 by ben']);
});

test('a like counts once for as long as the notification is kept, however often it is taken back', async () => {
  const { aki, ben, message, likes, told, readFirst } = await scene();
  await likes.like(ben.id, message);
  await told(aki);
  await readFirst(aki);
  await likes.unlike(ben.id, message);
  await likes.like(ben.id, message);
  expect(await told(aki)).toEqual(['(LIKE 1 by ben)']);
});

test('after the notification’s time a like is news again', async () => {
  const later = await openWorld();
  try {
    const [aki, ben] = [await later.somebody(), await later.somebody()];
    const message = await later.say(aki, await later.room(aki, ben));
    await later.services.likes.like(ben.id, message);
    await later.consume();
    await later.reading.markAllRead(aki.id);
    await later.consume();
    const [read] = await later.notifications(aki);
    expect(read?.expiresAt).toBeGreaterThan(Date.now() / 1_000 + 29 * 24 * 3600);
    later.pass(31);
    await expect(later.reading.markRead(aki.id, [String(read?.id)])).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await later.services.likes.unlike(ben.id, message);
    await later.services.likes.like(ben.id, message);
    await later.consume();
    expect(shortly(await later.notifications(aki), { ben })).toContain('LIKE 1 by ben');
  } finally {
    await later.stop();
  }
});

test('a thread’s replies are one notification, to whoever began it or replied before', async () => {
  const { aki, ben, chi, message, told, readFirst } = await scene();
  await world.reply(ben, message);
  await world.reply(chi, message);
  await world.reply(ben, message);
  expect(await told(aki)).toEqual(['REPLY 2 by ben, chi']);
  expect(await told(ben)).toEqual(['REPLY 1 by chi']);
  expect(await told(chi)).toEqual(['REPLY 1 by ben']);
  await readFirst(aki);
  const last = await world.reply(ben, message);
  expect(await told(aki)).toEqual(['REPLY 1 by ben', '(REPLY 2 by ben, chi)']);
  expect((await world.notifications(aki))[0]?.latest).toBe(last.c);
});

test('a thread that is not followed any more stays quiet until one is mentioned in it', async () => {
  const { aki, ben, chi, room, message, told } = await scene();
  const unfollow = async ({ id }: Somebody) => {
    const at = String(Date.now() * 1_000).padStart(16, '0');
    const { key, ...update } = followUpdate({ room, t: message.t, user: id, following: false, at });
    await world.dynamo.update(key, update);
  };
  await unfollow(aki);
  await world.reply(ben, message);
  expect(await told(aki)).toEqual([]);
  await world.reply(ben, message, `What do you think, @${aki.handle}?`);
  await world.reply(chi, message);
  expect(await told(aki)).toEqual(['REPLY 1 by chi', 'MENTION 1 by ben']);
});

test('a reply that mentions somebody is one notification to them', async () => {
  const { aki, ben, chi, message, told } = await scene();
  await world.reply(ben, message, `@${aki.handle} and @${chi.handle} and myself, @${ben.handle}`);
  expect(await told(aki)).toEqual(['MENTION 1 by ben']);
  expect(await told(chi)).toEqual(['MENTION 1 by ben']);
  expect(await told(ben)).toEqual([]);
});

test('a mention is taken back with the message, and with an edit that leaves it out', async () => {
  const { aki, ben, chi, room, messages, told } = await scene();
  const first = await world.say(ben, room, `@${aki.handle} @${chi.handle}`);
  const second = await world.say(ben, room, `@${aki.handle} again`);
  expect(await told(aki)).toEqual(['MENTION 1 by ben', 'MENTION 1 by ben']);
  await messages.edit(ben.id, first, `@${chi.handle} only`);
  expect(await told(aki)).toEqual(['MENTION 1 by ben']);
  await messages.remove(ben.id, second);
  expect(await told(aki)).toEqual([]);
  expect(await told(chi)).toEqual(['MENTION 1 by ben']);
});

test('a message’s stamps are one notification, and one person’s count once', async () => {
  const { aki, ben, chi, message, stamps, told } = await scene();
  const [heart, tea] = [
    await stamps.add(ben.id, message, 'heart'),
    await stamps.add(ben.id, message, 'tada'),
  ];
  await stamps.add(chi.id, message, 'heart');
  expect(await told(aki)).toEqual(['STAMP 2 by chi, ben']);
  await stamps.remove(ben.id, heart);
  expect(await told(aki)).toEqual(['STAMP 2 by chi, ben']);
  await stamps.remove(ben.id, tea);
  expect(await told(aki)).toEqual(['STAMP 1 by chi']);
});

test('likes and stamps of a message that is deleted are told no more', async () => {
  const { aki, ben, chi, message, likes, stamps, messages, told } = await scene();
  await likes.like(ben.id, message);
  await likes.like(chi.id, message);
  await stamps.add(ben.id, message, 'heart');
  expect(await told(aki)).toHaveLength(2);
  await messages.remove(aki.id, message);
  expect(await told(aki)).toEqual([]);
});

test('nobody is told of what they did themselves', async () => {
  const { aki, room, message, likes, stamps, told } = await scene();
  await likes.like(aki.id, message);
  await stamps.add(aki.id, message, 'heart');
  await world.reply(aki, message);
  await world.say(aki, room, `Note to @${aki.handle}`);
  expect(await told(aki)).toEqual([]);
});

test('a muted room is quiet but for mentions, and what happened meanwhile is not told afterwards', async () => {
  const { aki, ben, chi, room, message, likes, stamps, rooms, told } = await scene();
  await rooms.mute(aki.id, room, true);
  await likes.like(ben.id, message);
  await stamps.add(ben.id, message, 'heart');
  await world.reply(ben, message);
  await world.say(ben, room, `@${aki.handle}!`);
  expect(await told(aki)).toEqual(['MENTION 1 by ben']);
  await rooms.mute(aki.id, room, false);
  await likes.like(chi.id, message);
  expect(await told(aki)).toEqual(['LIKE 1 by chi', 'MENTION 1 by ben']);
});

test('who has left a room hears no more of it', async () => {
  const { aki, ben, chi, room, likes, told } = await scene();
  const message = await world.say(ben, room);
  await world.reply(chi, message);
  await told(ben);
  await world.services.rooms.leave(chi.id, room);
  await world.reply(aki, message);
  await likes.like(aki.id, message);
  expect(await told(chi)).toEqual([]);
  await world.services.rooms.leave(ben.id, room);
  await likes.like(aki.id, await world.reply(aki, message));
  expect(await told(ben)).toEqual(['LIKE 1 by aki', 'REPLY 2 by aki, chi']);
});

test('who is not in the room any more does not see anything be taken back there, but what is after they return', async () => {
  const { aki, ben, chi, room, likes, stamps, messages, told } = await scene();
  const message = await world.say(ben, room);
  await likes.like(aki.id, message);
  await likes.like(chi.id, message);
  const heart = await stamps.add(aki.id, message, 'heart');
  const mention = await world.say(chi, room, `@${ben.handle}, look`);
  const before = ['MENTION 1 by chi', 'STAMP 1 by aki', 'LIKE 2 by chi, aki'];
  expect(await told(ben)).toEqual(before);
  const all = async () => [await world.dynamo.get(keys.badge(ben.id)), await world.notifications(ben)];
  const then = await all();

  await world.services.rooms.leave(ben.id, room);
  await likes.unlike(chi.id, message);
  await stamps.remove(aki.id, heart);
  await messages.remove(chi.id, mention);
  expect(await told(ben)).toEqual(before);
  expect(await all()).toEqual(then);
  const { differences } = await verify({
    dynamo: world.dynamo,
    counters: [notificationsCounter, badgesCounter],
    fix: true,
  });
  expect(differences).toEqual([]);

  await world.services.rooms.join(ben.id, room);
  await likes.like(chi.id, message);
  expect(await told(ben)).toEqual(before);
  await likes.unlike(chi.id, message);
  expect(await told(ben)).toEqual(['MENTION 1 by chi', 'STAMP 1 by aki', 'LIKE 1 by aki']);
});

test('after the newest people are taken out, others are named', async () => {
  const { aki, room, message, likes, told } = await scene();
  const crowd: Somebody[] = [];
  for (let n = 0; n < NAMED_MAX + 2; n++) crowd.push(await world.somebody());
  for (const one of crowd) {
    await world.services.rooms.join(one.id, room);
    await likes.like(one.id, message);
  }
  await told(aki);
  for (const one of crowd.slice(2)) await likes.unlike(one.id, message);
  await told(aki);
  const [notification] = await world.notifications(aki);
  expect(notification?.count).toBe(2);
  expect(notification?.actors.map(({ user }) => user)).toEqual([crowd[1]?.id, crowd[0]?.id]);
});

test('who marks as read is answered what was read; what is read, of others or not there stays as it is', async () => {
  const { aki, ben, chi, message, likes, told } = await scene();
  await likes.like(ben.id, message);
  await told(aki);
  const [notification] = await world.notifications(aki);
  const id = String(notification?.id);
  for (const ids of [[id, 'nowhere'], ['#'], [id, id.toUpperCase()]]) {
    await expect(world.reading.markRead(aki.id, ids)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  }
  await expect(world.reading.markRead(chi.id, [id])).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const many = Array.from({ length: READ_MAX + 1 }, () => id);
  await expect(world.reading.markRead(aki.id, many)).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
  expect(await told(aki)).toEqual(['LIKE 1 by ben']);
  const [read, ...none] = await world.reading.markRead(aki.id, [id, id]);
  expect(none).toEqual([]);
  expect(await told(aki)).toEqual(['(LIKE 1 by ben)']);
  expect(await world.notifications(aki)).toEqual([read]);
  expect(await world.reading.markRead(aki.id, [id])).toEqual([read]);
  expect(await world.reading.markRead(aki.id, [])).toEqual([]);
});

test('reading all is one write however much there is, and what comes next is new', async () => {
  const { aki, ben, chi, room, likes, told } = await scene();
  for (let n = 0; n < 60; n++) await likes.like(ben.id, await world.say(aki, room, `${n}`));
  expect(await told(aki)).toHaveLength(60);
  const [newest] = await world.notifications(aki);
  await world.reading.markAllRead(aki.id);
  expect(await world.badge(aki)).toBe(0);
  expect((await world.notifications(aki)).every(({ readAt }) => readAt !== null)).toBe(true);
  // Told before what was read with all others has been settled.
  await likes.like(chi.id, newest ?? { room, t: '', c: '' });
  const list = await told(aki);
  expect(list[0]).toBe('LIKE 1 by chi');
  expect(list.slice(1)).toEqual(Array.from({ length: 60 }, () => '(LIKE 1 by ben)'));
  // In the background all of it was written down: what is read says so itself, and will be forgotten.
  const items = await itemsIn(world.dynamo, ranges.notifications(aki.id));
  expect(
    items.filter(({ readAt, expiresAt }) => readAt !== undefined && expiresAt !== undefined),
  ).toHaveLength(60);
  expect(await itemsIn(world.dynamo, ranges.pointers(aki.id))).toHaveLength(1);
  const { room: r, t, c } = newest ?? { room, t: '', c: '' };
  const [ofBen] = await world.dynamo.batchGet([
    keys.notified(aki.id, { kind: 'LIKE', room: r, t, c }, ben.id),
  ]);
  expect(ofBen?.expiresAt).toBeDefined();
});
