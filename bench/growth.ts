/**
 * Does a request cost more when there is more data?
 *
 * One room with `size` roots, `size` members, `size` likes of one message and `size` notifications of its owner, for
 * each of SIZES. Each request is sent one after the other: the median of its times, and the read and write units of the
 * last one. The bench fails if units differ by more than one, because no request may depend on the size. Only the
 * server's own work is measured: another process would read the stream.
 */

import { microsOf, type Timestamp, toTimestamp } from '../src/core/timestamps.ts';
import { bulkWrite } from '../src/dynamo/bulkWrite.ts';
import type { Item } from '../src/dynamo/item.ts';
import { type Key, keys } from '../src/dynamo/keys.ts';
import type { Cost } from '../src/dynamo/metering.ts';
import { FIRST_SHAPE } from '../src/dynamo/shapes.ts';
import { encodeId } from '../src/graphql/ids.ts';
import { type Message, messageId, messageItem, newMessage } from '../src/messages/message.ts';
import { type Notification, notificationItem } from '../src/notifications/notification.ts';
import { firstMembershipVersion, memberItem, membershipItem } from '../src/rooms/room.ts';
import * as ask from '../test/dynamo/support/costOperations.ts';
import { likedByMany } from '../test/reactions/likes/support/likes.ts';
import { newUser, rawId, roomOf } from '../test/support/clients/people.ts';
import { openTestDynamo } from '../test/support/database/dynamo.ts';
import { startTestApp } from '../test/support/servers/app.ts';
import { recordResult } from './results.ts';
import { compareSizes, type Measured, measureRequests } from './sizes.ts';
import { printTable } from './support.ts';

const SIZES = [100, 10_000, 100_000];
const SPACING_MICROS = 60_000_000;
const BODY = 'x'.repeat(100);

interface Owner {
  readonly id: string;
  readonly room: string;
}

const firstAt = (size: number): number => Date.now() * 1_000 - size * SPACING_MICROS;

function rootsOf({ id, room }: Owner, size: number): Message[] {
  const first = firstAt(size);
  return Array.from({ length: size }, (_, i) => {
    const ts = toTimestamp(first + i * SPACING_MICROS);
    const message = newMessage({ room, threadTs: ts, ts, author: id, body: BODY, mentions: [] });
    return { ...message, version: 2, position: i + 1, extras: { stamps: {} } };
  });
}

/** The members, apart from the owner: the two items of each membership, and the profile. */
const membersOf = ({ room }: Owner, size: number, joinedAt: Timestamp): Array<Key & Item> =>
  Array.from({ length: size - 1 }, (_, i) => `member${i}`).flatMap((user) => [
    { ...keys.user(user), v: FIRST_SHAPE, displayName: user, createdAt: joinedAt, rooms: 1, joins: 1 },
    memberItem({ room, user, role: 'MEMBER', joinedAt }),
    membershipItem({
      room,
      user,
      role: 'MEMBER',
      joinedAt,
      lastReadTs: joinedAt,
      muted: false,
      readPosition: 0,
      pendingReadRoot: null,
      version: firstMembershipVersion(0),
    }),
  ]);

/** One notification of a like of each root. */
function notificationsOf({ id: user }: Owner, roots: readonly Message[]): Array<Key & Item> {
  const items = roots.map(({ room, threadTs, ts }, i) => {
    const at = toTimestamp(microsOf(ts) + 1);
    const notification: Notification = {
      user,
      id: `notification${i}`,
      kind: 'LIKE',
      room,
      threadTs,
      ts,
      count: 1,
      actors: [{ user: 'member0', at }],
      epoch: 0,
      version: 1,
      updatedAt: at,
      variants: [],
      latest: null,
      readAt: null,
      expiresAt: null,
    };
    return notificationItem(notification);
  });
  const badge = { ...keys.badge(user), v: FIRST_SHAPE, total: items.length, rev: 1, epoch: 0 };
  return [...items, badge];
}

async function measure(size: number): Promise<Record<string, Measured>> {
  const database = await openTestDynamo({ file: true });
  const costs: Cost[] = [];
  const app = await startTestApp({ database, role: 'api', onCost: (cost) => costs.push(cost) });
  const aki = await newUser(app);
  const roomId = await roomOf(aki);
  const owner = { id: aki.id, room: rawId(roomId) };
  const roots = rootsOf(owner, size);
  const liked = roots.at(-50);
  if (liked === undefined) throw new Error('There are too few messages.');
  const { dynamo } = database;
  const items = [
    ...roots.map((root, i) => ({ ...messageItem(root), position: i + 1 })),
    ...membersOf(owner, size, toTimestamp(firstAt(size))),
    ...notificationsOf(owner, roots),
  ];
  await bulkWrite({ dynamo, items, by: 'transactions' });
  await likedByMany(dynamo, liked, size);
  await dynamo.update(keys.seats(owner.room), { update: 'SET taken = :n', values: { ':n': size } });
  await dynamo.update(keys.counter(owner.room), {
    update: 'SET messageCount = :n, changeCount = :n',
    values: { ':n': size },
  });

  const messageOf = (root: Message) => encodeId('Message', messageId(root));
  const [likedId, middleId] = [messageOf(liked), messageOf(roots[size / 2] ?? liked)];
  const requests: Readonly<Record<string, () => Promise<unknown>>> = {
    'the newest 10 messages, with everything that is shown': () => aki.do(ask.CostWhole, { roomId }),
    'a jump to a message in the middle': () => aki.do(ask.CostAround, { roomId, around: middleId }),
    '10 members': () => aki.do(ask.CostMembers, { roomId }),
    '10 users who like a message': () => aki.do(ask.CostLikers, { id: likedId }),
    '10 notifications': () => aki.do(ask.CostNotifications, {}),
    'the unread badge': () => aki.do(ask.CostUnread, {}),
    sendMessage: () => aki.do(ask.CostSend, { input: { roomId, body: BODY } }),
    'likeMessage, then unlikeMessage': async () => {
      await aki.do(ask.CostLike, { messageId: likedId });
      await aki.do(ask.CostUnlike, { messageId: likedId });
    },
  };

  const results = await measureRequests(requests, costs);
  await app.stop();
  await database.stop();
  return results;
}

const measured: Array<Record<string, Measured>> = [];
for (const size of SIZES) measured.push(await measure(size));
const rows = compareSizes(measured, 'p50, ms');
printTable(
  `A room with each of ${SIZES.join(', ')} messages, members, likes of a message and notifications`,
  rows,
);
recordResult('growth', rows);
