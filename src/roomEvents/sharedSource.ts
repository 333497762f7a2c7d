import DataLoader from 'dataloader';
import type { Item } from '../dynamo/item.ts';
import { createItemLoader, type ItemSource } from '../dynamo/itemLoader.ts';
import { type Key, parseKey } from '../dynamo/keys.ts';

/** What is the same for everybody in the room: people's profiles and the room's messages. Memberships are not. */
const COMMON = new Set(['user', 'root', 'reply']);
const isCommon = (key: Key): boolean => COMMON.has(parseKey(key).type);

/**
 * Reads what readers of one event show beside it: the first reads the author, a thread's root and the like
 * for all of them, so that an event costs the table the same for one reader as for a thousand. What is one's
 * own (whether they like it, their membership) is read for each, and remembered for nobody; but those who ask
 * in the same turn, as readers of one event do, ask in one request for a hundred.
 */
export function createSharedSource(dynamo: ItemSource): ItemSource {
  const common = createItemLoader(dynamo);
  const each = new DataLoader<Key, Item | undefined>((keys) => dynamo.batchGet(keys), { cache: false });
  return {
    async batchGet(keys) {
      const own = keys.filter((key) => !isCommon(key));
      const [ownItems, commonItems] = await Promise.all([
        Promise.all(own.map((key) => each.load(key))),
        common.loadMany(keys.filter(isCommon)),
      ]);
      const [restOwn, restCommon] = [ownItems.values(), commonItems.values()];
      return keys.map((key) => (isCommon(key) ? restCommon : restOwn).next().value);
    },
  };
}
