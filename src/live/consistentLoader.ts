import DataLoader from 'dataloader';
import type { Item } from '../dynamo/item.ts';
import type { ItemLoader, ItemSource } from '../dynamo/itemLoader.ts';
import type { Key } from '../dynamo/keys.ts';

export type ConsistentLoader = Pick<ItemLoader, 'load' | 'loadMany'>;

/**
 * Reads the current items. All keys that are asked for in one turn of the event loop go out together, 100 a request,
 * so checking a thousand readers of a room takes ten requests. Unlike `createItemLoader`, it remembers nothing.
 */
export function createConsistentLoader(dynamo: ItemSource): ConsistentLoader {
  const loader = new DataLoader<Key, Item | undefined>((keys) => dynamo.batchGet(keys), { cache: false });
  return {
    load: (key) => loader.load(key),
    loadMany: (keys) => Promise.all(keys.map((key) => loader.load(key))),
  };
}
