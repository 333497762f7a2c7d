import { idFrom } from '../../core/ids.ts';
import type { Timestamp } from '../../core/timestamps.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import type { Item } from '../../dynamo/item.ts';
import { keys } from '../../dynamo/keys.ts';
import type { JobKind } from '../../jobs/jobs.ts';
import { type MessageKey, messageId, messageKeyFrom, type StoredMessageKey } from '../../messages/message.ts';
import { type Cleanup, CleanupIncomplete } from '../cleanup.ts';
import { deleteReactionWrites, type ToggleStorage } from './reaction.ts';

/** Reactions that one step deletes: with their rows and the message they are one transaction. */
export const BATCH_SIZE = 49;
/** Pages of the index in which one step looks for reactions that still exist. */
const PAGES_MAX = 40;
/**
 * How many times the index is asked again for reactions that it does not list yet, and the first wait, which doubles.
 */
export const INDEX_RETRIES = 5;
const RETRY_MS = 1_000;

export interface ToggleCleanupOptions extends Pick<ToggleStorage, 'key' | 'index' | 'count' | 'ownRow'> {
  readonly dynamo: Dynamo;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The job's name. */
  readonly job: string;
  readonly handler: string;
}

interface OwnReaction {
  readonly user: string;
  readonly at: Timestamp;
}

/**
 * Deletes the reactions to a deleted message, at most `BATCH_SIZE` in a step. An index lists them, the table says which
 * exist, and a batch is deleted and counted down in one transaction, so what is left is known after a crash. A
 * deleted message takes no new reactions, so the job ends.
 *
 * The index lags behind the table. If it lists no reaction while some are left, the step is repeated later: after 1, 2,
 * 4, 8 and 16 seconds. Then it throws `CleanupIncomplete`. The cursor is the number of the next retry.
 */
export function createToggleCleanup(options: ToggleCleanupOptions): Cleanup {
  const { dynamo, now, key, index, count, job, handler } = options;

  /** How many reactions to a deleted message are still in the table: its count continues to count them. */
  const reactionsLeft = (message: Item | undefined): number =>
    message?.deletedAt === undefined ? 0 : Number(message[count] ?? 0);

  /**
   * Reactions that the index lists and that are in the table, at most `BATCH_SIZE`, and how many the message counts.
   */
  async function existingReactions(
    message: MessageKey,
  ): Promise<{ readonly reactions: readonly OwnReaction[]; readonly left: number }> {
    const gsi1pk = index.pk(message);
    let start: { startKey?: Item } = {};
    for (let pages = 1; ; pages++) {
      const { items, more } = await dynamo.queryIndex(gsi1pk, { limit: BATCH_SIZE, ...start });
      // While the index lags, a reaction that was added twice may be listed twice.
      const listed = new Set(items.map(({ gsi1sk }) => index.parts(gsi1sk as string).user));
      const users = [...listed];
      const [item, ...found] = await dynamo.batchGet([
        keys.message(message.room, message.threadTs, message.ts),
        ...users.map((user) => key(user, message)),
      ]);
      const reactions = users.flatMap((user, i): OwnReaction[] => {
        const reaction = found[i];
        return reaction === undefined ? [] : [{ user, at: reaction.at as Timestamp }];
      });
      const last = items.at(-1);
      if (reactions.length > 0 || !more || last === undefined || pages === PAGES_MAX) {
        return { reactions, left: reactionsLeft(item) };
      }
      start = { startKey: last };
    }
  }

  /** Resolves to false if another consumer has deleted one of them: nothing is written then. */
  async function deleteBatch(message: MessageKey, reactions: readonly OwnReaction[]): Promise<boolean> {
    const failed = await dynamo.tryTransact({
      message: {
        key: keys.message(message.room, message.threadTs, message.ts),
        update: 'SET #count = #count - :gone',
        condition: 'attribute_exists(deletedAt)',
        names: { '#count': count },
        values: { ':gone': reactions.length },
      },
      reactions: reactions.flatMap((one) => deleteReactionWrites(options, { ...message, ...one })),
    });
    return failed === undefined;
  }

  const kind: JobKind<StoredMessageKey> = {
    name: job,
    async step(about, cursor) {
      const message = messageKeyFrom(about);
      const { reactions, left } = await existingReactions(message);
      if (reactions.length > 0) {
        const deleted = await deleteBatch(message, reactions);
        return deleted && left <= reactions.length ? null : '0';
      }
      if (left === 0) return null;
      const retry = Number(cursor ?? 0);
      if (retry === INDEX_RETRIES) {
        throw new CleanupIncomplete(`The index lists none of the ${left} reactions in ${count}.`);
      }
      return { cursor: String(retry + 1), runAt: now() + RETRY_MS * 2 ** retry };
    },
  };

  return {
    handler,
    kind,
    id: (message) => idFrom(`${job}:${messageId(message)}`),
    isNeeded: (item) => reactionsLeft(item) > 0,
    mayHave: (item) => Number(item[count] ?? 0) > 0,
    // Each step of the cleanup changes the count as well. Its job exists then, and is not added again. It does not
    // exist if a repair has corrected the count, or if an earlier release began the cleanup.
    startsOn: ({ old, new: message }) =>
      reactionsLeft(message) > 0 && reactionsLeft(message) !== reactionsLeft(old),
  };
}
