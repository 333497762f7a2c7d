import { randomUUID } from 'node:crypto';
import { defined } from '../core/defined.ts';
import { OutageError } from '../core/errors.ts';
import { backoff } from '../core/retry.ts';
import { currentPattern, currentSpan } from '../core/work.ts';
import { TIMEOUTS, type Timeouts } from './client.ts';
import {
  ConditionFailed,
  ConditionsFailed,
  refusalIn,
  ServiceError,
  TransactionConflicted,
} from './errors.ts';
import type { Item } from './item.ts';
import { type Key, type KeyRange, keyName, keyOf } from './keys.ts';
import type { Call, Metering } from './metering.ts';
import { type FailedConditions, flattenNamed, type NamedWrites } from './namedWrites.ts';
import { createOpenCalls } from './openCalls.ts';
import { type Again, optimistic } from './optimistic.ts';
import { FIRST_SHAPE } from './shapes.ts';
import { createSharedReads } from './sharedReads.ts';
import { INDEX } from './table.ts';
import type { Costs, Input, Operation, Output, Transport } from './transport/transport.ts';
import {
  cancellation,
  conditionParams,
  type Expression,
  type Guard,
  placeholderParams,
  transactItem,
  type Write,
} from './write.ts';

export interface DynamoOptions extends Metering {
  readonly transport: Transport;
  readonly table: string;
  /** The name of requests that are not part of any other work. */
  readonly pattern?: string;
  /**
   * Called after every successful write: the stream consumer of this process need not wait for its next poll.
   * `isAwaited`: see `TransactOptions`. `changes`: how many items were written.
   */
  readonly onWrite?: (isAwaited: boolean, changes: number) => void;
  /** Default: `TIMEOUTS`. */
  readonly timeouts?: Pick<Timeouts, 'callMs' | 'optimisticMs'>;
  /** The shape that is written at this moment. Default: the first, which every release can read. */
  readonly shape?: () => number;
  /**
   * Called after every response, before its result is used. If it returns a promise, the request waits for it and fails
   * with it: a process that was suspended has to find out first whether this table is still in use.
   */
  readonly confirm?: () => Promise<void> | undefined;
}

export interface PageRequest {
  /** How many items at most. A page has fewer only if the range ends. */
  readonly limit: number;
  /** Newest (largest key) first. */
  readonly reverse?: boolean;
  /** Start behind this sort key (in the direction of reading), which need not exist any more. */
  readonly after?: string;
}

export interface IndexPageRequest extends Omit<PageRequest, 'after'> {
  /** The last item's keys, including those of the index. Absent: start at the end. */
  readonly startKey?: Item;
  /** Only entries whose sort key is between these two; then that of `startKey` is, too. */
  readonly between?: Omit<KeyRange, 'pk'>;
}

/** One of several parts of the table, which are read side by side. */
export interface TablePart {
  /** 0, 1, … */
  readonly segment: number;
  /** How many parts there are. */
  readonly segments: number;
}

export interface ScanPage {
  readonly items: readonly Item[];
  /** How many items were read, with those that do not meet the condition. */
  readonly scanned: number;
  /** Read units that DynamoDB charged. */
  readonly units: number;
  /** The key to continue after. Absent: the table ends. */
  readonly next?: Key;
}

export interface Page {
  readonly items: readonly Item[];
  /** Whether the range has more in the direction of reading: proven, by one item read beyond the page. */
  readonly more: boolean;
}

export interface TransactOptions {
  /** A deadline on the clock of `performance.now()`. Default: the one of a single call. */
  readonly until?: number;
  /** How many attempts are made if the transaction conflicts with others. Default: until the deadline. */
  readonly attempts?: number;
  /** Called with the write units that DynamoDB charged. */
  readonly onUnits?: (units: number) => void;
  /** False: no handler does anything with these changes, so the consumer need not read them at once. Default: true. */
  readonly isAwaited?: boolean;
}

type RangeInput = Omit<Input<'Query'>, 'TableName' | 'Limit' | 'ScanIndexForward'>;
type SingleWrite = 'PutItem' | 'UpdateItem' | 'DeleteItem';

