import type { Dynamo } from '../../dynamo/dynamo.ts';
import type { Item } from '../../dynamo/item.ts';
import { keys, parseKey, ranges } from '../../dynamo/keys.ts';
import type { Write } from '../../dynamo/write.ts';
import type { MessageKey } from '../../messages/message.ts';

/** Two items a stamp. Fifty small transactions at most: nobody waits for them, and large ones meet more often. */
const AT_ONCE = 10;

/**
 * Clears away the stamps of a deleted message and their guards, ten at a time. A deleted message takes no new
 * ones, so this ends; cut short and begun again it goes on with what is left.
 */
export async function clearStamps(dynamo: Dynamo, { room, t, c }: MessageKey): Promise<void> {
  const range = ranges.stamps(room, t, c);
  for (;;) {
    const { items, more } = await dynamo.query(range, { limit: AT_ONCE });
    if (items.length > 0) await dynamo.transact(items.flatMap(removals));
    if (!more) return;
  }
}

function removals(item: Item): Write[] {
  const key = parseKey(item as { pk: string; sk: string });
  if (key.type !== 'stamp') return [];
  const { room, t, c, s } = key;
  return [
    { delete: keys.stampGuard(item.user as string, { room, t, c }, item.stampKey as string) },
    { delete: keys.stamp(room, t, c, s) },
  ];
}
