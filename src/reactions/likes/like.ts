import type { Timestamp } from '../../core/timestamps.ts';
import type { Item } from '../../dynamo/item.ts';
import { keys, likers } from '../../dynamo/keys.ts';
import { SCHEMA_VERSION } from '../../dynamo/table.ts';
import type { MessageKey } from '../../messages/message.ts';

/** That somebody likes a message. */
export interface Like extends MessageKey {
  readonly user: string;
  /** When they did; a like that was taken back and given again is another one. */
  readonly at: Timestamp;
  /** The message's author: whoever hears of a like need not read the message to know whose it is. */
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
  t: key.t,
  c: key.c,
  user: key.user,
  at: item.at as Timestamp,
  author: item.author as string,
});
