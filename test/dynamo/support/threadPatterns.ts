/** The access patterns of lists of threads, by the names of the rows in docs/data-model.md. */
import { expect } from 'vitest';
import { toTimestamp } from '../../../src/core/timestamps.ts';
import { bulkWrite } from '../../../src/dynamo/bulkWrite.ts';
import { type Message, messageItem, newMessage } from '../../../src/messages/message.ts';
import { stampItem } from '../../../src/reactions/stamps/stamp.ts';
import { rawId, roomOf } from '../../support/clients/people.ts';
import { onDynamoDbLocal } from '../../support/database/dynamo.ts';
import type { CostFixture } from './costFixture.ts';
import * as ask from './costOperations.ts';
import type { Pattern } from './pattern.ts';

const SHOWN = 3;
let roomId = '';

/**
 * A room with `size` threads, and three replies with a stamp each at the end of each thread. The others are before
 * them.
 */
async function writeThreads({ aki, app, size }: CostFixture): Promise<void> {
  roomId = await roomOf(aki);
  const room = rawId(roomId);
  const hour = 3_600_000_000;
  const start = Date.now() * 1_000 - (size + 1) * hour;
  const extras = { stamps: { tea: 1 } };
  const items = Array.from({ length: size }, (_, i) => {
    const [threadTs, repliesPerThread] = [start + i * hour, i < size - 10 ? SHOWN : SHOWN + size / 10];
    const common = {
      room,
      threadTs: toTimestamp(threadTs),
      author: aki.id,
      body: 'z'.repeat(100),
      mentions: [],
    };
    const replies = Array.from({ length: repliesPerThread }, (_, n): Message => {
      const hidden = n < repliesPerThread - SHOWN;
      return newMessage({
        ...common,
        ts: toTimestamp(threadTs + 1 + n),
        extras: hidden ? { stamps: {} } : extras,
      });
    });
    const newest = replies.slice(-SHOWN);
    const root = {
      ...newMessage({ ...common, ts: common.threadTs, extras: { stamps: {} } }),
      replyCount: replies.length,
    };
    return [
      {
        ...messageItem(root),
        lastReplyAt: newest.at(-1)?.ts,
        newestReplies: newest.map(({ ts }) => ts),
      },
      ...replies.map(messageItem),
      ...newest.map(({ threadTs: t, ts }, n) =>
        stampItem({
          room,
          threadTs: t,
          ts,
          stampedAt: toTimestamp(threadTs + hour / 2 + n),
          user: aki.id,
          stampKey: 'tea',
        }),
      ),
    ];
  });
  await bulkWrite({
    dynamo: app.dynamo,
    items: items.flat(),
    by: onDynamoDbLocal ? 'batches' : 'transactions',
  });
}

export const threadPatterns: readonly Pattern[] = [
  {
    name: '`Room.threads`, the newest 10, with 30 replies and 30 stamps',
    before: writeThreads,
    async run({ aki }) {
      const { room } = await aki.do(ask.CostThreads, { roomId });
      const threads = room?.threads.edges.map(({ node }) => node) ?? [];
      expect(threads.flatMap(({ replies }) => replies)).toHaveLength(30);
      expect(threads.flatMap(({ stamps }) => stamps)).toHaveLength(30);
    },
  },
];
