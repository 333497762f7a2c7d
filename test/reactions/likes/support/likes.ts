import { microsOf, toTimestamp } from '../../../../src/core/timestamps.ts';
import { bulkWrite } from '../../../../src/dynamo/bulkWrite.ts';
import type { Dynamo } from '../../../../src/dynamo/dynamo.ts';
import type { Item } from '../../../../src/dynamo/item.ts';
import { type Key, keys, parseKey } from '../../../../src/dynamo/keys.ts';
import { SCHEMA_VERSION } from '../../../../src/dynamo/table.ts';
import type { MessageKey } from '../../../../src/messages/message.ts';
import { type Like, likeItem, likeOf } from '../../../../src/reactions/likes/like.ts';
import type { TestApp } from '../../../support/app.ts';
import { onDynamoDbLocal } from '../../../support/dynamo.ts';
import { type Person, people, rawId, roomOf, say } from '../../../support/people.ts';
import { LikeMessage, LikesOf, UnlikeMessage } from './operations.ts';

/** A public room of two, in which Aki has said something. */
export async function likingRoom(app: TestApp) {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, [ben]);
  return { aki, ben, roomId, message: (await say(aki, roomId, 'Tea?')).id };
}

export const like = async (who: Person, messageId: string) =>
  (await who.do(LikeMessage, { messageId })).likeMessage.message;

export const unlike = async (who: Person, messageId: string) =>
  (await who.do(UnlikeMessage, { messageId })).unlikeMessage.message;

export interface LikersPage {
  readonly first?: number;
  readonly after?: string | null;
}

/** A message's likes and a page of its likers, as somebody sees them. */
export async function likesOf(who: Person, id: string, page: LikersPage = {}) {
  const { node } = await who.do(LikesOf, { id, ...page });
  if (node === null || !('likers' in node)) throw new Error('There is no such message.');
  return node as Extract<typeof node, { likeCount: number }>;
}

export const handlesOf = ({
  likers,
}: {
  likers: { edges: ReadonlyArray<{ node: { handle: string | null } }> };
}) => likers.edges.map(({ node }) => node.handle);

/** As the table names a message. */
export function messageKey(globalId: string): MessageKey {
  const [room = '', t = '', c = ''] = rawId(globalId).split(':');
  return { room, t, c };
}

/** What is in the table: the message's own count, and who likes it, whatever the index says. */
export async function inTable(dynamo: Dynamo, message: MessageKey) {
  const item = await dynamo.get(keys.message(message.room, message.t, message.c));
  const likes: Like[] = [];
  const ofRoom = { condition: 'contains(pk, :pk)', values: { ':pk': `#LIKES#${message.room}` } };
  for await (const one of dynamo.scan(ofRoom)) {
    const key = parseKey(one as Item & Key);
    if (key.type === 'like' && key.t === message.t && key.c === message.c) likes.push(likeOf(key, one));
  }
  return { said: Number(item?.likeCount ?? 0), users: likes.map(({ user }) => user).sort(), likes };
}

/** Of many likes at once only the newest are by people who can be shown. */
const SHOWN = 20;

/** As if so many people had liked a message, one after the other behind the first `from`. */
export async function likedByMany(dynamo: Dynamo, message: MessageKey, count: number, from = 0) {
  const numbers = Array.from({ length: count }, (_, i) => from + i);
  const at = (n: number) => toTimestamp(microsOf(message.c) + 1 + n);
  const likes = numbers.map((n) => likeItem({ ...message, user: `many${n}`, at: at(n), author: 'aki' }));
  const profiles = numbers.slice(-SHOWN).map((n) => ({
    ...keys.user(`many${n}`),
    v: SCHEMA_VERSION,
    displayName: `Number ${n}`,
    createdAt: at(n),
  }));
  const by = onDynamoDbLocal ? 'batches' : 'transactions';
  await bulkWrite({ dynamo, items: [...likes, ...profiles], by });
  await dynamo.update(keys.message(message.room, message.t, message.c), {
    update: 'SET likeCount = if_not_exists(likeCount, :none) + :count',
    values: { ':count': count, ':none': 0 },
  });
}
