import DataLoader from 'dataloader';
import type { Dynamo } from './dynamo.ts';
import type { Item } from './item.ts';
import type { Key } from './keys.ts';

/**
 * Reads items of all types by key. Keys that are requested in one turn of the event loop go out together as one
 * BatchGetItem (100 keys per round trip), and no key is read twice. There is one loader per request: what the
 * request has read does not change for it, until the loader is cleared.
 */
export interface ItemLoader {
  load(key: Key): Promise<Item | undefined>;
  loadMany(keys: readonly Key[]): Promise<Array<Item | undefined>>;
  /** Forgets all items, so that the next loads read them again. They read from `source` until the next `clear`. */
  clear(source?: ItemSource): void;
}

export type ItemSource = Pick<Dynamo, 'batchGet'>;

export function createItemLoader(dynamo: ItemSource): ItemLoader {
  let from = dynamo;
  const loader = new DataLoader<Key, Item | undefined, string>((keys) => from.batchGet(keys), {
    cacheKeyFn: ({ pk, sk }) => `${pk}\n${sk}`,
    maxBatchSize: 1_000,
  });
  return {
    load: (key) => loader.load(key),
    loadMany: (keys) => Promise.all(keys.map((key) => loader.load(key))),
    clear(source = dynamo) {
      from = source;
      loader.clearAll();
    },
  };
}

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
