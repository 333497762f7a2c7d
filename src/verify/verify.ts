import type { Dynamo } from '../dynamo/dynamo.ts';
import { ifConditionHolds } from '../dynamo/errors.ts';
import type { Item } from '../dynamo/item.ts';
import { type Key, keyName, parseKey } from '../dynamo/keys.ts';
import type { Counter, Counts } from './counter.ts';
import { ALL, createCountTable, type Mismatch } from './countTable.ts';

/** Entries that are held in memory at a time, some 200 bytes each. */
const HELD_MAX = 500_000;
/** How many times an item is counted that changes in the meantime. */
const ROUNDS = 5;

export interface VerifyOptions {
  readonly dynamo: Dynamo;
  readonly counters: readonly Counter[];
  /** False: only reports. */
  readonly fix: boolean;
  readonly heldMax?: number;
  /** Called with every item that was read. */
  readonly onItem?: () => void;
  readonly signal?: AbortSignal;
}

export interface Difference {
  /** The counter's name. */
  readonly what: string;
  readonly key: Key;
  readonly stored: Counts;
  readonly counted: Counts;
  readonly fixed: boolean;
}

export interface Verified {
  readonly differences: readonly Difference[];
  /** Items that changed each time they were counted: nothing is known about them. */
  readonly stillChanging: readonly Key[];
}

/**
 * Counts everything again and compares it with the numbers that the table stores, while the system serves requests.
 *
 * The first pass over the table reads stored numbers and counts items at the same time. If nothing differs, that is
 * all. Otherwise a difference may only mean that something changed during the pass. So the items that differ are
 * verified again in two passes: first what they store, then what there is to count. What was counted for an item is
 * right if it has the same version before and after; if not, it is counted again, up to five times. A difference is
 * fixed on a condition that holds that version. So no concurrent request is undone or reported as a difference. Two
 * more passes verify the sums, if any of them differs or a number was fixed that they add up.
 *
 * Memory is bounded: if there are more than `heldMax` entries, the keys are divided by a hash, and the table is
 * read again for each part.
 */
export async function verify(options: VerifyOptions): Promise<Verified> {
  const { dynamo, counters, fix, heldMax = HELD_MAX, onItem, signal } = options;
  const differences: Difference[] = [];

  async function* items(): AsyncGenerator<Item> {
    for await (const item of dynamo.scan({})) {
      signal?.throwIfAborted();
      onItem?.();
      yield item;
    }
  }

  /** What seems to differ. One pass. */
  async function suspects(): Promise<Mismatch[]> {
    return inParts(async (part) => {
      const table = createCountTable({ counters, part, maxSize: heldMax });
      for await (const item of items()) {
        table.add(item);
        table.count(item);
      }
      return table;
    });
  }

  /** What differs, unless it has changed in the meantime. Two passes. */
  async function mismatches(
    of: readonly Counter[],
    isWanted: (key: Key) => boolean = () => true,
  ): Promise<Mismatch[]> {
    return inParts(async (part) => {
      const table = createCountTable({ counters: of, part, maxSize: heldMax, isWanted });
      for await (const item of items()) table.add(item);
      for await (const item of items()) table.count(item);
      return table;
    });
  }

  async function inParts(
    run: (part: typeof ALL) => Promise<ReturnType<typeof createCountTable>>,
  ): Promise<Mismatch[]> {
    const found: Mismatch[] = [];
    const parts = [ALL];
    for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
      const table = await run(part);
      found.push(...table.mismatches());
      parts.push(...table.left);
    }
    return found;
  }

  /** Reports a real difference, and fixes it. */
  async function settle({ counter, key, stored, counted }: Mismatch): Promise<'settled' | 'changed'> {
    const item = await dynamo.get(key);
    // Deleted: no number is wrong any more.
    if (item === undefined) return 'settled';
    if (counter.stored(parseKey(key), item)?.version !== stored.version) return 'changed';
    const write = fix ? counter.fix?.(item, counted) : undefined;
    if (write !== undefined && (await ifConditionHolds(dynamo.update(key, write))) === undefined) {
      return 'changed';
    }
    differences.push({ what: counter.name, key, stored: stored.counts, counted, fixed: write !== undefined });
    return 'settled';
  }

  /** Resolves to the keys that changed each time. */
  async function settleAll(of: readonly Counter[], wanted?: ReadonlySet<string>): Promise<Key[]> {
    let names = wanted;
    let stillChanging: Key[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const among = names;
      const found = await mismatches(of, among === undefined ? undefined : (key) => among.has(keyName(key)));
      stillChanging = [];
      for (const one of found) if ((await settle(one)) === 'changed') stillChanging.push(one.key);
      if (stillChanging.length === 0) break;
      names = new Set(stillChanging.map(keyName));
    }
    return stillChanging;
  }

  const suspected = await suspects();
  const own = suspected.filter(({ counter }) => counter.sums !== true);
  const stillChanging: Key[] = [];
  if (own.length > 0) {
    const wanted = new Set(own.map(({ key }) => keyName(key)));
    stillChanging.push(
      ...(await settleAll(
        counters.filter(({ sums }) => sums !== true),
        wanted,
      )),
    );
  }
  if (own.length < suspected.length || differences.length > 0) {
    stillChanging.push(...(await settleAll(counters.filter(({ sums }) => sums === true))));
  }
  return { differences, stillChanging };
}
