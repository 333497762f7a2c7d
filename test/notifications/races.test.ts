import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTimestamps } from '../../src/core/timestamps.ts';
import type { Dynamo } from '../../src/dynamo/dynamo.ts';
import { keys, parseKey, ranges } from '../../src/dynamo/keys.ts';
import type { MessageKey } from '../../src/messages/message.ts';
import { createNotificationReading } from '../../src/notifications/read/markRead.ts';
import { CROWD } from '../support/people.ts';
import { itemsIn } from '../support/table.ts';
import { openWorld, type Somebody, shortly, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

/** Who is counted where: each liker once, in what is unread or in what was read. */
async function likersTold(author: Somebody, message: MessageKey) {
  const items = await itemsIn(world.dynamo, ranges.notified(author.id, { kind: 'LIKE', ...message }));
  return items.map((item) => {
    const key = parseKey(item as { pk: string; sk: string });
    return { actor: key.type === 'notified' ? key.actor : '', in: String(item.in) };
  });
}

test('likes that race with reading are in what was read or in a new one, each once', async () => {
  const author = await world.somebody();
  const crowd: Somebody[] = [];
  for (let n = 0; n < CROWD; n++) crowd.push(await world.somebody());
  const room = await world.room(author, ...crowd);
  const { room: r, t, c } = await world.say(author, room);
  const message = { room: r, t, c };
  let liking = true;

  async function reader(): Promise<void> {
    for (let turn = 0; liking; turn++) {
      const unread = (await world.notifications(author)).filter(({ readAt }) => readAt === null);
      if (turn % 3 === 2) await world.reading.markAllRead(author.id);
      else {
        // It may be taken back to nothing before it is named.
        const ids = unread.map(({ id }) => id);
        await world.reading
          .markRead(author.id, ids)
          .catch((error: unknown) => expect(error).toMatchObject({ code: 'NOT_FOUND' }));
      }
    }
  }
  async function consumer(): Promise<void> {
    while (liking) await world.consume();
  }
  const beside = Promise.all([reader(), consumer()]);
  await Promise.all(
    crowd.map(async ({ id }, n) => {
      await world.services.likes.like(id, message);
      if (n % 3 === 0) await world.services.likes.unlike(id, message);
      if (n % 6 === 0) await world.services.likes.like(id, message);
    }),
  ).finally(() => {
    liking = false;
  });
  await beside;
  await world.consume();

  const notifications = await world.notifications(author);
  const unread = notifications.filter(({ readAt }) => readAt === null);
  expect(unread.length).toBeLessThanOrEqual(1);
  expect(await world.badge(author)).toBe(unread[0]?.count ?? 0);
  const told = await likersTold(author, message);
  for (const { id, count } of notifications) {
    expect([id, told.filter((one) => one.in === id).length]).toEqual([id, count]);
  }
  const counted = new Set(told.filter(({ in: id }) => id !== '').map(({ actor }) => actor));
  const current = new Set(told.filter(({ in: id }) => id === unread[0]?.id).map(({ actor }) => actor));
  for (const { id } of crowd) {
    const likes = (await world.dynamo.get(keys.like(id, message))) !== undefined;
    // Nobody's like is lost, and who took it back is not told of as if they had not.
    if (likes) expect([id, counted.has(id)]).toEqual([id, true]);
    else expect([id, current.has(id)]).toEqual([id, false]);
  }
});

/** The table as one sees it who is overtaken: something happens just before their first write of a notification. */
function overtaken(dynamo: Dynamo, happens: () => Promise<unknown>): Dynamo {
  let first = true;
  const before = async (writes: boolean) => {
    if (!writes || !first) return;
    first = false;
    await happens();
  };
  return {
    ...dynamo,
    async transact(writes, retry) {
      await before(writes.some((one) => 'put' in one && one.put.sk.startsWith('NOTE#')));
      await dynamo.transact(writes, retry);
    },
    async update(key, expression) {
      await before(key.sk === 'BADGE');
      return dynamo.update(key, expression);
    },
  };
}

/** Ben likes what Aki has said, and Aki was told of it; Chi is about to. */
async function liked() {
  const [aki, ben, chi] = [await world.somebody(), await world.somebody(), await world.somebody()];
  const message = await world.say(aki, await world.room(aki, ben, chi));
  await world.services.likes.like(ben.id, message);
  await world.consume();
  const [notification] = await world.notifications(aki);
  const told = async () => shortly(await world.notifications(aki), { aki, ben, chi });
  return { aki, ben, chi, message, id: String(notification?.id), told };
}

const readingOn = (dynamo: Dynamo) =>
  createNotificationReading({ dynamo, timestamps: createTimestamps(), retention: 30 * 24 * 3600 });

test.each(['one', 'all'])('a like that overtakes the reading of %s is read with it', async (what) => {
  const { aki, chi, message, id, told } = await liked();
  const dynamo = overtaken(world.dynamo, async () => {
    await world.services.likes.like(chi.id, message);
    await world.consume();
  });
  if (what === 'one') await readingOn(dynamo).markRead(aki.id, [id]);
  else await readingOn(dynamo).markAllRead(aki.id);
  await world.consume();
  expect(await told()).toEqual(['(LIKE 2 by chi, ben)']);
  expect(await world.badge(aki)).toBe(0);
});

test.each(['one', 'all'])('a like that is overtaken by the reading of %s is in a new one', async (what) => {
  const { aki, chi, message, id, told } = await liked();
  await world.services.likes.like(chi.id, message);
  const dynamo = overtaken(world.dynamo, () =>
    what === 'one' ? world.reading.markRead(aki.id, [id]) : world.reading.markAllRead(aki.id),
  );
  await world.dispatcherOf(world.handlersOf(dynamo)).dispatch(await world.news());
  await world.consume();
  expect(await told()).toEqual(['LIKE 1 by chi', '(LIKE 1 by ben)']);
  expect(await world.badge(aki)).toBe(1);
});
