/** Fifty clients against the running server. What they see at the end must equal a recount. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keys, parseKey, ranges } from '../../src/dynamo/keys.ts';
import { parseMessageId } from '../../src/messages/message.ts';
import type { NotificationsLiveSubscription } from '../generated/graphql.ts';
import { LikeMessage, UnlikeMessage } from '../reactions/likes/support/operations.ts';
import { watchBadge } from '../support/clients/badges.ts';
import type { Live } from '../support/clients/client.ts';
import { JoinRoom } from '../support/clients/operations.ts';
import { CROWD, newUser, type Person, rawId, roomOf, say } from '../support/clients/people.ts';
import { itemsIn } from '../support/database/table.ts';
import { seed } from '../support/run/seed.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { badgeOf, type ListedNode, listNotifications } from './support/list.ts';
import { MarkNotificationsRead, NotificationsLive } from './support/operations.ts';

const MESSAGES = 3;
const ACTIONS_EACH = 4;
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

/** What a client that applies every event shows as unread: the actor count of each notification. */
function shownCounts(changes: Live<NotificationsLiveSubscription>): Map<string, number> {
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

/** Recounts the actors from the likes and the actor records. Returns a line for each difference. */
async function differences(
  author: Person,
  messages: readonly string[],
  list: readonly ListedNode[],
): Promise<string[]> {
  const lines: string[] = [];
  for (const id of messages) {
    const message = parseMessageId(rawId(id));
    if (message === undefined) throw new Error(`${id} is not a message.`);
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
      if (item.in === '' && likes) lines.push(`${key.actor} likes it and was never counted`);
    }
    if (inUnread.size !== (unread[0]?.actorCount ?? 0)) {
      lines.push(`${unread[0]?.actorCount} actors are shown, ${inUnread.size} are in it`);
    }
  }
  return lines;
}

test('markNotificationsRead: the result is consistent with simultaneous likes and unlikes', async () => {
  const author = await newUser(app, 'author');
  const crowd = await Promise.all(Array.from({ length: CROWD - 3 }, () => newUser(app)));
  const roomId = await roomOf(author);
  await Promise.all(crowd.map((one) => one.do(JoinRoom, { roomId })));
  const messages = await Promise.all(
    Array.from({ length: MESSAGES }, async (_, i) => (await say(author, roomId, `message ${i}`)).id),
  );
  const devices = [author, await app.as(author.handle), await app.as(author.handle)];
  const changes = author.subscribe(NotificationsLive, {});
  const badge = watchBadge(author);
  await badge.next();

  const [actions = [], readings = []] = fc.sample(
    fc.array(fc.nat(1_000), { minLength: CROWD * ACTIONS_EACH, maxLength: CROWD * ACTIONS_EACH }),
    { numRuns: 2 },
  );
  const liking = crowd.map(async (one, i) => {
    for (const pick of actions.slice(i * ACTIONS_EACH, (i + 1) * ACTIONS_EACH)) {
      const messageId = messages[pick % MESSAGES] ?? '';
      if (pick % 5 < 3) await one.do(LikeMessage, { messageId });
      else await one.do(UnlikeMessage, { messageId });
    }
  });
  let isOver = false;
  const reading = devices.map(async (device, i) => {
    for (let n = i; !isOver; n++) {
      const unread = await listNotifications(device, true);
      const one = unread[(readings[n] ?? 0) % Math.max(1, unread.length)];
      if ((readings[n] ?? 0) % 4 === 0) await device.do(MarkNotificationsRead, {});
      // It may have been deleted since it was listed.
      else if (one !== undefined) await device.refused(MarkNotificationsRead, { ids: [one.id] });
    }
  });
  await Promise.all(liking);
  isOver = true;
  await Promise.all(reading);
  // After this at least one notification is unread.
  const last = crowd[0];
  const fresh = (await say(author, roomId, 'the last one')).id;
  await last?.do(LikeMessage, { messageId: fresh });
  await app.quiet();

  const list = await listNotifications(author);
  expect(await differences(author, [...messages, fresh], list), `seed ${seed}`).toEqual([]);
  const unread = list.filter(({ readAt }) => readAt === null);
  const total = unread.reduce((sum, { actorCount }) => sum + actorCount, 0);
  expect(total).toBeGreaterThan(0);
  expect(await badgeOf(author)).toBe(total);
  expect((await listNotifications(author, true)).map(({ id }) => id)).toEqual(unread.map(({ id }) => id));
  while (badge.seen.at(-1)?.unread.notifications !== total) await badge.next();
  const expected = new Map(unread.map(({ id, actorCount }) => [id, actorCount]));
  const same = () =>
    JSON.stringify([...shownCounts(changes)].sort()) === JSON.stringify([...expected].sort());
  while (!same()) await changes.next();
});
