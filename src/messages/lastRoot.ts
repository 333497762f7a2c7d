import type { Timestamp } from '../core/timestamps.ts';
import { keys } from '../dynamo/keys.ts';
import type { Context } from '../graphql/context.ts';
import { counterOf } from '../rooms/room.ts';

/**
 * The timestamp of the room's newest root; null if it has none. The room's counter names it, so for many rooms it is
 * one batch. It follows within moments, as the numbers in the counter do. A room of the release before takes a query
 * until its next root.
 */
export async function lastRootOf(room: string, { items, services }: Context): Promise<Timestamp | null> {
  const item = await items.load(keys.counter(room));
  if (item === undefined) return null;
  const { lastPosition, newestRoot } = counterOf(item);
  if (newestRoot !== undefined || lastPosition === 0) return newestRoot ?? null;
  const { nodes } = await services.messages.roots(room, { limit: 1, direction: 'backward', from: undefined });
  return nodes[0]?.ts ?? null;
}
