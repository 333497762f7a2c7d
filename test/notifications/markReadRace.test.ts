import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTimestamps } from '../../src/core/timestamps.ts';
import type { Dynamo } from '../../src/dynamo/dynamo.ts';
import { keys, parseKey, ranges } from '../../src/dynamo/keys.ts';
import type { Write } from '../../src/dynamo/write.ts';
import type { MessageKey } from '../../src/messages/message.ts';
import { createNotificationReading } from '../../src/notifications/read/markRead.ts';
import { CROWD } from '../support/clients/people.ts';
import { itemsIn } from '../support/database/table.ts';
import { openTestSystem, summariesOf, type TestSystem, type TestUser } from './support/testSystem.ts';

let system: TestSystem;
beforeAll(async () => {
  system = await openTestSystem();
});
afterAll(() => system.stop());

/** The notification that counts each liker. */
async function countedLikers(author: TestUser, message: MessageKey) {
  const items = await itemsIn(system.dynamo, ranges.notified(author.id, { kind: 'LIKE', ...message }));
  return items.map((item) => {
    const key = parseKey(item as { pk: string; sk: string });
    return { actor: key.type === 'notified' ? key.actor : '', in: String(item.in) };
  });
}

test('markRead: each like at the same time is once in the read notification or in a new one', async () => {
  const author = await system.createUser();
  const crowd: TestUser[] = [];
  for (let n = 0; n < CROWD; n++) crowd.push(await system.createUser());
  const room = await system.room(author, ...crowd);
  const { room: r, threadTs, ts } = await system.say(author, room);
  const message = { room: r, threadTs, ts };
  let isLiking = true;

  async function reader(): Promise<void> {
    for (let turn = 0; isLiking; turn++) {
      const unread = (await system.notifications(author)).filter(({ readAt }) => readAt === null);
      if (turn % 3 === 2) await system.reading.markAllRead(author.id);
      else {
        // It may be deleted before it is marked.
        const ids = unread.map(({ id }) => id);
        await system.reading
          .markRead(author.id, ids)
          .catch((error: unknown) => expect(error).toMatchObject({ code: 'NOT_FOUND' }));
      }
    }
  }
  async function consumer(): Promise<void> {
    while (isLiking) await system.consume();
  }
  const background = Promise.all([reader(), consumer()]);
  await Promise.all(
    crowd.map(async ({ id }, n) => {
      await system.services.likes.add(id, message);
      if (n % 3 === 0) await system.services.likes.remove(id, message);
      if (n % 6 === 0) await system.services.likes.add(id, message);
    }),
  ).finally(() => {
    isLiking = false;
  });
  await background;
  await system.consume();

  const notifications = await system.notifications(author);
  const unread = notifications.filter(({ readAt }) => readAt === null);
  expect(unread.length).toBeLessThanOrEqual(1);
  expect(await system.badge(author)).toBe(unread[0]?.count ?? 0);
  const likers = await countedLikers(author, message);
  for (const { id, count } of notifications) {
    expect([id, likers.filter((one) => one.in === id).length]).toEqual([id, count]);
  }
  const counted = new Set(likers.filter(({ in: id }) => id !== '').map(({ actor }) => actor));
  const current = new Set(likers.filter(({ in: id }) => id === unread[0]?.id).map(({ actor }) => actor));
  for (const { id } of crowd) {
    const likes = (await system.dynamo.get(keys.like(id, message))) !== undefined;
    // No like is lost, and users who removed theirs are not counted.
    if (likes) expect([id, counted.has(id)]).toEqual([id, true]);
    else expect([id, current.has(id)]).toEqual([id, false]);
  }
});

/** Runs `change` right before its first write of a notification. */
function withChangeBeforeWrite(dynamo: Dynamo, change: () => Promise<unknown>): Dynamo {
  let first = true;
  const before = async (writes: boolean) => {
    if (!writes || !first) return;
    first = false;
    await change();
  };
  return {
    ...dynamo,
    async tryTransact(writes, options) {
      const list = Object.values<Write | readonly Write[] | undefined>(writes).flat();
      await before(list.some((one) => one !== undefined && 'put' in one && one.put.sk.startsWith('NOTE#')));
      return dynamo.tryTransact(writes, options);
    },
    async update(key, expression) {
      await before(key.sk === 'BADGE');
      return dynamo.update(key, expression);
    },
  };
}

/** Ben likes a message by Aki, who has the notification. Chi has not liked it yet. */
async function createLikedMessage() {
  const [aki, ben, chi] = [await system.createUser(), await system.createUser(), await system.createUser()];
  const message = await system.say(aki, await system.room(aki, ben, chi));
  await system.services.likes.add(ben.id, message);
  await system.consume();
  const [notification] = await system.notifications(aki);
  const summaries = async () => summariesOf(await system.notifications(aki), { aki, ben, chi });
  return { aki, ben, chi, message, id: String(notification?.id), summaries };
}

const readingOn = (dynamo: Dynamo) =>
  createNotificationReading({ dynamo, timestamps: createTimestamps(), retention: 30 * 24 * 3600 });

test.each(['one', 'all'])(
  'markRead: of %s, a like that is written before it is in the read notification',
  async (what) => {
    const { aki, chi, message, id, summaries } = await createLikedMessage();
    const dynamo = withChangeBeforeWrite(system.dynamo, async () => {
      await system.services.likes.add(chi.id, message);
      await system.consume();
    });
    if (what === 'one') await readingOn(dynamo).markRead(aki.id, [id]);
    else await readingOn(dynamo).markAllRead(aki.id);
    await system.consume();
    expect(await summaries()).toEqual(['(LIKE 2 by chi, ben)']);
    expect(await system.badge(aki)).toBe(0);
  },
);

test.each(['one', 'all'])(
  'markRead: of %s, a like that is written after it is in a new notification',
  async (what) => {
    const { aki, chi, message, id, summaries } = await createLikedMessage();
    await system.services.likes.add(chi.id, message);
    const dynamo = withChangeBeforeWrite(system.dynamo, () =>
      what === 'one' ? system.reading.markRead(aki.id, [id]) : system.reading.markAllRead(aki.id),
    );
    await system.dispatcherOf(system.derivationsOf(dynamo).handlers).dispatch(await system.readStream());
    await system.consume();
    expect(await summaries()).toEqual(['LIKE 1 by chi', '(LIKE 1 by ben)']);
    expect(await system.badge(aki)).toBe(1);
  },
);