const BATCH_GET_MAX = 100;

/**
 * The table's operations as the features use them. Reads are strongly consistent, except those of the index. Errors:
 * `ConditionFailed`, `ConditionsFailed`, and `UNAVAILABLE` if there is no response in time; whether such a
 * write was done is then unknown.
 */
export type Dynamo = ReturnType<typeof createDynamo>;

export function createDynamo(options: DynamoOptions) {
  const { transport, table, onCost, onFailure, onWrite, timeouts = TIMEOUTS, pattern = 'other' } = options;
  const { shape = () => FIRST_SHAPE, confirm } = options;
  const { callMs, optimisticMs } = timeouts;
  const metering = onCost === undefined ? {} : { ReturnConsumedCapacity: 'TOTAL' as const };
  const inTable = { TableName: table, ...metering };
  const open = createOpenCalls();
  const sharedPages = createSharedReads<Page>({ open: open.own });

  async function call<O extends Operation>(
    operation: O,
    input: Input<O>,
    timeoutMs = callMs,
  ): Promise<Output<O>> {
    const span = currentSpan()?.child(`DynamoDB ${operation}`);
    const startedAt = performance.now();
    const called = (): Call => {
      const ms = performance.now() - startedAt;
      return { operation, pattern: currentPattern() ?? pattern, ms, span: span?.id };
    };
    let output: Output<O>;
    try {
      output = await open.count(() => transport.send(operation, input, { timeoutMs }));
    } catch (error) {
      span?.end(error);
      const isOutage = error instanceof OutageError;
      const refusal = refusalIn(error);
      const reason = isOutage || refusal !== undefined ? 'outage' : 'refused';
      onFailure?.({ ...called(), reason, ...defined({ refusal }) });
      // A condition that did not hold is a result as well: callers conclude from it what is stored.
      if (!isOutage) await confirm?.();
      throw refusal === undefined ? error : new OutageError(refusal);
    }
    const units = unitsOf(operation, output);
    span?.set({ ...units });
    span?.end();
    onCost?.({ ...called(), ...units });
    const confirmed = confirm?.();
    if (confirmed !== undefined) await confirmed;
    return output;
  }

  /**
   * As `call`, for one write. Throws `ConditionFailed` if its condition does not hold. DynamoDB refuses a write while a
   * transaction on the same item is running, and the transport does not try again: this does, as `transact`.
   */
  async function write<O extends SingleWrite>(operation: O, input: Input<O>): Promise<Output<O>> {
    const until = performance.now() + callMs;
    for (let attempt = 0; ; attempt++) {
      if (attempt > 0 && !(await backoff(attempt, { until }))) throw new TransactionConflicted();
      try {
        const output = await call(operation, input, until - performance.now());
        onWrite?.(true, 1);
        return output;
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        if (error.name === 'ConditionalCheckFailedException') throw new ConditionFailed(error.item);
        if (error.name !== 'TransactionConflictException') throw error;
      }
    }
  }

  async function get(Key: Key): Promise<Item | undefined> {
    return (await call('GetItem', { Key, ConsistentRead: true, ...inTable })).Item;
  }

  /** Any number of keys, in the order asked for. 100 in a round trip; the round trips run side by side. */
  async function batchGet(wanted: readonly Key[]): Promise<Array<Item | undefined>> {
    const unique = new Map(wanted.map((key) => [keyName(key), key]));
    const all = [...unique.values()];
    const chunks: Key[][] = [];
    for (let i = 0; i < all.length; i += BATCH_GET_MAX) chunks.push(all.slice(i, i + BATCH_GET_MAX));
    const found = new Map<string, Item>();
    await Promise.all(
      chunks.map(async (chunk) => {
        for (const item of await getChunk(chunk)) found.set(keyName(item), item);
      }),
    );
    return wanted.map((key) => found.get(keyName(key)));
  }

  async function getChunk(chunk: readonly Key[]): Promise<Item[]> {
    const items: Item[] = [];
    const until = performance.now() + callMs;
    let keysLeft: readonly Item[] = chunk.map(({ pk, sk }) => ({ pk, sk }));
    for (let attempt = 0; keysLeft.length > 0; attempt++) {
      if (attempt > 0 && !(await backoff(attempt, { until }))) throw new OutageError();
      const RequestItems = { [table]: { Keys: [...keysLeft], ConsistentRead: true } };
      const output = await call('BatchGetItem', { RequestItems, ...metering }, until - performance.now());
      // There is one table. If it was asked for by its ARN, some databases answer with its name.
      items.push(...Object.values(output.Responses ?? {}).flat());
      keysLeft = Object.values(output.UnprocessedKeys ?? {}).flatMap(({ Keys = [] }) => Keys);
    }
    return items;
  }

  /** One page of a range: one round trip under 1 MB. It may wait up to 20 ms to share one for the same range. */
  const query = ({ pk, from, to }: KeyRange, page: PageRequest): Promise<Page> =>
    pageOf(page, {
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: { ':pk': pk, ':from': from, ':to': to },
      ConsistentRead: true,
      // DynamoDB checks that an exclusive start is in the range.
      ...(page.after === undefined ? {} : { ExclusiveStartKey: { pk, sk: page.after } }),
    });

  /** One page of keys from the index, in the index's order. Lags behind the table. */
  const queryIndex = (gsi1pk: string, page: IndexPageRequest): Promise<Page> =>
    pageOf(page, {
      IndexName: INDEX,
      KeyConditionExpression:
        page.between === undefined ? 'gsi1pk = :pk' : 'gsi1pk = :pk AND gsi1sk BETWEEN :from AND :to',
      ExpressionAttributeValues: {
        ':pk': gsi1pk,
        ...(page.between === undefined ? {} : { ':from': page.between.from, ':to': page.between.to }),
      },
      ...(page.startKey === undefined ? {} : { ExclusiveStartKey: page.startKey }),
    });

  const pageOf = (page: PageRequest, range: RangeInput): Promise<Page> =>
    open.count(() =>
      sharedPages(JSON.stringify([page.limit, page.reverse, range]), () => readPage(page, range)),
    );

  /** Queries until the page is full or the range ends: a response may end early (after 1 MB), and even be empty. */
  async function readPage({ limit, reverse = false }: PageRequest, range: RangeInput): Promise<Page> {
    const items: Item[] = [];
    let input: Omit<Input<'Query'>, 'Limit'> = { ScanIndexForward: !reverse, ...inTable, ...range };
    for (;;) {
      const output = await call('Query', { Limit: limit + 1 - items.length, ...input });
      items.push(...(output.Items ?? []));
      const { LastEvaluatedKey } = output;
      if (LastEvaluatedKey === undefined || items.length > limit) break;
      input = { ...input, ExclusiveStartKey: LastEvaluatedKey };
    }
    return { items: items.slice(0, limit), more: items.length > limit };
  }

  async function put(item: Key & Item, guard: Guard = {}): Promise<void> {
    await write('PutItem', { Item: item, ...inTable, ...conditionParams(guard) });
  }

  /** Resolves to the item as it is after the update. Not for increments without a condition: see docs. */
  async function update(key: Key, expression: Expression & { readonly update: string }): Promise<Item> {
    const UpdateExpression = expression.update;
    const { Attributes = {} } = await write('UpdateItem', {
      Key: key,
      UpdateExpression,
      ReturnValues: 'ALL_NEW',
      ...inTable,
      ...conditionParams(expression),
    });
    return Attributes;
  }

  async function remove(key: Key, guard: Guard = {}): Promise<void> {
    await write('DeleteItem', { Key: key, ...inTable, ...conditionParams(guard) });
  }

  /**
   * Writes all or nothing, at most 100 items. All attempts of the transport share a token, so a dropped connection does
   * not write twice. If another transaction is in the way, it is tried again, with jitter, until the deadline (the
   * transport never does that). Throws `ConditionsFailed` if a condition did not hold, which is final, and
   * `TransactionConflicted` if other transactions were in the way on every attempt.
   */
  async function transact(writes: readonly Write[], options: TransactOptions = {}): Promise<void> {
    const { attempts = Number.POSITIVE_INFINITY, until = performance.now() + callMs } = options;
    const { onUnits, isAwaited = true } = options;
    const TransactItems = writes.map((one) => transactItem(table, one));
    const changes = writes.filter((one) => !('check' in one)).length;
    const metered = onUnits === undefined ? metering : ({ ReturnConsumedCapacity: 'TOTAL' } as const);
    for (let attempt = 1; ; attempt++) {
      try {
        const input = { TransactItems, ClientRequestToken: randomUUID(), ...metered };
        const output = await call('TransactWriteItems', input, until - performance.now());
        onUnits?.(unitsOf('TransactWriteItems', output).writeUnits);
        onWrite?.(isAwaited, changes);
        return;
      } catch (error) {
        const reason = cancellation(error);
        if (reason instanceof ConditionsFailed) throw reason;
        if (reason === undefined) throw error;
        if (attempt < attempts && (await backoff(attempt, { until }))) continue;
        throw reason === 'conflict' ? new TransactionConflicted() : new OutageError(error);
      }
    }
  }

  /**
   * As `transact`, for writes that have names. Resolves to undefined if all of it was written; otherwise to the
   * conditions that did not hold, by name.
   */
  async function tryTransact<const W extends NamedWrites>(
    writes: W,
    options?: TransactOptions,
  ): Promise<FailedConditions<W> | undefined> {
    const { list, failuresOf } = flattenNamed(writes);
    try {
      await transact(list, options);
      return undefined;
    } catch (error) {
      if (error instanceof ConditionsFailed) return failuresOf(error.failed);
      throw error;
    }
  }

  /**
   * The items among the next 1 MB of the table that meet a condition: one step of a job that reads the whole table.
   * Costs at most 256 read units. With `part`, of this part of the table.
   */
  async function scanPage(
    { condition, ...placeholders }: Guard,
    after?: Key,
    part?: TablePart,
  ): Promise<ScanPage> {
    const output = await call('Scan', {
      TableName: table,
      ReturnConsumedCapacity: 'TOTAL',
      ...(part === undefined ? {} : { Segment: part.segment, TotalSegments: part.segments }),
      ConsistentRead: true,
      ...placeholderParams(placeholders),
      ...(condition === undefined ? {} : { FilterExpression: condition }),
      ...(after === undefined ? {} : { ExclusiveStartKey: { ...after } }),
    });
    const { Items: items = [], ScannedCount: scanned = items.length, LastEvaluatedKey } = output;
    const page = { items, scanned, units: unitsOf('Scan', output).readUnits };
    return LastEvaluatedKey === undefined ? page : { ...page, next: keyOf(LastEvaluatedKey) };
  }

  /** Every item of the table that meets a condition, page by page. Reads the whole table, to rebuild or verify. */
  async function* scan(guard: Guard): AsyncGenerator<Item> {
    for (let page = await scanPage(guard); ; page = await scanPage(guard, page.next)) {
      yield* page.items;
      if (page.next === undefined) return;
    }
  }

  return {
    transport,
    table,
    timeouts,
    shape,
    scan,
    scanPage,
    get,
    batchGet,
    query,
    queryIndex,
    put,
    update,
    remove,
    transact,
    tryTransact,
    /** `optimistic` with this database's budget. */
    optimistic: <T>(attempt: (number: number) => Promise<T | Again>): Promise<T> =>
      optimistic(attempt, { budgetMs: optimisticMs }),
  };
}

const WRITES = new Set<Operation>(['PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems']);

function unitsOf(operation: Operation, { ConsumedCapacity = [] }: Costs) {
  const units = [ConsumedCapacity].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
  return WRITES.has(operation) ? { readUnits: 0, writeUnits: units } : { readUnits: units, writeUnits: 0 };
}
