import { mapAtMost } from '../../core/mapAtMost.ts';
import type { Timestamp } from '../../core/timestamps.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import { ifConditionHolds } from '../../dynamo/errors.ts';
import type { Item } from '../../dynamo/item.ts';
import { type Key, keys } from '../../dynamo/keys.ts';
import { AGAIN } from '../../dynamo/optimistic.ts';
import type { MessageKey } from '../../messages/message.ts';
import { entryUpdate, type FollowedThread, listedSince, newestListedReply } from './followedThread.ts';

const ENTRIES_AT_ONCE = 16;

export interface ThreadEntriesOptions {
  readonly dynamo: Dynamo;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export type ThreadEntries = ReturnType<typeof createThreadEntries>;

/**
 * Writes the entries of the lists of followed threads. An entry that should not be there is never shown, because
 * `list.ts` asks the table for what decides; one that is missing would be.
 */
export function createThreadEntries({ dynamo, now }: ThreadEntriesOptions) {
  /**
   * Moves the thread of a new reply in the lists of these followers, as far as they are in the room. Idempotent: an
   * entry only moves to a newer reply. One batch before the writes, a write for each follower, and one batch after
   * them: a user who has left or unfollowed meanwhile is either seen there, or what they did is handled after the
   * write.
   */
  async function move({ room, threadTs, ts }: MessageKey, followers: readonly string[]): Promise<void> {
    if (followers.length === 0 || ts <= listedSince(now())) return;
    const rootKey = keys.root(room, threadTs);
    const [root, ...memberships] = await dynamo.batchGet([
      rootKey,
      ...followers.map((user) => keys.membership(user, room)),
    ]);
    if (root === undefined || root.deletedAt !== undefined) return;
    const present = followers.filter((_, i) => {
      const joinedAt = memberships[i]?.joinedAt as Timestamp | undefined;
      return joinedAt !== undefined && joinedAt < ts;
    });
    await mapAtMost(ENTRIES_AT_ONCE, present, async (user) => {
      const { key, ...update } = entryUpdate({ user, room, threadTs }, ts);
      await ifConditionHolds(dynamo.update(key, update));
    });
    if (present.length === 0) return;
    const [rootNow, ...found] = await dynamo.batchGet([
      rootKey,
      ...present.flatMap((user) => [keys.membership(user, room), keys.follow(room, threadTs, user)]),
    ]);
    const gone = present.filter((user, i) => {
      const [membership, follow] = [found[2 * i], found[2 * i + 1]];
      return newestListedReply({ user, root: rootNow, membership, follow }) === null;
    });
    await settleAll(gone.map((user) => ({ user, room, threadTs })));
  }

  /**
   * Makes an entry as the table says that it should be. Resolves to whether it changed. One batch, and a transaction if
   * it differs, which requires that what decides has not changed since.
   */
  const settle = ({ user, room, threadTs }: FollowedThread): Promise<boolean> =>
    dynamo.optimistic(async () => {
      const [key, rootKey] = [keys.followedThread(user, room, threadTs), keys.root(room, threadTs)];
      const [followKey, membershipKey] = [keys.follow(room, threadTs, user), keys.membership(user, room)];
      const [entry, root, follow, membership] = await dynamo.batchGet([
        ...[key, rootKey, followKey, membershipKey],
      ]);
      const newest = newestListedReply({ user, root, follow, membership });
      const listed = newest === null || newest <= listedSince(now()) ? null : newest;
      const stored = entry?.newestReply as Timestamp | undefined;
      if (listed === null ? stored === undefined : stored !== undefined && stored >= listed) return false;
      const failed = await dynamo.tryTransact({
        entry:
          listed === null
            ? { delete: key, condition: 'newestReply = :stored', values: { ':stored': stored } }
            : entryUpdate({ user, room, threadTs }, listed),
        follow: unchanged(followKey, follow, 'at'),
        membership: unchanged(membershipKey, membership, 'joinedAt'),
        // A deleted root does not come back.
        root:
          listed === null
            ? undefined
            : { check: rootKey, condition: 'attribute_exists(pk) AND attribute_not_exists(deletedAt)' },
      });
      return failed === undefined ? true : AGAIN;
    });

  /** Resolves to how many entries changed. */
  async function settleAll(threads: readonly FollowedThread[]): Promise<number> {
    const changed = await mapAtMost(ENTRIES_AT_ONCE, threads, settle);
    return changed.filter((one) => one).length;
  }

  return { move, settleAll };
}

/** Whether an item is still there, or still is not. `attribute` changes with everything that decides. */
function unchanged(key: Key, item: Item | undefined, attribute: string) {
  if (item === undefined) return { check: key, condition: 'attribute_not_exists(pk)' };
  const [names, values] = [{ '#changing': attribute }, { ':before': item[attribute] }];
  return { check: key, condition: '#changing = :before', names, values };
}
