import { ContentionError, OutageError } from '../core/errors.ts';
import { backoff } from '../core/retry.ts';
import type { Dynamo } from './dynamo.ts';
import type { Item } from './item.ts';
import { type Key, keyName } from './keys.ts';
import type { Check } from './write.ts';

type Part = ReadonlyArray<Key & Item>;

/** An item, or several that are stored in one transaction: no one ever reads one of them without the others. */
export type Unit = (Key & Item) | Part;

export const itemsIn = (unit: Unit): Part => (isPart(unit) ? unit : [unit]);
const isPart = (unit: Unit): unit is Part => Array.isArray(unit);

export interface BulkWriteOptions {
  readonly dynamo: Pick<Dynamo, 'transport' | 'table' | 'transact'>;
  /** Taken as fast as they are written, so memory holds only those in flight. At most ten items are one unit. */
  readonly items: Iterable<Unit>;
  /**
   * `batches` for DynamoDB, where a transaction costs twice as much. `transactions` for the embedded database,
   * which commits each item of a batch separately: 300 items a second, against 1,700 with transactions. Units of
   * several items are always in transactions.
   */
  readonly by: 'batches' | 'transactions';
  /** Milliseconds. If a part is not stored by then, the whole write rejects with UNAVAILABLE. Default: a minute. */
  readonly timeoutMs?: number;
  /** Called with every part that was stored. */
  readonly onWritten?: (part: ReadonlyArray<Key & Item>) => void;
  /** Asked before each attempt. Once it says no, nothing more is sent. Default: always. */
  readonly mayGoOn?: () => boolean | Promise<boolean>;
  /**
   * Part of each transaction, and only of those: if it does not hold, the whole write rejects with `ConditionsFailed`.
   */
  readonly guard?: Check;
}

/** A request, and how it is sent. */
interface Portion {
  readonly by: BulkWriteOptions['by'];
  readonly part: Part;
}

/** On DynamoDB, transactions are as small as batches: a partition has 1,000 units a second. */
const METHODS = { batches: { size: 25, writers: 8 }, transactions: { size: 100, writers: 2 } } as const;
const TIMEOUT_MS = 60_000;
/** One attempt, so that `mayGoOn` is asked every few seconds. */
const ATTEMPT_MS = 5_000;

/**
 * Puts items and overwrites those that exist: for filling a table with items that no other process writes. Without
 * conditions and in no particular order. If it rejects, some items are stored and some are not, and nothing is under way
 * any more. What DynamoDB does not accept at once (`UnprocessedItems`, throttling, an outage) is sent again with growing
 * pauses. Resolves to false if `mayGoOn` has ended it.
 */
export async function bulkWrite(options: BulkWriteOptions): Promise<boolean> {
  const { dynamo, items, by, timeoutMs = TIMEOUT_MS, onWritten, mayGoOn = () => true, guard } = options;
  const { transport, table, transact } = dynamo;
  const { size, writers } = METHODS[by];
  const portions = inPortions(items, by, guard === undefined ? size : size - 1);
  let ended = false;

  async function writer(): Promise<void> {
    // All writers take from one iterator.
    for (let next = portions.next(); next.done !== true && !ended; next = portions.next()) {
      try {
        if (await write(next.value)) onWritten?.(next.value.part);
      } catch (error) {
        // The others send what they have begun, and nothing more.
        ended = true;
        throw error;
      }
    }
  }

  /** Resolves to false if it was ended. */
  async function write({ by, part }: Portion): Promise<boolean> {
    const until = performance.now() + timeoutMs;
    let left = part;
    for (let attempt = 0; left.length > 0; attempt++) {
      if (attempt > 0 && !(await backoff(attempt, { until }))) throw new OutageError();
      left = await attemptOf({ by, part: left }, until).catch((error: unknown) => {
        if (error instanceof OutageError || error instanceof ContentionError) return left;
        throw error;
      });
      if (ended) return false;
    }
    return true;
  }

  /** Resolves to the items that were not written. */
  async function attemptOf({ by, part }: Portion, until: number): Promise<Part> {
    if (!ended && !(await mayGoOn())) ended = true;
    if (ended) return part;
    return by === 'batches' ? sendBatch(part, until) : sendTransaction(part);
  }

  async function sendBatch(part: Part, until: number): Promise<Part> {
    const input = { RequestItems: { [table]: part.map((Item) => ({ PutRequest: { Item } })) } };
    const timeoutMs = Math.min(ATTEMPT_MS, until - performance.now());
    const output = await transport.send('BatchWriteItem', input, { timeoutMs });
    const left = Object.values(output.UnprocessedItems ?? {})
      .flat()
      .map(({ PutRequest }) => keyName(PutRequest?.Item ?? {}));
    return part.filter((item) => left.includes(keyName(item)));
  }

  async function sendTransaction(part: Part): Promise<Part> {
    const puts = part.map((put) => ({ put }));
    await transact(guard === undefined ? puts : [...puts, guard]);
    return [];
  }

  const ends = await Promise.allSettled(Array.from({ length: writers }, writer));
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return !ended;
}

/** Requests of at most this many items, none of which has only some items of a unit. */
function* inPortions(
  units: Iterable<Unit>,
  by: BulkWriteOptions['by'],
  size: number,
): Generator<Portion, void> {
  const open = { batches: [] as Array<Key & Item>, transactions: [] as Array<Key & Item> };
  const portion = (how: BulkWriteOptions['by']): Portion => ({ by: how, part: open[how].splice(0) });
  for (const unit of units) {
    const items = itemsIn(unit);
    const how = items.length > 1 ? 'transactions' : by;
    if (open[how].length + items.length > size) yield portion(how);
    open[how].push(...items);
    if (open[how].length === size) yield portion(how);
  }
  for (const how of ['batches', 'transactions'] as const) if (open[how].length > 0) yield portion(how);
}
