import DataLoader from 'dataloader';
import type { Dynamo } from './dynamo.ts';
import type { Item } from './item.ts';
import { type Key, keyName } from './keys.ts';

/**
 * Reads items of all types by key. Keys that are requested in one turn of the event loop go out together as one
 * BatchGetItem (100 keys per round trip), and no key is read twice. There is one loader per request: what the
 * request has read does not change for it, until the loader is cleared.
 */
export interface ItemLoader {
  load(key: Key): Promise<Item | undefined>;
  loadMany(keys: readonly Key[]): Promise<Array<Item | undefined>>;
  /** The same, but at once if the process keeps the item. `KeptItems` says how old it may be. */
  loadKept(key: Key): Item | undefined | Promise<Item | undefined>;
  /** The item if the process keeps it. Reads nothing. */
  kept(key: Key): Item | undefined;
  /** Reads the current items, past everything that is kept or shared with others, and keeps nothing. */
  readAgain(keys: readonly Key[]): Promise<Array<Item | undefined>>;
  /** Forgets all items, so that the next loads read them again. They read from `source` until the next `clear`. */
  clear(source?: ItemSource): void;
  /** Another loader like this one, which has read nothing. */
  fork(): ItemLoader;
}

export type ItemSource = Pick<Dynamo, 'batchGet'>;

/** Items that a process keeps between operations. */
export interface KeptItems {
  get(key: Key): Item | undefined;
  /** Call it before a read, and what it returns with each item that was read: it decides which ones are kept. */
  beginRead(): (key: Key, item: Item | undefined) => void;
}

export function createItemLoader(dynamo: ItemSource, kept?: KeptItems): ItemLoader {
  return new CachingLoader(dynamo, kept);
}

/** A class with a loader only while it has items: each open subscription has one, which mostly has none. */
class CachingLoader implements ItemLoader {
  readonly #dynamo: ItemSource;
  readonly #kept: KeptItems | undefined;
  #source: ItemSource;
  #loader: DataLoader<Key, Item | undefined, string> | undefined = undefined;

  constructor(dynamo: ItemSource, kept: KeptItems | undefined) {
    this.#dynamo = dynamo;
    this.#kept = kept;
    this.#source = dynamo;
  }

  load(key: Key): Promise<Item | undefined> {
    const source = this.#source;
    this.#loader ??= new DataLoader<Key, Item | undefined, string>((keys) => this.#read(keys, source), {
      cacheKeyFn: keyName,
      maxBatchSize: 1_000,
    });
    return this.#loader.load(key);
  }

  async #read(keys: readonly Key[], source: ItemSource): Promise<Array<Item | undefined>> {
    // Another source may return what it read earlier.
    const keep = source === this.#dynamo ? this.#kept?.beginRead() : undefined;
    const items = await source.batchGet(keys);
    if (keep !== undefined) for (const [i, key] of keys.entries()) keep(key, items[i]);
    return items;
  }

  loadMany(keys: readonly Key[]): Promise<Array<Item | undefined>> {
    return Promise.all(keys.map((key) => this.load(key)));
  }

  loadKept(key: Key): Item | undefined | Promise<Item | undefined> {
    return this.kept(key) ?? this.load(key);
  }

  kept(key: Key): Item | undefined {
    return this.#kept?.get(key);
  }

  readAgain(keys: readonly Key[]): Promise<Array<Item | undefined>> {
    return this.#dynamo.batchGet(keys);
  }

  clear(source: ItemSource = this.#dynamo): void {
    this.#source = source;
    this.#loader = undefined;
  }

  fork(): ItemLoader {
    return new CachingLoader(this.#dynamo, this.#kept);
  }
}

export type ConsistentLoader = Pick<ItemLoader, 'load' | 'loadMany'>;

/**
 * Reads the current items. All keys that are asked for in one tick go out together, 100 a request, so checking a
 * thousand readers of a room takes ten requests. Unlike `createItemLoader`, it remembers nothing. `gather`: it waits
 * for what the other sockets ask for in this turn of the event loop, so clients who arrive together share requests.
 */
export function createConsistentLoader(
  dynamo: ItemSource,
  { gather = false }: { readonly gather?: boolean } = {},
): ConsistentLoader {
  const loader = new DataLoader<Key, Item | undefined>((keys) => dynamo.batchGet(keys), {
    cache: false,
    ...(gather ? { batchScheduleFn: (read) => void setImmediate(read) } : {}),
  });
  return {
    load: (key) => loader.load(key),
    loadMany: (keys) => Promise.all(keys.map((key) => loader.load(key))),
  };
}
