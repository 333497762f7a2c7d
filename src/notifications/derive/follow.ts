import type { Timestamp } from '../../core/timestamps.ts';
import type { Item } from '../../dynamo/item.ts';
import { keys } from '../../dynamo/keys.ts';
import { SCHEMA_VERSION } from '../../dynamo/table.ts';

/**
 * Whether somebody is told of a thread's replies: the item of one person and thread. Its root's author is for
 * as long as there is none. For others one is made by their first reply, by a mention in a reply, or by
 * themselves; the latest of these counts.
 */
export interface Follow {
  readonly following: boolean;
  /** When what it follows from was done: what was done before, and is heard of later, does not change it. */
  readonly at: Timestamp;
  /** Since when, without a break; null while not following. Of replies only those after it are told. */
  readonly since: Timestamp | null;
}

export const followOf = (item: Item): Follow => ({
  following: item.following as boolean,
  at: item.at as Timestamp,
  since: (item.since as Timestamp | undefined) ?? null,
});

export interface Following {
  readonly room: string;
  readonly t: Timestamp;
  readonly user: string;
  readonly following: boolean;
  readonly at: Timestamp;
  /** Of somebody who followed without an item: the root's own stamp. */
  readonly since?: Timestamp;
}

/** An update, to be given a condition. Who follows already does so since when they did. */
export const followUpdate = ({ room, t, user, following, at, since = at }: Following) => ({
  key: keys.follow(room, t, user),
  update: following
    ? 'SET following = :following, #at = :at, v = :v, since = if_not_exists(since, :since)'
    : 'SET following = :following, #at = :at, v = :v REMOVE since',
  names: { '#at': 'at' },
  values: {
    ':following': following,
    ':at': at,
    ':v': SCHEMA_VERSION,
    ...(following ? { ':since': since } : {}),
  },
});
