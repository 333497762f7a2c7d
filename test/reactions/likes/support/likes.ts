import { microsOf, toTimestamp } from '../../../../src/core/timestamps.ts';
import { bulkWrite } from '../../../../src/dynamo/bulkWrite.ts';
import type { Dynamo } from '../../../../src/dynamo/dynamo.ts';
import type { Item } from '../../../../src/dynamo/item.ts';
import { type Key, keys, parseKey } from '../../../../src/dynamo/keys.ts';
import { FIRST_SHAPE } from '../../../../src/dynamo/shapes.ts';
import type { MessageKey } from '../../../../src/messages/message.ts';
import { likesKind } from '../../../../src/reactions/likes/kind.ts';
import { type Reaction, reactionItem, reactionOf } from '../../../../src/reactions/toggles/reaction.ts';
import type { Person } from '../../../support/clients/people.ts';
import { onDynamoDbLocal } from '../../../support/database/dynamo.ts';
import { LikeMessage, LikesOf, UnlikeMessage } from './operations.ts';

export const like = async (who: Person, messageId: string) =>
  (await who.do(LikeMessage, { messageId })).likeMessage.message;

export const unlike = async (who: Person, messageId: string) =>
  (await who.do(UnlikeMessage, { messageId })).unlikeMessage.message;

export interface LikersPage {
  readonly first?: number;
  readonly after?: string | null;
}

/** A message's likes and a page of its likers, as this user sees them. */
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

/** Reads the table without the index: the message's own count, and its likes. */
export async function inTable(dynamo: Dynamo, message: MessageKey) {
  const item = await dynamo.get(keys.message(message.room, message.threadTs, message.ts));
  const likes: Reaction[] = [];
  const ofRoom = { condition: 'contains(pk, :pk)', values: { ':pk': `#LIKES#${message.room}` } };
  for await (const one of dynamo.scan(ofRoom)) {
    const key = parseKey(one as Item & Key);
    if (key.type === 'like' && key.threadTs === message.threadTs && key.ts === message.ts)
      likes.push(reactionOf(key, one));
  }
  return { count: Number(item?.likeCount ?? 0), users: likes.map(({ user }) => user).sort(), likes };
}

/** How many of the newest likes are by users with a profile. */
const WITH_PROFILE = 20;

/** Writes likes of a message by `count` users, one after the other. `from`: the number of likes that it has. */
export async function likedByMany(dynamo: Dynamo, message: MessageKey, count: number, from = 0) {
  const numbers = Array.from({ length: count }, (_, i) => from + i);
  const at = (n: number) => toTimestamp(microsOf(message.ts) + 1 + n);
  const likes = numbers.map((n) =>
    reactionItem(likesKind, { ...message, user: `many${n}`, at: at(n), author: 'aki' }),
  );
  const profiles = numbers.slice(-WITH_PROFILE).map((n) => ({
    ...keys.user(`many${n}`),
    v: FIRST_SHAPE,
    displayName: `Number ${n}`,
    createdAt: at(n),
  }));
  const by = onDynamoDbLocal ? 'batches' : 'transactions';
  await bulkWrite({ dynamo, items: [...likes, ...profiles], by });
  await dynamo.update(keys.message(message.room, message.threadTs, message.ts), {
    update: 'SET likeCount = if_not_exists(likeCount, :none) + :count',
    values: { ':count': count, ':none': 0 },
  });
}
