import type { Dynamo } from '../dynamo/dynamo.ts';
import { keys, parseKey, ranges } from '../dynamo/keys.ts';
import type { Change, StreamHandler } from '../stream/change.ts';

/** Two items a stamp; far below the 100 of a transaction. */
const AT_ONCE = 25;

/**
 * Clears away what a deleted message leaves: its stamps and their guards. A deleted message takes no new
 * ones, so this ends; cut short and begun again it goes on with what is left.
 */
export function createClearingHandler({ dynamo }: { readonly dynamo: Dynamo }): StreamHandler {
  async function clear({ key, old, new: message }: Change): Promise<void> {
    if (key.type !== 'root' && key.type !== 'reply') return;
    if (message?.deletedAt === undefined || old?.deletedAt !== undefined) return;
    const range = ranges.stamps(key.room, key.t, key.c);
    for (;;) {
      const { items, more } = await dynamo.query(range, { limit: AT_ONCE });
      if (items.length > 0) await dynamo.transact(items.flatMap((item) => removals(item)));
      if (!more) return;
    }
  }

  function removals(item: Record<string, unknown>) {
    const key = parseKey(item as { pk: string; sk: string });
    if (key.type !== 'stamp') return [];
    const { room, t, c, s } = key;
    return [
      { delete: keys.stampGuard(item.user as string, { room, t, c }, item.stampKey as string) },
      { delete: keys.stamp(room, t, c, s) },
    ];
  }

  return {
    name: 'clearing',
    itemTypes: ['root', 'reply'],
    async handle(changes) {
      for (const change of changes) await clear(change);
    },
  };
}
