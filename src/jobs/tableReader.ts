import { defined } from '../core/defined.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Item } from '../dynamo/item.ts';
import { type Key, keyOf } from '../dynamo/keys.ts';
import type { Guard } from '../dynamo/write.ts';

/** The most items of one step, so that their writes stay below about 1,000 units a second. */
export const STEP_ITEMS = 200;
/** The time between two steps of all jobs together: each reads 1 MB of the table, at most 256 read units. */
const STEP_MS = 1_000;

export interface TableReaderOptions {
  readonly dynamo: Pick<Dynamo, 'scanPage'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** A name of the table that is used now, which no other one has. Absent: not known, and always the same. */
  readonly tableInUse?: (() => string) | undefined;
}

/** The key after which a step begins. To be stored with all its attributes. */
export interface After extends Key {
  /** The table in whose order that is. Another one may have the same items in another order. */
  readonly of?: string;
}

export interface TableStep {
  readonly items: readonly Item[];
  /** The next step begins after it. Absent at the end of the table. */
  readonly next?: After;
}

export type TableReader = ReturnType<typeof createTableReader>;

/**
 * Reads the table for the system's jobs, because no index has what they look for. One for all jobs of the process that
 * runs them, so that ten of them read no more in a second than one: they take turns.
 */
export function createTableReader({ dynamo, now, tableInUse }: TableReaderOptions) {
  let lastAt = Number.NEGATIVE_INFINITY;

  /**
   * The items that meet the condition among the next 1 MB of the table, at most STEP_ITEMS. Begins again if `after` is
   * of another table: servers have moved.
   */
  async function read(guard: Guard, after: After | undefined): Promise<TableStep> {
    // Before the page: if servers move in between, the next step begins again as well.
    const of = tableInUse?.();
    // A function does not know the name: it is called for one table only.
    const isHere = after?.of === undefined || of === undefined || after.of === of;
    const page = await dynamo.scanPage(
      guard,
      after === undefined || !isHere ? undefined : keyOf({ ...after }),
    );
    const items = page.items.slice(0, STEP_ITEMS);
    const last = items.at(-1);
    const next = items.length < page.items.length && last !== undefined ? keyOf(last) : page.next;
    return { items, ...(next === undefined ? {} : { next: { ...next, ...defined({ of }) } }) };
  }

  /** When the next step of a job may begin (milliseconds since 1970): no other job gets the same time. */
  function nextAt(): number {
    lastAt = Math.max(now(), lastAt) + STEP_MS;
    return lastAt;
  }

  return { read, nextAt };
}
