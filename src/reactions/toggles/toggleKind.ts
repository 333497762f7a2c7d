import { defined } from '../../core/defined.ts';
import type { Timestamp } from '../../core/timestamps.ts';
import type { Item } from '../../dynamo/item.ts';
import { keys } from '../../dynamo/keys.ts';
import type { ReactionChanges, ReactionKey, ReactionKind, ReactionNotification } from '../reactionKind.ts';
import { createToggleCleanup } from './cleanup.ts';
import { countOf, type ToggleStorage } from './reaction.ts';

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
