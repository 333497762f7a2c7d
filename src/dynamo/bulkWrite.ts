import { BatchWriteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { ContentionError, OutageError } from '../core/errors.ts';
import { backoff } from '../core/retry.ts';
import type { Dynamo } from './dynamo.ts';
import { mapSdkError } from './errors.ts';
import type { Item } from './item.ts';
import type { Key } from './keys.ts';

export interface BulkWriteOptions {
  readonly dynamo: Pick<Dynamo, 'client' | 'table' | 'transact'>;
  /** Read as fast as they are written, so that only what is under way is in memory. */
  readonly items: Iterable<Key & Item>;
  /**
   * `batches` on DynamoDB itself: a transaction costs twice as much there. `transactions` on the embedded
   * database, which commits every item of a batch by itself: 300 items a second against 1,700.
   */
  readonly by: 'batches' | 'transactions';
  /** A part that is not stored after so many milliseconds is given up: UNAVAILABLE. */
  readonly patienceMs?: number;
  /** Told of every part that is stored. */
  readonly onWritten?: (part: ReadonlyArray<Key & Item>) => void;
}

type Part = ReadonlyArray<Key & Item>;

const WAYS = { batches: { size: 25, writers: 8 }, transactions: { size: 100, writers: 2 } } as const;
const PATIENCE_MS = 60_000;

/**
 * Puts items, whatever stands in their place: for filling a table with what nobody else writes. Without
 * conditions and in no order; cut short it leaves some of them. What DynamoDB does not take at once
 * (`UnprocessedItems`, throttling, an outage) is sent again, ever more slowly.
 */
export async function bulkWrite(options: BulkWriteOptions): Promise<void> {
  const { dynamo, items, by, patienceMs = PATIENCE_MS, onWritten } = options;
  const { client, table, transact } = dynamo;
  const documents = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
  const { size, writers } = WAYS[by];
  const send = by === 'batches' ? sendBatch : sendTransaction;
  const parts = inParts(items, size);
  let failed = false;

  async function writer(): Promise<void> {
    // All writers take from one iterator.
    for (let next = parts.next(); next.done !== true && !failed; next = parts.next()) {
      await write(next.value);
      onWritten?.(next.value);
    }
  }

  async function write(part: Part): Promise<void> {
    const until = performance.now() + patienceMs;
    let left = part;
    for (let attempt = 0; left.length > 0; attempt++) {
      if (attempt > 0 && !(await backoff(attempt, { until }))) throw new OutageError();
      left = await send(left).catch((error: unknown) => {
        const known = mapSdkError(error);
        if (known instanceof OutageError || known instanceof ContentionError) return left;
        throw known;
      });
    }
  }

  /** Resolves to what is left to be written. */
  async function sendBatch(part: Part): Promise<Part> {
    const requests = part.map((Item) => ({ PutRequest: { Item } }));
    const output = await documents.send(new BatchWriteCommand({ RequestItems: { [table]: requests } }));
    const left = output.UnprocessedItems?.[table] ?? [];
    return left.flatMap(({ PutRequest }) => (PutRequest?.Item as (Key & Item) | undefined) ?? []);
  }

  async function sendTransaction(part: Part): Promise<Part> {
    await transact(part.map((put) => ({ put })));
    return [];
  }

  try {
    await Promise.all(Array.from({ length: writers }, writer));
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
