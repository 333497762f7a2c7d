import type { Dynamo } from '../dynamo/dynamo.ts';
import { ConditionFailed } from '../dynamo/errors.ts';
import type { Item } from '../dynamo/item.ts';
import { type Key, parseKey } from '../dynamo/keys.ts';
import type { Audit, Counts } from './audit.ts';
import { type Account, ALL, createLedger, keyOf, nameOf } from './ledger.ts';

/** Numbers of items that are held in memory at a time, some 200 bytes each. */
const HELD_MAX = 500_000;
/** What changes while it is counted is counted again, so often. */
const ROUNDS = 5;

export interface RecountOptions {
  readonly dynamo: Dynamo;
  readonly audits: readonly Audit[];
  /** False: only reports. */
  readonly mend: boolean;
  readonly heldMax?: number;
  /** Told of every item read. */
  readonly onItem?: () => void;
  readonly signal?: AbortSignal;
}

export interface Difference {
  /** The audit's name. */
  readonly what: string;
  readonly key: Key;
  readonly said: Counts;
  readonly counted: Counts;
  readonly mended: boolean;
}

export interface Recounted {
  readonly differences: readonly Difference[];
  /** Items that changed each time they were counted: nothing is known of them. */
  readonly unsettled: readonly Key[];
}

/**
 * Counts everything afresh and compares it with what the table says of itself, while the system serves.
 *
 * The table is read twice: first for what its items say, then for what is there to be counted; and twice more
 * for what adds up numbers that were mended. What was counted
 * of an item is right if the item has the same version before and after; if not, it is counted again. A
 * difference is mended on a condition that holds that version. So no request that comes in between is undone,
 * and none is taken for a mistake.
 *
 * Reads all of the table, in bounded memory: where there is more to hold than `heldMax`, the items are divided
 * by a hash of their keys, and the table is read again for each part.
 */
export async function recount(options: RecountOptions): Promise<Recounted> {
  const { dynamo, mend, heldMax = HELD_MAX, onItem, signal } = options;
  const [own, sums] = [options.audits.filter((one) => !one.sums), options.audits.filter((one) => one.sums)];
  const differences: Difference[] = [];

  async function* items(): AsyncGenerator<Item> {
    for await (const item of dynamo.scan({})) {
      signal?.throwIfAborted();
      onItem?.();
      yield item;
    }
  }

  /** Those whose numbers are not what was counted, among the wanted. */
  async function counted(audits: readonly Audit[], isWanted: (key: Key) => boolean): Promise<Account[]> {
    const wrong: Account[] = [];
    const parts = [ALL];
    for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
      const ledger = createLedger({ audits, part, most: heldMax });
      for await (const item of items()) if (isWanted(keyOf(item))) ledger.hear(item);
      for await (const item of items()) ledger.count(item);
      wrong.push(...ledger.wrong());
      parts.push(...ledger.left);
    }
    return wrong;
  }

  /** Reports what is wrong indeed, and mends it. Resolves to what has changed meanwhile. */
  async function settled(wrong: readonly Account[]): Promise<Key[]> {
    const again: Key[] = [];
    for (const account of wrong) if ((await settle(account)) === 'changed') again.push(account.key);
    return again;
  }

  async function settle({ audit, key, said, counted }: Account): Promise<'settled' | 'changed'> {
    const item = await dynamo.get(key);
    // Gone: nothing says anything wrong any more.
    if (item === undefined) return 'settled';
    if (audit.says(parseKey(key), item)?.version !== said.version) return 'changed';
    const write = mend ? audit.mend?.(item, counted) : undefined;
    try {
      if (write !== undefined) await dynamo.update(key, write);
    } catch (error) {
      if (error instanceof ConditionFailed) return 'changed';
      throw error;
    }
    differences.push({ what: audit.name, key, said: said.counts, counted, mended: write !== undefined });
    return 'settled';
  }

  /** Resolves to what changed each time. */
  async function hold(audits: readonly Audit[]): Promise<Key[]> {
    let unsettled = await settled(await counted(audits, () => true));
    for (let round = 1; round < ROUNDS && unsettled.length > 0; round++) {
      const wanted = new Set(unsettled.map(nameOf));
      unsettled = await settled(await counted(audits, (key) => wanted.has(nameOf(key))));
    }
    return unsettled;
  }

  const unsettled = [...(await hold(own)), ...(await hold(sums))];
  return { differences, unsettled };
}
