import type { Timestamp } from '../../core/timestamps.ts';
import type { Item } from '../../dynamo/item.ts';
import type { Key, ReactorIndex } from '../../dynamo/keys.ts';
import { FIRST_SHAPE } from '../../dynamo/shapes.ts';
import type { Write } from '../../dynamo/write.ts';
import type { Message, MessageKey } from '../../messages/message.ts';
import type { ReactionChanges } from '../reactionKind.ts';

/** A user's reaction to a message. */
export interface Reaction extends MessageKey {
  readonly user: string;
  /** When they reacted; a reaction that is removed and added again is another one. */
  readonly at: Timestamp;
  /** The message's author, so that notifications need not read the message. */
  readonly author: string;
}

/** How the reactions of one kind are stored. */
export interface ToggleStorage {
  /** The key of a user's reaction to a message. */
  readonly key: (user: string, message: MessageKey) => Key;
  /** The users who reacted to a message. */
  readonly index: ReactorIndex;
  readonly changes: ReactionChanges;
  /** The attribute in which a message counts its reactions. It is the name of the field in the API, too. */
  readonly count: string;
  /** An item that is written and deleted with the reaction: a list of what the user has reacted to. */
  readonly ownRow?: (reaction: Omit<Reaction, 'author'>) => Key & Item;
}

/** How many users reacted; 0 if the message is deleted, although the table still counts the reactions that are left. */
export const countOf = ({ count }: Pick<ToggleStorage, 'count'>, { deletedAt, extras }: Message): number =>
  deletedAt === null ? ((extras[count] as number | undefined) ?? 0) : 0;

export const reactionItem = (
  { key, index, ownRow }: ToggleStorage,
  { user, at, author, ...message }: Reaction,
) => ({
  ...key(user, message),
  v: FIRST_SHAPE,
  at,
  author,
  // An earlier release did not write the row.
  ...(ownRow === undefined ? {} : { listed: true }),
  gsi1pk: index.pk(message),
  gsi1sk: index.sk(at, user),
});

/** Deletes a reaction that was read, and its row, on the condition that it is still the same. */
export function deleteReactionWrites(
  { key, ownRow }: Pick<ToggleStorage, 'key' | 'ownRow'>,
  reaction: Omit<Reaction, 'author'>,
): Write[] {
  const { user, at } = reaction;
  const row = ownRow?.(reaction);
  return [
    {
      delete: key(user, reaction),
      condition: '#at = :at',
      names: { '#at': 'at' },
      values: { ':at': at },
    },
    ...(row === undefined ? [] : [{ delete: { pk: row.pk, sk: row.sk } }]),
  ];
}

export const reactionOf = (key: MessageKey & { readonly user: string }, item: Item): Reaction => ({
  room: key.room,
  threadTs: key.threadTs,
  ts: key.ts,
  user: key.user,
  at: item.at as Timestamp,
  author: item.author as string,
});
