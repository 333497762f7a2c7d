import { ContentionError, OutageError } from '../core/errors.ts';
import { backoff } from '../core/retry.ts';
import type { Dynamo } from './dynamo.ts';
import type { Item } from './item.ts';
import { type Key, keyName } from './keys.ts';
import type { Check } from './write.ts';

export interface BulkWriteOptions {
  readonly dynamo: Pick<Dynamo, 'transport' | 'table' | 'transact'>;
  /** Taken as fast as they are written, so memory holds only those in flight. */
  readonly items: Iterable<Key & Item>;
  /**
   * `batches` for DynamoDB, where a transaction costs twice as much. `transactions` for the embedded database,
   * which commits each item of a batch separately: 300 items a second, against 1,700 with transactions.
   */
  readonly by: 'batches' | 'transactions';
  /** Milliseconds. If a part is not stored by then, the whole write rejects with UNAVAILABLE. Default: a minute. */
  readonly timeoutMs?: number;
  /** Called with every part that was stored. */
  readonly onWritten?: (part: ReadonlyArray<Key & Item>) => void;
  /** Asked before each attempt. Once it says no, nothing more is sent. Default: always. */
  readonly mayGoOn?: () => boolean | Promise<boolean>;
  /** Part of each transaction, and only of those: if it does not hold, the whole write rejects with `ConditionsFailed`. */
  readonly guard?: Check;
}

type Part = ReadonlyArray<Key & Item>;

const METHODS = { batches: { size: 25, writers: 8 }, transactions: { size: 100, writers: 2 } } as const;
const TIMEOUT_MS = 60_000;
/** One attempt, so that `mayGoOn` is asked every few seconds. */
const ATTEMPT_MS = 5_000;

/**
 * Puts items and overwrites those that exist: for filling a table with items that no other process writes. Without
 * conditions and in no particular order. If it rejects, some items are stored and some are not. What DynamoDB does
 * not accept at once (`UnprocessedItems`, throttling, an outage) is sent again with growing pauses. Resolves to false if
 * `mayGoOn` has ended it.
 */
export async function bulkWrite(options: BulkWriteOptions): Promise<boolean> {
  const { dynamo, items, by, timeoutMs = TIMEOUT_MS, onWritten, mayGoOn = () => true, guard } = options;
  const { transport, table, transact } = dynamo;
  const { size, writers } = METHODS[by];
  const send = by === 'batches' ? sendBatch : sendTransaction;
  const parts = inParts(items, guard === undefined ? size : size - 1);
  let failed = false;
  let ended = false;

  async function writer(): Promise<void> {
    // All writers take from one iterator.
    for (let next = parts.next(); next.done !== true && !failed && !ended; next = parts.next()) {
      if (await write(next.value)) onWritten?.(next.value);
    }
  }

  /** Resolves to false if it was ended. */
  async function write(part: Part): Promise<boolean> {
    const until = performance.now() + timeoutMs;
    let left = part;
    for (let attempt = 0; left.length > 0; attempt++) {
      if (attempt > 0 && !(await backoff(attempt, { until }))) throw new OutageError();
      left = await attemptOf(left, until).catch((error: unknown) => {
        if (error instanceof OutageError || error instanceof ContentionError) return left;
        throw error;
      });
      if (ended) return false;
    }
    return true;
  }

  /** Resolves to the items that were not written. */
  async function attemptOf(part: Part, until: number): Promise<Part> {
    if (!(await mayGoOn())) ended = true;
    return ended ? part : send(part, until);
  }

  async function sendBatch(part: Part, until: number): Promise<Part> {
    const input = { RequestItems: { [table]: part.map((Item) => ({ PutRequest: { Item } })) } };
    const timeoutMs = Math.min(ATTEMPT_MS, until - performance.now());
    const output = await transport.send('BatchWriteItem', input, { timeoutMs });
    const left =
      output.UnprocessedItems?.[table]?.map(({ PutRequest }) => keyName(PutRequest?.Item ?? {})) ?? [];
    return part.filter((item) => left.includes(keyName(item)));
  }

  async function sendTransaction(part: Part): Promise<Part> {
    const puts = part.map((put) => ({ put }));
    await transact(guard === undefined ? puts : [...puts, guard]);
    return [];
  }

  try {
    await Promise.all(Array.from({ length: writers }, writer));
    return !ended;
  } finally {
    failed = true;
  }
}

function* inParts<T>(items: Iterable<T>, size: number): Generator<readonly T[], void> {
  let part: T[] = [];
  for (const item of items) {
    part.push(item);
    if (part.length < size) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}
