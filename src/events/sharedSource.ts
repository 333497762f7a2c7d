import { createItemLoader, type ItemSource } from '../dynamo/itemLoader.ts';
import { type Key, parseKey } from '../dynamo/keys.ts';

/** What is the same for everybody in the room: people's profiles and the room's messages. Memberships are not. */
const COMMON = new Set(['user', 'root', 'reply']);
const isCommon = (key: Key): boolean => COMMON.has(parseKey(key).type);

/**
 * Reads what readers of one event show beside it: the first reads the author, a thread's root and the like
 * for all of them, so that an event costs the table the same for one reader as for a thousand. Whatever
 * decides what somebody may see is read for them alone.
 */
export function createSharedSource(dynamo: ItemSource): ItemSource {
  const common = createItemLoader(dynamo);
  return {
    async batchGet(keys) {
      const own = keys.filter((key) => !isCommon(key));
      const [ownItems, commonItems] = await Promise.all([
        own.length === 0 ? [] : dynamo.batchGet(own),
        common.loadMany(keys.filter(isCommon)),
      ]);
      const [restOwn, restCommon] = [ownItems.values(), commonItems.values()];
      return keys.map((key) => (isCommon(key) ? restCommon : restOwn).next().value);
    },
  };
}
