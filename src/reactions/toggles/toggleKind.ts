import { defined } from '../../core/defined.ts';
import type { Timestamp } from '../../core/timestamps.ts';
import type { Item } from '../../dynamo/item.ts';
import { type Key, keys, type ReactorIndex } from '../../dynamo/keys.ts';
import { SCHEMA_VERSION } from '../../dynamo/table.ts';
import type { Write } from '../../dynamo/write.ts';
import type { Message, MessageKey } from '../../messages/message.ts';
import type { ReactionChanges, ReactionKey, ReactionKind, ReactionNotification } from '../reactionKind.ts';
import { createToggleCleanup } from './cleanup.ts';

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

/** A kind of reaction of which each user has at most one on a message, such as a like. */
export interface ToggleKind extends ReactionKind, ToggleStorage {}

export interface ToggleKindOptions<Notification, Changes extends ReactionChanges> extends ToggleStorage {
  readonly changes: Changes;
  readonly itemType: ReactionKey['type'];
  /** The counter's name in what `verify` prints. */
  readonly name: string;
  /** The names of the job that deletes the reactions to a deleted message, and of the handler that starts it. */
  readonly cleanup: { readonly job: string; readonly handler: string };
  readonly notification: Notification;
}

export function toggleKind<
  const N extends Omit<ReactionNotification, 'reactedAt' | 'authorOf'>,
  const C extends ReactionChanges,
>({
  itemType,
  name,
  key: reactionKey,
  index,
  count,
  cleanup,
  notification,
  changes,
  ownRow,
}: ToggleKindOptions<N, C>) {
  const storage = { key: reactionKey, index, count, changes, ...defined({ ownRow }) };
  return {
    itemType,
    maxPerUser: 1,
    ...storage,
    initial: {},
    // The count stays on a deleted message until its reactions are removed: it counts those that are left.
    removedOnDelete: [],
    notification: {
      ...notification,
      reactedAt: ({ at }: Item) => at as Timestamp,
      authorOf: ({ author }: Item) => author as string,
    },
    /** P3: a message counts its reactions. A deleted message counts those that are not deleted yet. */
    counter: {
      name,
      stored(key, { [count]: stored = 0, rev }) {
        if (key.type !== 'root' && key.type !== 'reply') return undefined;
        // The cleanup does not change the version (`rev`), so the count is part of it.
        return { counts: { [count]: stored as number }, version: `${rev} ${stored}` };
      },
      contributions: (key) =>
        key.type === itemType ? [{ in: keys.message(key.room, key.threadTs, key.ts), name: count }] : [],
      /** On a deleted message, this write also makes the cleanup continue. */
      fix({ rev, [count]: stored }, { [count]: counted }) {
        const hasNoCount = stored === undefined;
        return {
          update: 'SET #count = :counted, rev = rev + :one',
          condition: `rev = :rev AND ${hasNoCount ? 'attribute_not_exists(#count)' : '#count = :before'}`,
          names: { '#count': count },
          values: {
            ':counted': counted,
            ':rev': rev,
            ':one': 1,
            ...(hasNoCount ? {} : { ':before': stored }),
          },
        };
      },
    },
    createCleanup: (options) => createToggleCleanup({ ...options, ...storage, ...cleanup }),
    exported: (message) => ({ [count]: countOf(storage, message) }),
  } as const satisfies ToggleKind;
}

/** How many users reacted; 0 if the message is deleted, although the table still counts the reactions that are left. */
export const countOf = ({ count }: Pick<ToggleStorage, 'count'>, { deletedAt, extras }: Message): number =>
  deletedAt === null ? ((extras[count] as number | undefined) ?? 0) : 0;

export const reactionItem = (
  { key, index, ownRow }: ToggleStorage,
  { user, at, author, ...message }: Reaction,
) => ({
  ...key(user, message),
  v: SCHEMA_VERSION,
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
