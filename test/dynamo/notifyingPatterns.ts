/** What the stream's consumer does to tell people what others did, by the names of docs/data-model.md. */

import { newId } from '../../src/core/ids.ts';
import { createTimestamps, toTimestamp } from '../../src/core/timestamps.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { createNotificationReading } from '../../src/notifications/read/markRead.ts';
import { likeItem } from '../../src/reactions/likes/like.ts';
import { messageKey } from '../reactions/likes/liking.ts';
import * as ask from './costOperations.ts';
import { RETENTION, type World } from './costWorld.ts';
import { consumed, type Pattern } from './pattern.ts';

const body = 'z'.repeat(100);

/** Aki's root, which nobody else has anything to do with yet. */
let threadId = '';
/** Aki's root that mentions Ben. */
let mentionId = '';

const like = ({ app, ben }: World, id: string) => app.services.likes.like(ben.id, messageKey(id));

/** By so many people at once, past the counting of likes. */
async function likes({ app, aki }: World, id: string, count: number): Promise<void> {
  const message = messageKey(id);
  const at = toTimestamp(Date.now() * 1_000);
  for (let n = 0; n < count; n++) {
    await app.dynamo.put(likeItem({ ...message, user: newId(), author: aki.id, at }));
  }
}

const reading = ({ app: { dynamo } }: World) =>
  createNotificationReading({ dynamo, timestamps: createTimestamps(), retention: RETENTION });

export const notifying: readonly Pattern[] = [
  consumed('consumer: a reply, told to one who follows', async (world) => {
    const { aki, ben, roomId } = world;
    await ben.do(ask.CostMute, { roomId, muted: false });
    threadId = (await aki.do(ask.CostSend, { input: { roomId, body } })).sendMessage.message.id;
    await ben.do(ask.CostSend, { input: { roomId, body, replyTo: threadId } });
    await world.consume();
    await aki.do(ask.CostSend, { input: { roomId, body, replyTo: threadId } });
  }),
  consumed('consumer: one more reply, told to one who has not read the last', ({ aki, roomId }) =>
    aki.do(ask.CostSend, { input: { roomId, body, replyTo: threadId } }),
  ),
  consumed('consumer: a root that mentions somebody', async ({ aki, ben, roomId }) => {
    const { sendMessage } = await aki.do(ask.CostSend, { input: { roomId, body: `@${ben.handle}` } });
    mentionId = sendMessage.message.id;
  }),
  consumed('consumer: a deleted message that mentioned somebody', ({ aki }) =>
    aki.do(ask.CostDelete, { messageId: mentionId }),
  ),
  consumed('consumer: a like, the first of a message', (world) => like(world, threadId)),
  consumed('consumer: ten likes of one message in one batch', (world) => likes(world, world.liked, 10)),
  consumed('consumer: a notification was read', async (world) => {
    const { app, aki } = world;
    const subject = { kind: 'LIKE', ...messageKey(threadId) } as const;
    const pointer = await app.dynamo.get(keys.pointer(aki.id, subject));
    await reading(world).markRead(aki.id, [String(pointer?.id)]);
  }),
  consumed('consumer: both of two notifications were read', async (world) => {
    const { aki, ben, roomId } = world;
    await reading(world).markAllRead(ben.id);
    for (let n = 0; n < 2; n++) await aki.do(ask.CostSend, { input: { roomId, body: `@${ben.handle}` } });
    await world.consume();
    await reading(world).markAllRead(ben.id);
  }),
];
