import { randomUUID } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  type QueryCommandInput,
  ScanCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { OutageError } from '../core/errors.ts';
import { backoff } from '../core/retry.ts';
import { TIMEOUTS, type Timeouts } from './client.ts';
import { type Cost, costOf } from './cost.ts';
import { ConditionFailed, ConditionsFailed, mapSdkError, TransactionConflicted } from './errors.ts';
import type { Item } from './item.ts';
import type { Key, KeyRange } from './keys.ts';
import { type FailedConditions, type NamedWrites, named } from './namedWrites.ts';
import { INDEX } from './table.ts';
import {
  cancellation,
  type Expression,
  expressionParams,
  type Guard,
  transactItem,
  unmarshalled,
  type Write,
} from './write.ts';

export interface DynamoOptions {
  readonly client: DynamoDBClient;
  readonly table: string;
  /** Told of every request's cost. Without it no cost is asked for. */
  readonly onCost?: (cost: Cost) => void;
  /** Told after every successful write: the in-process stream consumer need not wait for its next poll. */
  readonly onWrite?: () => void;
  /** Default: `PATIENCE`. */
  readonly patience?: Pick<Timeouts, 'callMs'>;
}

export interface PageRequest {
  /** How many items at most; a page may have fewer only where the range ends. */
  readonly limit: number;
  /** Newest (largest key) first. */
  readonly reverse?: boolean;
  /** Start behind this sort key (in the direction of reading), which need not exist any more. */
  readonly after?: string;
}

/** `startKey`: the last item's keys, the index's among them; absent: from the end. */
export type IndexPageRequest = Omit<PageRequest, 'after'> & { readonly startKey?: Item };

export interface Page {
  readonly items: readonly Item[];
  /** Whether the range has more in the direction of reading: proven, by one item read beyond the page. */
  readonly more: boolean;
}

export interface TransactOptions {
  /** A deadline on the clock of `performance.now()`. Default: the client's own for one call. */
  readonly until?: number;
  /** How often a conflict is tried at most. Default: until the deadline. */
  readonly attempts?: number;
}

type Asked = Omit<QueryCommandInput, 'TableName' | 'Limit' | 'ScanIndexForward'>;

const BATCH_GET_MAX = 100;

/**
 * The table's operations as the features use them. Reads are strongly consistent unless they go to the
 * index. Errors: `ConditionFailed`, `TransactionRefused`, and `UNAVAILABLE` where DynamoDB does not
 * answer within its patience; whether an unanswered write was done is then unknown.
 */
export type Dynamo = ReturnType<typeof createDynamo>;

