import { idFrom } from '../../core/ids.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import type { Item } from '../../dynamo/item.ts';
import { type Key, keys, likers } from '../../dynamo/keys.ts';
import type { JobKind } from '../../jobs/jobs.ts';
import { type MessageKey, messageId, messageKeyFrom, type StoredMessageKey } from '../../messages/message.ts';
import { type Cleanup, CleanupIncomplete } from '../cleanup.ts';

/** Likes that one step deletes: together with the message they are one transaction. */
export const BATCH_SIZE = 50;
/** Pages of the index in which one step looks for likes that still exist. */
const PAGES_MAX = 40;
/** How many times the index is asked again for likes that it does not list yet, and the first wait, which doubles. */
export const INDEX_RETRIES = 5;
const RETRY_MS = 1_000;

/** How many likes of a deleted message are still in the table: its `likeCount` continues to count them. */
const likesLeft = (message: Item | undefined): number =>
  message?.deletedAt === undefined ? 0 : Number(message.likeCount ?? 0);

export interface LikesCleanupOptions {
  readonly dynamo: Dynamo;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Deletes the likes of a deleted message, at most `BATCH_SIZE` in a step. An index lists them, the table says which
 * exist, and a batch is deleted and counted down in one transaction, so what is left is known after a crash. A
 * deleted message takes no new likes, so the job ends.
 *
 * The index lags behind the table. If it lists no like while some are left, the step is repeated later: after 1, 2,
 * 4, 8 and 16 seconds. Then it throws `CleanupIncomplete`. The cursor is the number of the next retry.
 */
export function createLikesCleanup({ dynamo, now }: LikesCleanupOptions): Cleanup {
  const kind: JobKind<StoredMessageKey> = {
    name: 'clearLikes',
    async step(about, cursor) {
      const message = messageKeyFrom(about);
      const { likes, left } = await existingLikes(dynamo, message);
      if (likes.length > 0) {
        const deleted = await deleteBatch(dynamo, message, likes);
        return deleted && left <= likes.length ? null : '0';
      }
      if (left === 0) return null;
      const retry = Number(cursor ?? 0);
      if (retry === INDEX_RETRIES) {
        throw new CleanupIncomplete(`The index lists none of ${left} likes.`);
      }
      return { cursor: String(retry + 1), runAt: now() + RETRY_MS * 2 ** retry };
    },
  };
  return {
    handler: 'likesClearing',
    kind,
    id: (message) => idFrom(`clearLikes:${messageId(message)}`),
    isNeeded: (item) => likesLeft(item) > 0,
    // Each step of the cleanup changes the count as well. Its job exists then, and is not added again. It does not
    // exist if a repair has corrected the count, or if an earlier release began the cleanup.
    startsOn: ({ old, new: message }) => likesLeft(message) > 0 && likesLeft(message) !== likesLeft(old),
  };
}

/** Likes that the index lists and that are in the table, at most `BATCH_SIZE`, and how many the message counts. */
async function existingLikes(
  dynamo: Dynamo,
  message: MessageKey,
): Promise<{ readonly likes: readonly Key[]; readonly left: number }> {
  const gsi1pk = likers.pk(message);
  let start: { startKey?: Item } = {};
  for (let pages = 1; ; pages++) {
    const { items, more } = await dynamo.queryIndex(gsi1pk, { limit: BATCH_SIZE, ...start });
    // While the index lags, a like that was given twice may be listed twice.
    const listed = new Set(items.map(({ gsi1sk }) => likers.parts(gsi1sk as string).user));
    const wanted = [...listed].map((user) => keys.like(user, message));
    const [item, ...found] = await dynamo.batchGet([
      keys.message(message.room, message.threadTs, message.ts),
      ...wanted,
    ]);
    const likes = wanted.filter((_, i) => found[i] !== undefined);
    const last = items.at(-1);
    if (likes.length > 0 || !more || last === undefined || pages === PAGES_MAX) {
      return { likes, left: likesLeft(item) };
    }
    start = { startKey: last };
  }
}

/** Resolves to false if another consumer has deleted one of them: nothing is written then. */
async function deleteBatch(dynamo: Dynamo, message: MessageKey, likes: readonly Key[]): Promise<boolean> {
  const failed = await dynamo.tryTransact({
    message: {
      key: keys.message(message.room, message.threadTs, message.ts),
      update: 'SET likeCount = likeCount - :gone',
      condition: 'attribute_exists(deletedAt)',
      values: { ':gone': likes.length },
    },
    likes: likes.map((key) => ({ delete: key, condition: 'attribute_exists(pk)' })),
  });
  return failed === undefined;
}
