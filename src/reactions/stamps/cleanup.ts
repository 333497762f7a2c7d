import { idFrom } from '../../core/ids.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import type { Item } from '../../dynamo/item.ts';
import { keyOf, keys, parseKey, ranges } from '../../dynamo/keys.ts';
import type { Write } from '../../dynamo/write.ts';
import { messageId, messageKeyFrom } from '../../messages/message.ts';
import { type Cleanup, isDeletion } from '../cleanup.ts';

/** Two items per stamp. No one waits for these transactions, and larger ones collide more often. */
const BATCH_SIZE = 10;

/**
 * Deletes the stamps of a deleted message and their guards, ten in a step. A deleted message takes no new stamps, so
 * the job ends. Every step begins at the first stamp that is left, so its cursor says nothing.
 */
export const createStampsCleanup = ({ dynamo }: { readonly dynamo: Dynamo }): Cleanup => ({
  handler: 'clearing',
  kind: {
    name: 'clearStamps',
    async step(about) {
      const { room, threadTs, ts } = messageKeyFrom(about);
      const { items, more } = await dynamo.query(ranges.stamps(room, threadTs, ts), { limit: BATCH_SIZE });
      if (items.length > 0) await dynamo.transact(items.flatMap(deletionOf));
      return more ? 'more' : null;
    },
  },
  id: (message) => idFrom(`clearStamps:${messageId(message)}`),
  // The deletion removes the message's counts, so only the query can say.
  isNeeded: () => true,
  mayHave: ({ deletedAt, stampTotal = 0 }) => deletedAt !== undefined || Number(stampTotal) > 0,
  startsOn: isDeletion,
});

function deletionOf(item: Item): Write[] {
  const key = parseKey(keyOf(item));
  if (key.type !== 'stamp') return [];
  const { room, threadTs, ts, stampedAt } = key;
  return [
    { delete: keys.stampGuard(item.user as string, { room, threadTs, ts }, item.stampKey as string) },
    { delete: keys.stamp(room, threadTs, ts, stampedAt) },
  ];
}
