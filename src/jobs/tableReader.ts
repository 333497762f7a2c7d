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
}

export interface TableStep {
  readonly items: readonly Item[];
  /** The key after which the next step begins. Absent at the end of the table. */
  readonly next?: Key;
}

export type TableReader = ReturnType<typeof createTableReader>;

/**
 * Reads the table for the system's jobs, because no index has what they look for. One for all jobs of the process that
 * runs them, so that ten of them read no more in a second than one: they take turns.
 */
export function createTableReader({ dynamo, now }: TableReaderOptions) {
  let lastAt = Number.NEGATIVE_INFINITY;

  /** The items that meet the condition among the next 1 MB of the table, at most STEP_ITEMS. */
  async function read(guard: Guard, after: Key | undefined): Promise<TableStep> {
    const page = await dynamo.scanPage(guard, after);
    const items = page.items.slice(0, STEP_ITEMS);
    const last = items.at(-1);
    const next = items.length < page.items.length && last !== undefined ? keyOf(last) : page.next;
    return { items, ...(next === undefined ? {} : { next }) };
  }

  /** When the next step of a job may begin (milliseconds since 1970): no other job gets the same time. */
  function nextAt(): number {
    lastAt = Math.max(now(), lastAt) + STEP_MS;
    return lastAt;
  }

  return { read, nextAt };
}
