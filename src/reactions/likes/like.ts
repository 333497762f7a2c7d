import type { Timestamp } from '../../core/timestamps.ts';
import type { Item } from '../../dynamo/item.ts';
import { keys, likers, parseKey } from '../../dynamo/keys.ts';
import { SCHEMA_VERSION } from '../../dynamo/table.ts';
import type { Message, MessageKey, ViewerItems } from '../../messages/message.ts';

/** A user's like of a message. */
export interface Like extends MessageKey {
  readonly user: string;
  /** When they liked it; a like that is removed and given again is another one. */
  readonly at: Timestamp;
  /** The message's author, so that notifications need not read the message. */
  readonly author: string;
}

export const likeItem = ({ user, at, author, ...message }: Like) => ({
  ...keys.like(user, message),
  v: SCHEMA_VERSION,
  at,
  author,
  gsi1pk: likers.pk(message),
  gsi1sk: likers.sk(at, user),
});

export const likeOf = (key: MessageKey & { readonly user: string }, item: Item): Like => ({
  room: key.room,
  threadTs: key.threadTs,
  ts: key.ts,
  user: key.user,
  at: item.at as Timestamp,
  author: item.author as string,
});

/** How many users like the message; 0 if it is deleted, although the table still counts the likes that are left. */
export const likeCountOf = ({ deletedAt, extras }: Message): number =>
  deletedAt === null ? ((extras.likeCount as number | undefined) ?? 0) : 0;

/** For a message of which only the viewer's like is known. */
export const knownLike = (liked: boolean): ViewerItems => ({
  has: async (key) => (parseKey(key).type === 'like' ? liked : undefined),
});
