import type { Item } from '../dynamo/item.ts';
import type { Key, ParsedKey } from '../dynamo/keys.ts';
import type { Expression } from '../dynamo/write.ts';

/** Numbers by name. */
export type Counts = Readonly<Record<string, number>>;

/** The numbers that an item stores about the items that it counts. */
export interface StoredCounts {
  readonly counts: Counts;
  /** Changes with every counted item, in the same write. */
  readonly version: string;
  /** Counted names that are not in `counts` are ignored. Otherwise the item stores 0 for them. */
  readonly onlyThese?: true;
}

/** What one item adds to the numbers of another. */
export type Contribution = { readonly in: Key } & (
  | {
      /** The name of the number. */
      readonly name: string;
      /**
       * How much it adds; one by default. With `atLeast` the number is the largest of all contributions, not their sum.
       */
      readonly by?: number;
      readonly atLeast?: number;
    }
  | {
      /** The numbers with these names are the largest of all values, the largest first. */
      readonly largest: readonly string[];
      readonly value: number;
    }
);

export type Fix = Expression & { readonly update: string; readonly condition: string };

/** How a feature's stored numbers of one kind are counted. */
export interface Counter {
  /** What is counted, in the plural, for the report. */
  readonly name: string;
  /** It adds up numbers that other counters fix, so it is verified after them. */
  readonly sums?: true;
  /** Undefined for items that store no such number. */
  stored(key: ParsedKey, item: Item): StoredCounts | undefined;
  contributions(key: ParsedKey, item: Item): readonly Contribution[];
  /**
   * Stores what was counted, on a condition that fails if anything has changed since `item` was read. Absent: a
   * difference can only be reported.
   */
  fix?(item: Item, counted: Counts): Fix;
}
