import { afterAll, beforeAll, expect, test } from 'vitest';
import { ranges } from '../../src/dynamo/keys.ts';
import { followUpdate } from '../../src/notifications/derive/following.ts';
import { NAMED_MAX } from '../../src/notifications/notification.ts';
import { itemsIn } from '../support/database/table.ts';
import { createScenario } from './support/scenario.ts';
import { openTestSystem, summariesOf, type TestSystem, type TestUser } from './support/testSystem.ts';

let system: TestSystem;
beforeAll(async () => {
  system = await openTestSystem();
});
afterAll(() => system.stop());

test('likes: all likes of a message are one notification until it is read, and the next creates another', async () => {
  const { aki, ben, chi, dan, message, likes, summaries, readFirst } = await createScenario(system);
  await likes.add(ben.id, message);
  expect(await summaries(aki)).toEqual(['LIKE 1 by ben']);
  const [first] = await system.notifications(aki);
  await likes.add(chi.id, message);
  expect(await summaries(aki)).toEqual(['LIKE 2 by chi, ben']);
  expect((await system.notifications(aki)).map(({ id }) => id)).toEqual([first?.id]);
  await readFirst(aki);
  await likes.add(dan.id, message);
  expect(await summaries(aki)).toEqual(['LIKE 1 by dan', '(LIKE 2 by chi, ben)']);
});

test('likes: an unlike removes the user from the notification, and the last unlike deletes it', async () => {
  const { aki, ben, chi, message, likes, summaries } = await createScenario(system);
  await likes.add(ben.id, message);
  await likes.add(chi.id, message);
  await likes.remove(chi.id, message);
  expect(await summaries(aki)).toEqual(['LIKE 1 by ben']);
  await likes.remove(ben.id, message);
  expect(await summaries(aki)).toEqual([]);
  expect(await itemsIn(system.dynamo, ranges.pointers(aki.id))).toEqual([]);
  await likes.add(ben.id, message);
  expect(await summaries(aki)).toEqual(['LIKE 1 by ben']);
});

test('likes: a process that remembers another notification adds to the one that is unread', async () => {
  const { aki, ben, chi, dan, message, likes, summaries, readFirst } = await createScenario(system);
  await likes.add(ben.id, message);
  expect(await summaries(aki)).toEqual(['LIKE 1 by ben']);
  await readFirst(aki);
  await system.consume();
  await likes.add(chi.id, message);
  const other = system.dispatcherOf(system.derivationsOf(system.database.dynamo).handlers);
  for (let changes = await system.readStream(); changes.length > 0; changes = await system.readStream())
    await other.dispatch(changes);
  await likes.add(dan.id, message);
  expect(await summaries(aki)).toEqual(['LIKE 2 by dan, chi', '(LIKE 1 by ben)']);
});

test('stamps: the records of a stamp and of its message may arrive in two batches, in either order', async () => {
  for (const first of ['root', 'stampGuard']) {
    const { aki, ben, chi, message, stamps, summaries } = await createScenario(system);
    await system.consume();
    const other = system.dispatcherOf(system.derivationsOf(system.database.dynamo).handlers);
    const split = async () => {
      const changes = await system.readStream();
      const [early, late] = [true, false].map((isFirst) =>
        changes.filter(({ key }) => (key.type === first) === isFirst),
      );
      if (early === undefined || late === undefined || early.length * late.length === 0) throw new Error();
      await other.dispatch(early);
      await other.dispatch(late);
    };
    await stamps.add(ben.id, message, 'tea');
    await split();
    const { stampedAt } = await stamps.add(chi.id, message, 'tea');
    await split();
    expect(await summaries(aki)).toEqual(['STAMP 2 by chi, ben']);
    await stamps.remove(chi.id, { ...message, stampedAt });
    await split();
    expect(await summaries(aki)).toEqual(['STAMP 1 by ben']);
  }
});

test('stamps: a stamp is shown as long as any user has it on the message', async () => {
  const { aki, ben, chi, message, stamps } = await createScenario(system);
  const shown = async () => {
    await system.consume();
    const [one] = await system.notifications(aki);
    return one?.variants.map(({ key }) => key);
  };
  await stamps.add(ben.id, message, 'tea');
  const cake = await stamps.add(ben.id, message, 'cake');
  const tea = await stamps.add(chi.id, message, 'tea');
  expect(await shown()).toEqual(['tea', 'cake']);
  await stamps.remove(chi.id, { ...message, stampedAt: tea.stampedAt });
  expect(await shown()).toEqual(['tea', 'cake']);
  await stamps.remove(ben.id, { ...message, stampedAt: cake.stampedAt });
  expect(await shown()).toEqual(['tea']);
});

