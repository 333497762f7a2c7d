/** Fifty clients against the running server: what they see at the end is what a recount finds. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keys, parseKey, ranges } from '../../src/dynamo/keys.ts';
import { parseMessageId } from '../../src/messages/message.ts';
import type { NotificationsLiveSubscription } from '../generated/graphql.ts';
import { LikeMessage, UnlikeMessage } from '../reactions/likes/operations.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { watchBadge } from '../support/badges.ts';
import type { Live } from '../support/client.ts';
import { JoinRoom } from '../support/operations.ts';
import { CROWD, type Person, rawId, roomOf, say, somebody } from '../support/people.ts';
import { seed } from '../support/seed.ts';
import { itemsIn } from '../support/table.ts';
import { MarkNotificationsRead, NotificationsLive } from './operations.ts';
import { badgeOf, type Listed, listed } from './showing.ts';

const MESSAGES = 3;
const ACTS_EACH = 4;
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

/** What a client that takes in every event shows as unread: how many people, by notification. */
function shown(changes: Live<NotificationsLiveSubscription>): Map<string, number> {
  const unread = new Map<string, number>();
  for (const { notificationChanged } of changes.seen) {
    const { notification, removedId } = notificationChanged;
    if (notification !== null && notification.readAt === null) {
      unread.set(notification.id, notification.actorCount);
    } else {
      unread.delete(notification?.id ?? removedId ?? '');
    }
  }
  return unread;
}

/** P4, counted from the likes themselves and what is remembered of each liker; a line for what is not so. */
async function wrong(
  author: Person,
  messages: readonly string[],
  list: readonly Listed[],
): Promise<string[]> {
  const lines: string[] = [];
  for (const id of messages) {
    const message = parseMessageId(rawId(id));
    if (message === undefined) throw new Error(`${id} is no message.`);
    const unread = list.filter((one) => one.message?.id === id && one.readAt === null);
    if (unread.length > 1) lines.push(`${unread.length} unread ones of ${id}`);
    const inUnread = new Set<string>();
    for (const item of await itemsIn(app.dynamo, ranges.notified(author.id, { ...message, kind: 'LIKE' }))) {
      const key = parseKey(item as { pk: string; sk: string });
      if (key.type !== 'notified') continue;
      const likes = (await app.dynamo.get(keys.like(key.actor, message))) !== undefined;
      const current = unread[0] !== undefined && item.in === rawId(unread[0].id);
      if (current) inUnread.add(key.actor);
      if (current && !likes) lines.push(`${key.actor} is counted and does not like it`);
      if (item.in === '' && likes) lines.push(`${key.actor} likes it and was never told of`);
    }
    if (inUnread.size !== (unread[0]?.actorCount ?? 0)) {
      lines.push(`${unread[0]?.actorCount} people are said, ${inUnread.size} are in it`);
    }
  }
  return lines;
}

test('likes, unlikes and readings of one and of all, at the same time, end in one truth', async () => {
  const author = await somebody(app, 'author');
  const crowd = await Promise.all(Array.from({ length: CROWD - 3 }, () => somebody(app)));
  const roomId = await roomOf(author);
  await Promise.all(crowd.map((one) => one.do(JoinRoom, { roomId })));
  const messages = await Promise.all(
    Array.from({ length: MESSAGES }, async (_, i) => (await say(author, roomId, `message ${i}`)).id),
  );
  const devices = [author, await app.as(author.handle), await app.as(author.handle)];
  const changes = author.subscribe(NotificationsLive, {});
  const badge = watchBadge(author);
  await badge.next();

  const [acts = [], readings = []] = fc.sample(
    fc.array(fc.nat(1_000), { minLength: CROWD * ACTS_EACH, maxLength: CROWD * ACTS_EACH }),
    { numRuns: 2 },
  );
  const liking = crowd.map(async (one, i) => {
    for (const pick of acts.slice(i * ACTS_EACH, (i + 1) * ACTS_EACH)) {
      const messageId = messages[pick % MESSAGES] ?? '';
      if (pick % 5 < 3) await one.do(LikeMessage, { messageId });
      else await one.do(UnlikeMessage, { messageId });
    }
  });
  let over = false;
  const reading = devices.map(async (device, i) => {
    for (let n = i; !over; n++) {
      const unread = await listed(device, true);
      const one = unread[(readings[n] ?? 0) % Math.max(1, unread.length)];
      if ((readings[n] ?? 0) % 4 === 0) await device.do(MarkNotificationsRead, {});
      // It may have been taken back to nothing meanwhile.
      else if (one !== undefined) await device.refused(MarkNotificationsRead, { ids: [one.id] });
    }
  });
  await Promise.all(liking);
  over = true;
  await Promise.all(reading);
  // Something is left unread, whatever was read.
  const last = crowd[0];
  const fresh = (await say(author, roomId, 'the last one')).id;
  await last?.do(LikeMessage, { messageId: fresh });
  await app.quiet();

  const list = await listed(author);
  expect(await wrong(author, [...messages, fresh], list), `seed ${seed}`).toEqual([]);
  const unread = list.filter(({ readAt }) => readAt === null);
  const total = unread.reduce((sum, { actorCount }) => sum + actorCount, 0);
  expect(total).toBeGreaterThan(0);
  expect(await badgeOf(author)).toBe(total);
  expect((await listed(author, true)).map(({ id }) => id)).toEqual(unread.map(({ id }) => id));
  while (badge.seen.at(-1)?.unread.notifications !== total) await badge.next();
  const truth = new Map(unread.map(({ id, actorCount }) => [id, actorCount]));
  const same = () => JSON.stringify([...shown(changes)].sort()) === JSON.stringify([...truth].sort());
  while (!same()) await changes.next();
});