export function createDynamo({ client, table, onCost, onWrite, patience = TIMEOUTS }: DynamoOptions) {
  const { callMs } = patience;
  const documents = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
  const metering = onCost === undefined ? {} : { ReturnConsumedCapacity: 'TOTAL' as const };

  async function call<T>(
    operation: string,
    send: (options: { abortSignal: AbortSignal }) => Promise<T>,
    deadline = callMs,
  ) {
    try {
      const output = await send({ abortSignal: AbortSignal.timeout(Math.max(1, Math.ceil(deadline))) });
      if (onCost !== undefined) onCost(costOf(operation, output));
      return output;
    } catch (error) {
      throw mapSdkError(error);
    }
  }

  /**
   * As `call`, for one write; a condition that does not hold becomes `ConditionFailed`. Where a transaction on the
   * same item is under way, DynamoDB refuses it and the SDK does not try again: we do, as in `transact`.
   */
  async function write<T>(operation: string, send: (options: { abortSignal: AbortSignal }) => Promise<T>) {
    const until = performance.now() + callMs;
    for (let attempt = 0; ; attempt++) {
      if (attempt > 0 && !(await backoff(attempt, { until }))) throw new TransactionConflicted();
      try {
        const output = await call(operation, send, until - performance.now());
        onWrite?.();
        return output;
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        if (error.name === 'ConditionalCheckFailedException') {
          const item = 'Item' in error ? (unmarshalled(error.Item) as Item | undefined) : undefined;
          throw new ConditionFailed(item);
        }
        if (error.name !== 'TransactionConflictException') throw error;
      }
    }
  }

  async function get(key: Key): Promise<Item | undefined> {
    const output = await call('GetItem', (options) =>
      documents.send(
        new GetCommand({ TableName: table, Key: { ...key }, ConsistentRead: true, ...metering }),
        options,
      ),
    );
    return output.Item;
  }

  /** Any number of keys, in the order asked for; 100 a round trip, the round trips side by side. */
  async function batchGet(wanted: readonly Key[]): Promise<Array<Item | undefined>> {
    const unique = new Map(wanted.map((key) => [`${key.pk}\n${key.sk}`, key]));
    const all = [...unique.values()];
    const chunks: Key[][] = [];
    for (let i = 0; i < all.length; i += BATCH_GET_MAX) chunks.push(all.slice(i, i + BATCH_GET_MAX));
    const found = new Map<string, Item>();
    await Promise.all(
      chunks.map(async (chunk) => {
        for (const item of await getChunk(chunk)) found.set(`${item.pk}\n${item.sk}`, item);
      }),
    );
    return wanted.map(({ pk, sk }) => found.get(`${pk}\n${sk}`));
  }

  async function getChunk(chunk: readonly Key[]): Promise<Item[]> {
    const items: Item[] = [];
    const until = performance.now() + callMs;
    let keysLeft: ReadonlyArray<Record<string, unknown>> = chunk.map((key) => ({ pk: key.pk, sk: key.sk }));
    for (let attempt = 0; keysLeft.length > 0; attempt++) {
      if (attempt > 0 && !(await backoff(attempt, { until }))) throw new OutageError();
      const RequestItems = { [table]: { Keys: [...keysLeft], ConsistentRead: true } };
      const output = await call(
        'BatchGetItem',
        (options) => documents.send(new BatchGetCommand({ RequestItems, ...metering }), options),
        until - performance.now(),
      );
      items.push(...(output.Responses?.[table] ?? []));
      keysLeft = output.UnprocessedKeys?.[table]?.Keys ?? [];
    }
    return items;
  }

  /** One page of a range. One round trip for pages under 1 MB. */
  const query = ({ pk, from, to }: KeyRange, page: PageRequest): Promise<Page> =>
    pageOf(page, {
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: { ':pk': pk, ':from': from, ':to': to },
      ConsistentRead: true,
      // An exclusive start must lie in the range, which DynamoDB checks.
      ...(page.after === undefined ? {} : { ExclusiveStartKey: { pk, sk: page.after } }),
    });

  /** One page of keys from the index, in the index's order. Lags behind the table. */
  const queryIndex = (gsi1pk: string, page: IndexPageRequest): Promise<Page> =>
    pageOf(page, {
      IndexName: INDEX,
      KeyConditionExpression: 'gsi1pk = :pk',
      ExpressionAttributeValues: { ':pk': gsi1pk },
      ...(page.startKey === undefined ? {} : { ExclusiveStartKey: page.startKey }),
    });

  /** Asks on until the page is full or the range ends: an answer may end early (1 MB), and even be empty. */
  async function pageOf({ limit, reverse = false }: PageRequest, asked: Asked): Promise<Page> {
    const items: Item[] = [];
    let start = asked.ExclusiveStartKey;
    do {
      const { ExclusiveStartKey: _, ...range } = asked;
      const input = {
        ...{ TableName: table, ...range, ScanIndexForward: !reverse, ...metering },
        Limit: limit + 1 - items.length,
        ...(start === undefined ? {} : { ExclusiveStartKey: start }),
      };
      const output = await call('Query', (options) => documents.send(new QueryCommand(input), options));
      items.push(...(output.Items ?? []));
      start = output.LastEvaluatedKey;
    } while (start !== undefined && items.length <= limit);
    return { items: items.slice(0, limit), more: items.length > limit };
  }

  async function put(item: Key & Item, expression: Guard = {}): Promise<void> {
    await write('PutItem', (options) =>
      documents.send(
        new PutCommand({ TableName: table, Item: item, ...expressionParams(expression), ...metering }),
        options,
      ),
    );
  }

  /** Resolves to the item as it is after the update. Not for increments without a condition: see docs. */
  async function update(key: Key, expression: Expression & { readonly update: string }): Promise<Item> {
    const output = await write('UpdateItem', (options) =>
      documents.send(
        new UpdateCommand({
          TableName: table,
          Key: { ...key },
          UpdateExpression: expression.update,
          ReturnValues: 'ALL_NEW',
          ...expressionParams(expression),
          ...metering,
        }),
        options,
      ),
    );
    return output.Attributes ?? {};
  }

  async function remove(key: Key, expression: Guard = {}): Promise<void> {
    await write('DeleteItem', (options) =>
      documents.send(
        new DeleteCommand({
          TableName: table,
          Key: { ...key },
          ...expressionParams(expression),
          ...metering,
        }),
        options,
      ),
    );
  }

  /**
   * Writes all or nothing, at most 100 items. All attempts of the SDK share a token, so a dropped connection
   * does not write twice. A conflict with another transaction is tried again, with jitter, until the deadline
   * (the SDK never does). Throws `ConditionsFailed` if a condition did not hold, which is final, and
   * `TransactionConflicted` if other transactions were in the way on every attempt.
   */
  async function transact(writes: readonly Write[], options: TransactOptions = {}): Promise<void> {
    const { attempts = Number.POSITIVE_INFINITY, until = performance.now() + callMs } = options;
    const TransactItems = writes.map((one) => transactItem(table, one));
    for (let attempt = 1; ; attempt++) {
      try {
        const ClientRequestToken = randomUUID();
        await call(
          'TransactWriteItems',
          (options) =>
            documents.send(
              new TransactWriteCommand({ TransactItems, ClientRequestToken, ...metering }),
              options,
            ),
          until - performance.now(),
        );
        onWrite?.();
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
    const { list, failuresOf } = named(writes);
    try {
      await transact(list, options);
      return undefined;
    } catch (error) {
      if (error instanceof ConditionsFailed) return failuresOf(error.failed);
      throw error;
    }
  }

  /** Every item of the table that meets a condition, page by page. Reads all of it: for repairs and jobs only. */
  async function* scan({ condition, names, values }: Guard): AsyncGenerator<Item> {
    let start: Record<string, unknown> | undefined;
    do {
      const ExclusiveStartKey = start;
      const output = await call('Scan', (options) =>
        documents.send(
          new ScanCommand({
            TableName: table,
            ConsistentRead: true,
            ...(condition === undefined ? {} : { FilterExpression: condition }),
            ...(names === undefined ? {} : { ExpressionAttributeNames: { ...names } }),
            ...(values === undefined ? {} : { ExpressionAttributeValues: { ...values } }),
            ...(ExclusiveStartKey === undefined ? {} : { ExclusiveStartKey }),
            ...metering,
          }),
          options,
        ),
      );
      yield* output.Items ?? [];
      start = output.LastEvaluatedKey;
    } while (start !== undefined);
  }

  return {
    client,
    table,
    scan,
    get,
    batchGet,
    query,
    queryIndex,
    put,
    update,
    remove,
    transact,
    tryTransact,
  };
}