test('stamps: in one batch with their messages, each notifies the author of its own message', async () => {
  const { aki, ben, chi, room, message, messages, stamps, summaries } = await createScenario(system);
  await system.consume();
  const root = await system.say(ben, room);
  const reply = await messages.send({ author: aki.id, room, body: 'Hello.', replyTo: root });
  for (const to of [root, reply, message]) await stamps.add(chi.id, to, 'tea');
  const unread = (list: readonly string[]) => list.filter((one) => one.startsWith('STAMP'));
  expect(unread(await summaries(aki))).toEqual(['STAMP 1 by chi', 'STAMP 1 by chi']);
  expect(unread(await summaries(ben))).toEqual(['STAMP 1 by chi']);
});

test('likes: a like counts once while the notification is kept, even if it is removed and added again', async () => {
  const { aki, ben, message, likes, summaries, readFirst } = await createScenario(system);
  await likes.add(ben.id, message);
  await summaries(aki);
  await readFirst(aki);
  await likes.remove(ben.id, message);
  await likes.add(ben.id, message);
  expect(await summaries(aki)).toEqual(['(LIKE 1 by ben)']);
});

test('likes: after the notification expired, a like creates a new one', async () => {
  const later = await openTestSystem();
  try {
    const [aki, ben] = [await later.createUser(), await later.createUser()];
    const message = await later.say(aki, await later.room(aki, ben));
    await later.services.likes.add(ben.id, message);
    await later.consume();
    await later.reading.markAllRead(aki.id);
    await later.consume();
    const [read] = await later.notifications(aki);
    expect(read?.expiresAt).toBeGreaterThan(Date.now() / 1_000 + 29 * 24 * 3600);
    later.pass(31);
    await expect(later.reading.markRead(aki.id, [String(read?.id)])).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await later.services.likes.remove(ben.id, message);
    await later.services.likes.add(ben.id, message);
    await later.consume();
    expect(summariesOf(await later.notifications(aki), { ben })).toContain('LIKE 1 by ben');
  } finally {
    await later.stop();
  }
});

test('replies: the replies of a thread are one notification to its author and earlier repliers', async () => {
  const { aki, ben, chi, message, summaries, readFirst } = await createScenario(system);
  await system.reply(ben, message);
  await system.reply(chi, message);
  await system.reply(ben, message);
  expect(await summaries(aki)).toEqual(['REPLY 2 by ben, chi']);
  expect(await summaries(ben)).toEqual(['REPLY 1 by chi']);
  expect(await summaries(chi)).toEqual(['REPLY 1 by ben']);
  await readFirst(aki);
  const last = await system.reply(ben, message);
  expect(await summaries(aki)).toEqual(['REPLY 1 by ben', '(REPLY 2 by ben, chi)']);
  expect((await system.notifications(aki))[0]?.latest).toBe(last.ts);
});

test('replies: an unfollowed thread does not notify until the user is mentioned in it', async () => {
  const { aki, ben, chi, room, message, summaries } = await createScenario(system);
  const unfollow = async ({ id }: TestUser) => {
    const at = String(Date.now() * 1_000).padStart(16, '0');
    const { key, ...update } = followUpdate({
      room,
      threadTs: message.threadTs,
      user: id,
      following: false,
      at,
    });
    await system.dynamo.update(key, update);
  };
  await unfollow(aki);
  await system.reply(ben, message);
  expect(await summaries(aki)).toEqual([]);
  await system.reply(ben, message, `What do you think, @${aki.handle}?`);
  await system.reply(chi, message);
  expect(await summaries(aki)).toEqual(['REPLY 1 by chi', 'MENTION 1 by ben']);
});

test('mentions: a reply that mentions a user is one notification to that user', async () => {
  const { aki, ben, chi, message, summaries } = await createScenario(system);
  await system.reply(ben, message, `@${aki.handle} and @${chi.handle} and myself, @${ben.handle}`);
  expect(await summaries(aki)).toEqual(['MENTION 1 by ben']);
  expect(await summaries(chi)).toEqual(['MENTION 1 by ben']);
  expect(await summaries(ben)).toEqual([]);
});

test('mentions: deleting the message removes it, and so does an edit without it', async () => {
  const { aki, ben, chi, room, messages, summaries } = await createScenario(system);
  const first = await system.say(ben, room, `@${aki.handle} @${chi.handle}`);
  const second = await system.say(ben, room, `@${aki.handle} again`);
  expect(await summaries(aki)).toEqual(['MENTION 1 by ben', 'MENTION 1 by ben']);
  await messages.edit(ben.id, first, `@${chi.handle} only`);
  expect(await summaries(aki)).toEqual(['MENTION 1 by ben']);
  await messages.remove(ben.id, second);
  expect(await summaries(aki)).toEqual([]);
  expect(await summaries(chi)).toEqual(['MENTION 1 by ben']);
});

