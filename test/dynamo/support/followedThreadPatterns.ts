/** The access patterns of the lists of followed threads, by the names of the rows in docs/data-model.md. */
import { expect } from 'vitest';
import { newId } from '../../../src/core/ids.ts';
import { toTimestamp } from '../../../src/core/timestamps.ts';
import { bulkWrite } from '../../../src/dynamo/bulkWrite.ts';
import { keys, threadList } from '../../../src/dynamo/keys.ts';
import { FIRST_SHAPE } from '../../../src/dynamo/shapes.ts';
import { messageItem, newMessage } from '../../../src/messages/message.ts';
import { type Notification, notificationItem } from '../../../src/notifications/notification.ts';
import { JoinRoom } from '../../support/clients/operations.ts';
import { type Person, people, rawId, roomOf, say } from '../../support/clients/people.ts';
import { onDynamoDbLocal } from '../../support/database/dynamo.ts';
import type { CostFixture } from './costFixture.ts';
import * as ask from './costOperations.ts';
import { consumed, type Pattern } from './pattern.ts';

let reader: Person;
let roomId = '';
let threadId = '';

/**
 * A user who follows `size` threads of one room. Half of the ten with the newest replies have an unread notification.
 */
async function writeFollowedThreads({ aki, app, size }: CostFixture): Promise<void> {
  [reader] = await people(app, 1);
  roomId = await roomOf(aki, [reader]);
  const room = rawId(roomId);
  const user = reader.id;
  const start = Date.now() * 1_000;
  const items = Array.from({ length: size }, (_, i) => {
    const threadTs = toTimestamp(start + 2 * i);
    const newest = toTimestamp(start + 60_000_000 + i);
    const thread = { room, threadTs, ts: threadTs };
    const root = newMessage({
      ...thread,
      author: user,
      body: 'z'.repeat(100),
      mentions: [],
      extras: { stamps: {} },
    });
    const one: Notification = {
      user,
      id: newId(),
      kind: 'REPLY',
      ...thread,
      count: 1,
      epoch: 0,
      version: 1,
      actors: [{ user: aki.id, at: newest }],
      updatedAt: newest,
      variants: [],
      latest: newest,
      readAt: null,
      expiresAt: null,
    };
    const isUnread = i >= size - 10 && i % 2 === 0;
    return [
      { ...messageItem({ ...root, replyCount: 1 }), lastReplyAt: newest, newestReplies: [newest] },
      {
        ...keys.follow(room, threadTs, user),
        v: FIRST_SHAPE,
        following: true,
        at: threadTs,
        since: threadTs,
      },
      {
        ...keys.followedThread(user, room, threadTs),
        v: FIRST_SHAPE,
        newestReply: newest,
        gsi1pk: threadList.pk(user),
        gsi1sk: threadList.sk(newest, room, threadTs),
      },
      ...(isUnread
        ? [notificationItem(one), { ...keys.pointer(user, one), v: FIRST_SHAPE, id: one.id }]
        : []),
    ];
  });
  await bulkWrite({
    dynamo: app.dynamo,
    items: items.flat(),
    by: onDynamoDbLocal ? 'batches' : 'transactions',
  });
}

const followed = (name: string, unreadOnly: boolean, count: number): Pattern => ({
  name,
  async run() {
    const { viewer } = await reader.do(ask.CostFollowedThreads, { unreadOnly });
    expect(viewer.threads.edges).toHaveLength(count);
  },
});

export const followedThreadPatterns: readonly Pattern[] = [
  {
    ...followed('`Viewer.threads`, a page of 10, with `hasUnread` and `viewerIsFollowing`', false, 10),
    before: writeFollowedThreads,
  },
  followed('`Viewer.threads`, unread ones among 10', true, 5),
];

export const consumerThreadPatterns: readonly Pattern[] = [
  consumed('consumer: a user has followed a thread that has replies', async ({ aki, ben, consume }) => {
    roomId = await roomOf(aki, [ben]);
    threadId = (await say(aki, roomId, 'root')).id;
    await say(aki, roomId, 'reply', threadId);
    await consume();
    await ben.do(ask.CostFollow, { messageId: threadId });
  }),
  consumed('consumer: a user has unfollowed a thread that has replies', async ({ ben }) => {
    await ben.do(ask.CostUnfollow, { messageId: threadId });
  }),
  consumed('consumer: a user has left a room with one followed thread', async (fixture) => {
    const { ben, consume, restartConsumer } = fixture;
    await ben.do(ask.CostFollow, { messageId: threadId });
    await consume();
    await ben.do(ask.CostLeave, { roomId });
    // A remembered counter would be refused, and then be read after a random time, next to the other requests.
    restartConsumer();
  }),
  consumed('consumer: a deleted root of a thread with one follower beside its author', async (fixture) => {
    const { aki, ben, consume } = fixture;
    await ben.do(JoinRoom, { roomId });
    await say(ben, roomId, 'reply', threadId);
    await consume();
    await aki.do(ask.CostDelete, { messageId: threadId });
  }),
];
