import { defined } from '../../core/defined.ts';
import { createKeyedMutex } from '../../core/keyedMutex.ts';
import { microsOf, type Timestamp, type Timestamps } from '../../core/timestamps.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import type { Item } from '../../dynamo/item.ts';
import { keys } from '../../dynamo/keys.ts';
import { AGAIN } from '../../dynamo/optimistic.ts';
import { FIRST_SHAPE } from '../../dynamo/shapes.ts';
import { loadMessageAsMember } from '../../messages/change.ts';
import type { Message, MessageKey } from '../../messages/message.ts';

/**
 * Whether a user is notified of a thread's replies. The author of the root follows the thread as long as they have no
 * such item. Other users get one by their first reply, by a mention in a reply, or by their own choice. The latest of
 * these counts.
 */
export interface Follow {
  readonly following: boolean;
  /** When what decided it happened. Anything older that is processed later does not change it. */
  readonly at: Timestamp;
  /** When the user began to follow, without a break; null if they do not follow. Only later replies notify them. */
  readonly since: Timestamp | null;
}

export const followOf = (item: Item): Follow => ({
  following: item.following as boolean,
  at: item.at as Timestamp,
  since: (item.since as Timestamp | undefined) ?? null,
});

export interface FollowChange {
  readonly room: string;
  readonly threadTs: Timestamp;
  readonly user: string;
  readonly following: boolean;
  readonly at: Timestamp;
  /** The root's own timestamp, for its author, who followed without an item. `at` if it is absent. */
  readonly since?: Timestamp;
}

/** An update without a condition; the caller adds one. A user who already follows keeps their `since`. */
export const followUpdate = ({ room, threadTs, user, following, at, since = at }: FollowChange) => ({
  key: keys.follow(room, threadTs, user),
  update: following
    ? 'SET following = :following, #at = :at, v = :v, since = if_not_exists(since, :since)'
    : 'SET following = :following, #at = :at, v = :v REMOVE since',
  names: { '#at': 'at' },
  values: {
    ':following': following,
    ':at': at,
    ':v': FIRST_SHAPE,
    ...defined({ ':since': following ? since : undefined }),
  },
});

/** Whether a user follows a thread, by its root and the user's follow item. */
export const isFollowing = (user: string, { author }: Message, item: Item | undefined): boolean =>
  item === undefined ? author === user : followOf(item).following;

export interface FollowingOptions {
  readonly dynamo: Dynamo;
  readonly timestamps: Timestamps;
}

type Thread = Pick<MessageKey, 'room' | 'threadTs'>;

export type FollowingService = ReturnType<typeof createFollowing>;

/** Lets users choose whether they follow a thread. `followers.ts` has the other ways to follow one. */
export function createFollowing({ dynamo, timestamps }: FollowingOptions) {
  /** A process writes the choices of one user about one thread one after another. */
  const choices = createKeyedMutex();

  /**
   * Follows or unfollows a message's thread and resolves to its root. Idempotent. Two round trips. Throws NOT_FOUND
   * and FORBIDDEN.
   */
  const follow = (user: string, { room, threadTs }: MessageKey, following: boolean): Promise<Message> =>
    choices.run(`${user} ${room} ${threadTs}`, () => writeChoice(user, { room, threadTs }, following));

  const writeChoice = (user: string, { room, threadTs }: Thread, following: boolean): Promise<Message> =>
    dynamo.optimistic(async () => {
      const [{ message }, item] = await Promise.all([
        loadMessageAsMember(dynamo, user, { room, threadTs, ts: threadTs }),
        dynamo.get(keys.follow(room, threadTs, user)),
      ]);
      const last = item === undefined ? null : followOf(item);
      // Later than the last choice, even if the servers' clocks differ.
      const at = timestamps.next(last === null ? 0 : microsOf(last.at) + 1);
      const followedWithoutItem = last === null && message.author === user;
      const update = followUpdate({
        room,
        threadTs,
        user,
        following,
        at,
        since: followedWithoutItem ? threadTs : at,
      });
      const failed = await dynamo.tryTransact({
        membership: { check: keys.membership(user, room), condition: 'attribute_exists(pk)' },
        follow: {
          ...update,
          condition: last === null ? 'attribute_not_exists(pk)' : '#at = :last',
          values: { ...update.values, ...defined({ ':last': last?.at }) },
        },
      });
      return failed === undefined ? message : AGAIN;
    });

  return { follow };
}
