import { DAY_S, microsOf, secondsOf, type Timestamp, toTimestamp } from '../../core/timestamps.ts';
import type { Item } from '../../dynamo/item.ts';
import { keys, threadList } from '../../dynamo/keys.ts';
import { FIRST_SHAPE } from '../../dynamo/shapes.ts';
import { followOf } from '../derive/following.ts';

/** A thread, and a user who may follow it. */
export interface FollowedThread {
  readonly user: string;
  readonly room: string;
  readonly threadTs: Timestamp;
}

/** A thread leaves the lists of its followers if it has had no reply for this many days. */
export const LISTED_DAYS = 90;

/** Threads whose newest reply is not later than this are in no list. `now` is in milliseconds since 1970. */
export const listedSince = (now: number): Timestamp =>
  toTimestamp((secondsOf(now) - LISTED_DAYS * DAY_S) * 1_000_000);

/** What decides whether a thread is in a user's list, as the table has it. */
export interface ThreadState {
  readonly user: string;
  readonly root: Item | undefined;
  readonly follow: Item | undefined;
  readonly membership: Item | undefined;
}

/**
 * The newest reply of a thread that is in the user's list; null if it is not. It is in the list if the user is in the
 * room and follows the thread, the thread is open, and since the user has entered the room there was a reply, or they
 * have followed the thread. So after a break in the room, threads return with their next reply.
 */
export function newestListedReply({ user, root, follow, membership }: ThreadState): Timestamp | null {
  if (root === undefined || root.deletedAt !== undefined || membership === undefined) return null;
  const newest = root.lastReplyAt as Timestamp | undefined;
  if (newest === undefined) return null;
  const chosen = follow === undefined ? null : followOf(follow);
  if (!(chosen?.following ?? root.author === user)) return null;
  const since = membership.joinedAt as Timestamp;
  return newest > since || (chosen !== null && chosen.at > since) ? newest : null;
}

/** An update that only moves an entry to a newer reply. */
export const entryUpdate = ({ user, room, threadTs }: FollowedThread, newestReply: Timestamp) => ({
  key: keys.followedThread(user, room, threadTs),
  update: 'SET newestReply = :newest, v = :v, expiresAt = :expiresAt, gsi1pk = :gsi1pk, gsi1sk = :gsi1sk',
  condition: 'attribute_not_exists(pk) OR newestReply < :newest',
  values: {
    ':newest': newestReply,
    ':v': FIRST_SHAPE,
    ':expiresAt': Math.floor(microsOf(newestReply) / 1_000_000) + LISTED_DAYS * DAY_S,
    ':gsi1pk': threadList.pk(user),
    ':gsi1sk': threadList.sk(newestReply, room, threadTs),
  },
});
