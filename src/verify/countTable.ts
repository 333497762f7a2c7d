import { createHash } from 'node:crypto';
import type { Item } from '../dynamo/item.ts';
import { type Key, keyName, keyOf, parseKey } from '../dynamo/keys.ts';
import type { Contribution, Counter, Counts, StoredCounts } from './counter.ts';

/** A part of all keys: those whose hash modulo `of` is `rest`. */
export interface Part {
  readonly remainder: number;
  /** A power of two. */
  readonly divisor: number;
}

export const ALL: Part = { remainder: 0, divisor: 1 };

const isIn = ({ remainder: rest, divisor: of }: Part, key: Key): boolean =>
  of === 1 || createHash('sha1').update(keyName(key)).digest().readUInt32BE(0) % of === rest;

const halves = ({ remainder: rest, divisor: of }: Part): readonly [Part, Part] => [
  { remainder: rest, divisor: 2 * of },
  { remainder: rest + of, divisor: 2 * of },
];

/** An item whose stored numbers are not what was counted. */
export interface Mismatch {
  readonly key: Key;
  readonly counter: Counter;
  readonly stored: StoredCounts;
  readonly counted: Counts;
}

interface Entry {
  readonly key: Key;
  readonly counted: Record<string, number>;
  stored: StoredCounts | undefined;
}

export interface CountTableOptions {
  readonly counters: readonly Counter[];
  readonly part: Part;
  /** How many entries it holds at most. */
  readonly maxSize: number;
  /** Counts only for these items. Default: all. */
  readonly isWanted?: (key: Key) => boolean;
}

/**
 * What items store and what was counted for them, in memory. Items may be added and counted in any order. With more
 * than `maxSize` entries it keeps half of its part, and leaves the other half, in `left`, to another table.
 */
export function createCountTable({ counters, part, maxSize, isWanted = () => true }: CountTableOptions) {
  const entries = counters.map(() => new Map<string, Entry>());
  const left: Part[] = [];
  let ownPart = part;
  let size = 0;

  function halve(): void {
    const [here, there] = halves(ownPart);
    left.push(there);
    ownPart = here;
    size = 0;
    for (const ofCounter of entries) {
      for (const [name, { key }] of ofCounter) if (!isIn(ownPart, key)) ofCounter.delete(name);
      size += ofCounter.size;
    }
  }

  /** Undefined for items that this table does not count for. */
  function entryOf(i: number, key: Key): Entry | undefined {
    const name = keyName(key);
    const known = entries[i]?.get(name);
    if (known !== undefined || !isIn(ownPart, key) || !isWanted(key)) return known;
    const entry: Entry = { key, stored: undefined, counted: {} };
    entries[i]?.set(name, entry);
    size++;
    return entry;
  }

  return {
    left,

    /** Notes what an item has stored. */
    add(item: Item): void {
      const key = keyOf(item);
      const parsed = parseKey(key);
      counters.forEach((counter, i) => {
        const stored = counter.stored(parsed, item);
        const entry = stored === undefined ? undefined : entryOf(i, key);
        if (entry !== undefined) entry.stored = stored;
      });
      while (size > maxSize) halve();
    },

    /** Counts an item in all items that count it. */
    count(item: Item): void {
      const parsed = parseKey(keyOf(item));
      counters.forEach((counter, i) => {
        for (const contribution of counter.contributions(parsed, item)) {
          const counted = entryOf(i, contribution.in)?.counted;
          if (counted !== undefined) contribute(counted, contribution);
        }
      });
      while (size > maxSize) halve();
    },

    mismatches: (): Mismatch[] =>
      counters.flatMap((counter, i) =>
        [...(entries[i]?.values() ?? [])].flatMap(({ key, stored, counted }) => {
          if (stored === undefined || isSame(stored, counted)) return [];
          const none = Object.fromEntries(Object.keys(stored.counts).map((name) => [name, 0]));
          return [{ key, counter, stored, counted: { ...none, ...counted } }];
        }),
      ),
  };
}

function contribute(counted: Record<string, number>, contribution: Contribution): void {
  if ('largest' in contribution) {
    let { value } = contribution;
    for (const name of contribution.largest) {
      const before = counted[name] ?? 0;
      counted[name] = Math.max(before, value);
      value = Math.min(before, value);
    }
    return;
  }
  const { name, by = 1, atLeast } = contribution;
  const before = counted[name] ?? 0;
  counted[name] = atLeast === undefined ? before + by : Math.max(before, atLeast);
}

function isSame({ counts, onlyThese }: StoredCounts, counted: Counts): boolean {
  const names = [...Object.keys(counts), ...(onlyThese === true ? [] : Object.keys(counted))];
  return names.every((name) => (counts[name] ?? 0) === (counted[name] ?? 0));
}
