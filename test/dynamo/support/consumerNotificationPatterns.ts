/** How the stream consumer derives notifications, by the names of the rows in docs/data-model.md. */

import { newId } from '../../../src/core/ids.ts';
import { createTimestamps, toTimestamp } from '../../../src/core/timestamps.ts';
import { keys } from '../../../src/dynamo/keys.ts';
import { encodeId } from '../../../src/graphql/ids.ts';
import { createNotificationReading } from '../../../src/notifications/read/markRead.ts';
import { likesKind } from '../../../src/reactions/likes/kind.ts';
import { reactionItem } from '../../../src/reactions/toggles/reaction.ts';
import { messageKey } from '../../support/clients/people.ts';
import { type CostFixture, RETENTION } from './costFixture.ts';
import * as ask from './costOperations.ts';
import { consumed, type Pattern } from './pattern.ts';

const body = 'z'.repeat(100);

/** A root of Aki's, to which no one has reacted or replied yet. */
let threadId = '';
/** A root of Aki's that mentions Ben. */
let mentionId = '';
let notificationId = '';

const like = ({ app, ben }: CostFixture, id: string) => app.services.likes.add(ben.id, messageKey(id));

/** A root of Aki's that mentions Ben. */
const mention = async ({ aki, ben, roomId }: CostFixture): Promise<string> =>
  (await aki.do(ask.CostSend, { input: { roomId, body: `@${ben.handle}` } })).sendMessage.message.id;

/** Writes likes of `count` new users, without changing the message's number of likes. */
async function likes({ app, aki }: CostFixture, id: string, count: number): Promise<void> {
  const message = messageKey(id);
  const at = toTimestamp(Date.now() * 1_000);
  for (let n = 0; n < count; n++) {
    await app.dynamo.put(reactionItem(likesKind, { ...message, user: newId(), author: aki.id, at }));
  }
}

const markReadOf = ({ app: { dynamo } }: CostFixture) =>
  createNotificationReading({ dynamo, timestamps: createTimestamps(), retention: RETENTION });

export const consumerNotificationPatterns: readonly Pattern[] = [
  consumed('consumer: a new reply, with one follower to notify', async (fixture) => {
    const { aki, ben, roomId } = fixture;
    await ben.do(ask.CostMute, { roomId, muted: false });
    threadId = (await aki.do(ask.CostSend, { input: { roomId, body } })).sendMessage.message.id;
    await ben.do(ask.CostSend, { input: { roomId, body, replyTo: threadId } });
    await fixture.consume();
    await aki.do(ask.CostSend, { input: { roomId, body, replyTo: threadId } });
  }),
  consumed(
    'consumer: one more reply, with one follower who has not read the previous one',
    ({ aki, roomId }) => aki.do(ask.CostSend, { input: { roomId, body, replyTo: threadId } }),
  ),
  consumed('consumer: a new root that mentions a member', async (fixture) => {
    mentionId = await mention(fixture);
  }),
  {
    name: '`markNotificationsRead`, a mention in a root',
    async before({ ben, app, consume }) {
      await consume();
      const item = await app.dynamo.get(keys.pointer(ben.id, { kind: 'MENTION', ...messageKey(mentionId) }));
      notificationId = encodeId('Notification', String(item?.id));
    },
    run: ({ ben }) => ben.do(ask.CostMarkNotifications, { ids: [notificationId] }),
  },
  consumed('consumer: a member has read a root that mentions them', async (fixture) => {
    const upTo = await mention(fixture);
    await fixture.consume();
    await fixture.ben.do(ask.CostRead, { input: { roomId: fixture.roomId, upTo } });
  }),
  consumed('consumer: a deleted message that mentioned a member', async (fixture) => {
    const messageId = await mention(fixture);
    await fixture.consume();
    await fixture.aki.do(ask.CostDelete, { messageId });
  }),
  consumed('consumer: a like, the first of a message', (fixture) => like(fixture, threadId)),
  consumed('consumer: ten likes of one message in one batch', (fixture) => likes(fixture, fixture.liked, 10)),
  consumed('consumer: a like, by a process that does not remember the notification', async (fixture) => {
    await likes(fixture, fixture.liked, 1);
    fixture.restartConsumer();
  }),
  consumed('consumer: a notification was read', async (fixture) => {
    const { app, aki } = fixture;
    const subject = { kind: 'LIKE', ...messageKey(threadId) } as const;
    const pointer = await app.dynamo.get(keys.pointer(aki.id, subject));
    await markReadOf(fixture).markRead(aki.id, [String(pointer?.id)]);
  }),
  consumed('consumer: two notifications were marked as read at once', async (fixture) => {
    const { ben } = fixture;
    await markReadOf(fixture).markAllRead(ben.id);
    for (let n = 0; n < 2; n++) await mention(fixture);
    await fixture.consume();
    await markReadOf(fixture).markAllRead(ben.id);
  }),
];
