import DataLoader from 'dataloader';
import type { Dynamo } from './dynamo.ts';
import type { Item } from './item.ts';
import type { Key } from './keys.ts';

/**
 * Reads items by key, whatever they are: all that is asked for in one turn of the event loop goes out as
 * one BatchGetItem (100 keys a round trip), and no key is read twice. One per request: what a request has
 * seen stays as it was for it, until it is cleared.
 */
export interface ItemLoader {
  load(key: Key): Promise<Item | undefined>;
  loadMany(keys: readonly Key[]): Promise<Array<Item | undefined>>;
  /** Forget everything: what is asked for next is read again; from `source`, until the next `clear`. */
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
