import type { Timestamps } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Item } from '../dynamo/item.ts';
import { type Key, keyOf, keys, type ParsedKey } from '../dynamo/keys.ts';
import { AGAIN } from '../dynamo/optimistic.ts';
import { FIRST_SHAPE } from '../dynamo/shapes.ts';
import type { Expression, Write } from '../dynamo/write.ts';
import { versionRaisedBy } from '../messages/lastChange.ts';
import { itemRemoved, sameBodyPlace } from '../messages/longBodies/body.ts';
import { type MessageKey, messageOf, removedOnDeletion } from '../messages/message.ts';
import { REACTIONS } from '../reactions/registry.ts';
import { oneStampLess } from '../reactions/stamps/kind.ts';
import type { createSaving } from '../saved/saving.ts';
import { kindOf } from './itemsOfUser.ts';

export type AboutAccount = { readonly user: string; readonly eraseMessages: boolean };

export interface ForgettingOptions {
  readonly dynamo: Dynamo;
  readonly timestamps: Timestamps;
  readonly saving: Pick<ReturnType<typeof createSaving>, 'erase'>;
}

export interface ItemToForget {
  readonly key: ParsedKey;
  readonly item: Item;
  readonly isImporting: boolean;
}

/** Removes what a user has left outside their own partition, item by item. */
export function createForgetting({ dynamo, timestamps, saving }: ForgettingOptions) {
  /**
   * Removes one item if it is the user's (see `kindOf`), with what belongs to it: the count of a reaction, the lists of
   * a saved message. Of a message, only the text, and only if the user wants it. Idempotent. Throws `ContentionError`
   * if others keep writing the same message. `isImporting`: an import may put the message or the reaction once more,
   * and the reaction would be counted down twice, or not at all. So reactions stay for the next reading of the table.
   */
  async function forget(
    { user, eraseMessages }: AboutAccount,
    { key, item, isImporting }: ItemToForget,
  ): Promise<void> {
    const kind = kindOf(user, key, item);
    if (isImporting && (kind === 'like' || kind === 'stamp')) return;
    if (kind === 'text' && eraseMessages && (key.type === 'root' || key.type === 'reply'))
      await erase(key, user);
    else if (key.type === 'like' && kind === 'like') await removeReaction(key, likeOf(key));
    else if (key.type === 'stamp' && kind === 'stamp') await removeReaction(key, stampOf(key, item));
    else if (key.type === 'saved' && kind === 'saved') await saving.erase(key);
    else if (kind === 'follow' || kind === 'record') await dynamo.remove(keyOf(item));
  }

  /** As its author would delete it, except that the room is not asked whether they are in it. */
  const erase = ({ room, threadTs, ts }: MessageKey, user: string): Promise<void> =>
    dynamo.optimistic(async () => {
      const key = keys.message(room, threadTs, ts);
      const item = await dynamo.get(key);
      const message = item === undefined ? undefined : messageOf({ room, threadTs, ts }, item);
      if (message === undefined || message.author !== user || message.deletedAt !== null) return;
      const change = versionRaisedBy({ kind: 'DELETED', actor: user });
      const failed = await dynamo.tryTransact({
        erased: {
          key,
          update: `SET deletedAt = :at, v = :shape, ${change.set} REMOVE ${REMOVED.join(', ')}`,
          condition: `attribute_not_exists(deletedAt) AND ${sameBodyPlace(message)}`,
          values: { ...change.values, ':at': timestamps.next(), ':shape': FIRST_SHAPE },
        },
        body: itemRemoved(message),
      });
      return failed === undefined ? undefined : AGAIN;
    });

  /**
   * Removes a reaction of the user, and counts it down. If the message does not count it (its numbers are wrong, and
   * only `verify` can correct them), the numbers stay as they are. An import that was killed may have left reactions
   * without their message. Those to a message that is deleted are left to the job that clears it.
   */
  const removeReaction = ({ room, threadTs, ts }: MessageKey, reaction: CountedReaction): Promise<void> =>
    dynamo.optimistic(async () => {
      const key = keys.message(room, threadTs, ts);
      const message = await dynamo.get(key);
      if (message?.deletedAt !== undefined) return undefined;
      const failed = await dynamo.tryTransact({
        reaction: reaction.deletion,
        message:
          message !== undefined && reaction.countedBy(message) > 0
            ? { key, ...reaction.countDown(message) }
            : unchanged(key, message),
      });
      // If its own condition fails, the user or another process has removed it.
      return failed === undefined || failed.reaction !== undefined ? undefined : AGAIN;
    });

  return { forget };
}

const REMOVED = removedOnDeletion(REACTIONS);

/** How a reaction is removed. `message`: the item of the message that it belongs to. */
interface CountedReaction {
  /** On the condition that the reaction exists. */
  readonly deletion: readonly Write[];
  /** How many reactions of this kind (and with the same stamp) the message counts. */
  countedBy(message: Item): number;
  /** For a message that counts at least one. */
  countDown(message: Item): Expression & { readonly update: string };
}

function likeOf(key: Extract<ParsedKey, { type: 'like' }>): CountedReaction {
  const raised = versionRaisedBy({ kind: 'UNLIKED', actor: key.user });
  return {
    deletion: [{ delete: keys.like(key.user, key), condition: 'attribute_exists(pk)' }],
    countedBy: ({ likeCount = 0 }) => Number(likeCount),
    countDown: () => ({
      update: `SET likeCount = likeCount - :one, ${raised.set}`,
      condition: 'attribute_not_exists(deletedAt) AND likeCount >= :one',
      values: raised.values,
    }),
  };
}

function stampOf(key: Extract<ParsedKey, { type: 'stamp' }>, item: Item): CountedReaction {
  const [user, stamp] = [item.user as string, item.stampKey as string];
  const countedBy = ({ stamps = {} }: Item) => (stamps as Readonly<Record<string, number>>)[stamp] ?? 0;
  return {
    deletion: [
      {
        delete: keys.stamp(key.room, key.threadTs, key.ts, key.stampedAt),
        condition: 'attribute_exists(pk)',
      },
      { delete: keys.stampGuard(user, key, stamp) },
    ],
    countedBy,
    countDown: (message) => oneStampLess({ user, stampKey: stamp }, countedBy(message)),
  };
}

/** Fails if the message has changed since it was read. */
const unchanged = (key: Key, message: Item | undefined): Write => ({
  check: key,
  ...(message === undefined
    ? { condition: 'attribute_not_exists(pk)' }
    : { condition: 'rev = :rev', values: { ':rev': message.rev } }),
});
