import type { Item } from '../dynamo/item.ts';
import type { Key, ParsedKey } from '../dynamo/keys.ts';
import type { Expression } from '../dynamo/write.ts';

/** Numbers by name. */
export type Counts = Readonly<Record<string, number>>;

/** What an item says that it counts. */
export interface Saying {
  readonly counts: Counts;
  /** Another one whenever anything of what is counted has changed in between: it changes in the same write. */
  readonly version: string;
  /** What is counted under names that it does not say is not its business; else they count as 0 there. */
  readonly onlyThese?: true;
}

/** That one item is counted in another one. */
export interface Vote {
  readonly in: Key;
  /** Under which of its numbers. */
  readonly name: string;
  /** By how much; a number given by `atLeast` is the largest of all, not their sum. Default: one more. */
  readonly by?: number;
  readonly atLeast?: number;
}

export type Mend = Expression & { readonly update: string; readonly condition: string };

/** What counts what: a feature's own knowledge of the numbers that it keeps, for the repair to hold it to. */
export interface Audit {
  /** What is counted, in the plural, for the report. */
  readonly name: string;
  /** It adds up numbers that other audits mend: it comes after them. */
  readonly sums?: true;
  /** Undefined for items that count nothing of this kind. */
  says(key: ParsedKey, item: Item): Saying | undefined;
  votes(key: ParsedKey, item: Item): readonly Vote[];
  /**
   * Makes it say what was counted, on a condition that fails where anything has changed since `item` was read.
   * Absent: it can only be reported.
   */
  mend?(item: Item, counted: Counts): Mend;
}