test('stamps: the stamps of a message are one notification, and each user counts once', async () => {
  const { aki, ben, chi, message, stamps, summaries } = await createScenario(system);
  const [heart, tea] = [
    await stamps.add(ben.id, message, 'heart'),
    await stamps.add(ben.id, message, 'tada'),
  ];
  await stamps.add(chi.id, message, 'heart');
  expect(await summaries(aki)).toEqual(['STAMP 2 by chi, ben']);
  await stamps.remove(ben.id, heart);
  expect(await summaries(aki)).toEqual(['STAMP 2 by chi, ben']);
  await stamps.remove(ben.id, tea);
  expect(await summaries(aki)).toEqual(['STAMP 1 by chi']);
});

test('stamps: each different stamp of a user is news, also after reading, and the same one again is not', async () => {
  const { aki, ben, chi, message, stamps, summaries, readFirst } = await createScenario(system);
  const shown = async () => {
    await system.consume();
    const [first] = await system.notifications(aki);
    return first?.variants.map(({ key }) => key);
  };
  const heart = await stamps.add(ben.id, message, 'heart');
  await stamps.add(chi.id, message, 'heart');
  expect(await summaries(aki)).toEqual(['STAMP 2 by chi, ben']);
  // While it is unread, a different stamp moves it up.
  await stamps.add(ben.id, message, 'tada');
  expect(await summaries(aki)).toEqual(['STAMP 2 by ben, chi']);
  expect(await shown()).toEqual(['tada', 'heart']);
  await readFirst(aki);
  await stamps.remove(ben.id, heart);
  await stamps.add(ben.id, message, 'heart');
  expect(await summaries(aki)).toEqual(['(STAMP 2 by ben, chi)']);
  const tea = await stamps.add(ben.id, message, 'tea');
  expect(await summaries(aki)).toEqual(['STAMP 1 by ben', '(STAMP 2 by ben, chi)']);
  expect(await shown()).toEqual(['tea']);
  // Ben's other stamps are in the notification that was read.
  await stamps.remove(ben.id, tea);
  expect(await summaries(aki)).toEqual(['(STAMP 2 by ben, chi)']);
  await stamps.add(ben.id, message, 'heart').catch(() => undefined);
  expect(await summaries(aki)).toEqual(['(STAMP 2 by ben, chi)']);
});

test('stamps: emoji are different stamps of one notification', async () => {
  const { aki, ben, chi, message, stamps, summaries } = await createScenario(system);
  await stamps.add(ben.id, message, '👍');
  await stamps.add(ben.id, message, '👍🏽');
  const keycap = await stamps.add(chi.id, message, '#️⃣');
  await system.consume();
  const [first] = await system.notifications(aki);
  expect(first?.variants.map(({ key }) => key)).toEqual(['#️⃣', '👍🏽', '👍']);
  expect(await summaries(aki)).toEqual(['STAMP 2 by chi, ben']);
  await stamps.remove(chi.id, keycap);
  expect(await summaries(aki)).toEqual(['STAMP 1 by ben']);
});

test('likes, stamps: deleting the message deletes their notifications', async () => {
  const { aki, ben, chi, message, likes, stamps, messages, summaries } = await createScenario(system);
  await likes.add(ben.id, message);
  await likes.add(chi.id, message);
  await stamps.add(ben.id, message, 'heart');
  expect(await summaries(aki)).toHaveLength(2);
  await messages.remove(aki.id, message);
  expect(await summaries(aki)).toEqual([]);
});

test('notifications: users are not notified of what they did themselves', async () => {
  const { aki, room, message, likes, stamps, summaries } = await createScenario(system);
  await likes.add(aki.id, message);
  await stamps.add(aki.id, message, 'heart');
  await system.reply(aki, message);
  await system.say(aki, room, `Note to @${aki.handle}`);
  expect(await summaries(aki)).toEqual([]);
});

test('notifications: name older actors after the newest ones were removed', async () => {
  const { aki, room, message, likes, summaries } = await createScenario(system);
  const crowd: TestUser[] = [];
  for (let n = 0; n < NAMED_MAX + 2; n++) crowd.push(await system.createUser());
  for (const one of crowd) {
    await system.services.rooms.join(one.id, room);
    await likes.add(one.id, message);
  }
  await summaries(aki);
  for (const one of crowd.slice(2)) await likes.remove(one.id, message);
  await summaries(aki);
  const [notification] = await system.notifications(aki);
  expect(notification?.count).toBe(2);
  expect(notification?.actors.map(({ user }) => user)).toEqual([crowd[1]?.id, crowd[0]?.id]);
});
