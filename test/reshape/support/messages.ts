import { newId } from '../../../src/core/ids.ts';
import { toTimestamp } from '../../../src/core/timestamps.ts';
import { bulkWrite } from '../../../src/dynamo/bulkWrite.ts';
import type { Dynamo } from '../../../src/dynamo/dynamo.ts';
import { createItemLoader } from '../../../src/dynamo/itemLoader.ts';
import { keyOf, keys } from '../../../src/dynamo/keys.ts';
import { bodyOf } from '../../../src/messages/longBodies/body.ts';
import { type Message, messageItem, messageOf, newMessage } from '../../../src/messages/message.ts';
import { onDynamoDbLocal } from '../../support/database/dynamo.ts';

/** A body that is an item of its own in shape 2. */
export const LONG = 'あ'.repeat(500);
/** Write units a second: no limit for a test. */
export const RATE = 100_000;
const ROOM_SIZE = 30;

/** Roots. One of `every` is long. */
export function rootsOf(count: number, every: number): Message[] {
  const rooms = Array.from({ length: Math.ceil(count / ROOM_SIZE) }, newId);
  return Array.from({ length: count }, (_, i) => {
    const room = rooms[i % rooms.length] ?? '';
    const ts = toTimestamp(1_700_000_000_000_000 + i);
    const body = i % every === 0 ? `${i} ${LONG}` : `${i} short`;
    return newMessage({ room, threadTs: ts, ts, author: 'aki', body, mentions: [] });
  });
}

/** The same as the release before wrote them. */
export async function fill(dynamo: Dynamo, count: number, every = 3): Promise<Message[]> {
  const messages = rootsOf(count, every);
  await bulkWrite({
    dynamo,
    items: messages.map(messageItem),
    by: onDynamoDbLocal ? 'batches' : 'transactions',
  });
  return messages;
}

/** Deletes every item of the table. */
export async function empty(dynamo: Dynamo): Promise<void> {
  for await (const item of dynamo.scan({})) await dynamo.remove(keyOf(item));
}

/** The body of a message as it is stored. Null if the message is deleted. */
export async function textOf(dynamo: Dynamo, { room, threadTs, ts }: Message): Promise<string | null> {
  const item = await dynamo.get(keys.message(room, threadTs, ts));
  if (item === undefined) throw new Error('The message is gone.');
  return bodyOf(messageOf({ room, threadTs, ts }, item), createItemLoader(dynamo));
}

/** A room with one member, aki. */
export async function putRoom(dynamo: Dynamo, room: string): Promise<void> {
  const joinedAt = toTimestamp(1);
  const member = { v: 1, role: 'OWNER', joinedAt, rev: 1 };
  for (const item of [
    { ...keys.membership('aki', room), ...member, readPosition: 0 },
    { ...keys.member(room, 'aki'), ...member },
    { ...keys.room(room), v: 1, rev: 1, name: 'r', visibility: 'PRIVATE', createdAt: joinedAt },
    { ...keys.counter(room), v: 1, messageCount: 0, changeCount: 0, removals: 0, direct: false },
  ])
    await dynamo.put(item);
}
