import type { Item } from '../item.ts';
import type { Key } from '../keys.ts';

/**
 * The requests that the table's items are read and written with, in the fields of DynamoDB's API and with plain
 * JavaScript values instead of typed ones (`'x'`, not `{ S: 'x' }`). `sdk.ts` and `direct.ts` implement it, and
 * `test/dynamo/transport/contract.test.ts` holds for both. The stream has a port of its own (`streams.ts`), and tables
 * are created through the SDK's client.
 */
export interface Transport {
  /**
   * Sends one request, with the attempts that the SDK's retry strategy allows. Fields that are undefined are left out;
   * inside of items, too. Rejects with `OutageError` if there is no response in time (whether a write was done is
   * then unknown), and with `ServiceError` if it refuses the request.
   */
  send<O extends Operation>(operation: O, input: Input<O>, options: SendOptions): Promise<Output<O>>;
}

export interface SendOptions {
  /** For all attempts together, in milliseconds. */
  readonly timeoutMs: number;
  /** Ends the request early, with an `OutageError`. */
  readonly signal?: AbortSignal;
}

/** Aborts at the deadline or with the caller's signal: what the SDK's clients need to keep `SendOptions`. */
export function abortSignalOf({ timeoutMs, signal }: SendOptions): AbortSignal {
  const deadline = AbortSignal.timeout(Math.max(1, Math.ceil(timeoutMs)));
  return signal === undefined ? deadline : AbortSignal.any([deadline, signal]);
}

export type Operation = keyof Calls;
export type Input<O extends Operation> = Calls[O]['input'];
export type Output<O extends Operation> = Calls[O]['output'];

interface Calls {
  GetItem: {
    readonly input: OneTable & Metered & { readonly Key: Key; readonly ConsistentRead?: boolean };
    readonly output: Costs & { readonly Item?: Item | undefined };
  };
  BatchGetItem: {
    readonly input: Metered & { readonly RequestItems: ByTable<KeysOfTable> };
    readonly output: Costs & {
      readonly Responses?: ByTable<Item[]> | undefined;
      readonly UnprocessedKeys?: ByTable<{ readonly Keys?: Item[] | undefined }> | undefined;
    };
  };
  Query: {
    readonly input: Range & {
      readonly KeyConditionExpression: string;
      readonly IndexName?: string;
      readonly ScanIndexForward?: boolean;
    };
    readonly output: ItemPage;
  };
  Scan: {
    readonly input: Range & {
      readonly FilterExpression?: string;
      readonly Segment?: number;
      readonly TotalSegments?: number;
    };
    readonly output: ItemPage & { readonly ScannedCount?: number | undefined };
  };
  PutItem: {
    readonly input: OneTable & Metered & ConditionFields & { readonly Item: Item };
    readonly output: Costs;
  };
  UpdateItem: {
    readonly input: OneTable & Metered & UpdateFields & { readonly ReturnValues?: 'ALL_NEW' };
    readonly output: Costs & { readonly Attributes?: Item | undefined };
  };
  DeleteItem: {
    readonly input: OneTable & Metered & ConditionFields & { readonly Key: Key };
    readonly output: Costs;
  };
  TransactWriteItems: {
    readonly input: Metered & {
      readonly TransactItems: TransactItem[];
      readonly ClientRequestToken?: string;
    };
    readonly output: Costs;
  };
  BatchWriteItem: {
    readonly input: Metered & { readonly RequestItems: ByTable<Array<{ PutRequest: { Item: Item } }>> };
    readonly output: Costs & {
      readonly UnprocessedItems?:
        | ByTable<Array<{ PutRequest?: { Item: Item | undefined } | undefined }>>
        | undefined;
    };
  };
}

/** One write of a transaction. */
export type TransactItem =
  | { readonly Put: OneTable & ConditionFields & { readonly Item: Item } }
  | { readonly Update: OneTable & UpdateFields }
  | { readonly Delete: OneTable & ConditionFields & { readonly Key: Key } }
  | {
      readonly ConditionCheck: OneTable &
        ConditionFields & { readonly Key: Key; readonly ConditionExpression: string };
    };

/** The placeholders of an expression (`#a`, `:a`), and what they stand for. */
export interface Placeholders {
  readonly ExpressionAttributeNames?: Record<string, string>;
  readonly ExpressionAttributeValues?: Item;
}

export interface ConditionFields extends Placeholders {
  readonly ConditionExpression?: string;
  readonly ReturnValuesOnConditionCheckFailure?: 'ALL_OLD';
}

interface UpdateFields extends ConditionFields {
  readonly Key: Key;
  readonly UpdateExpression: string;
}

interface OneTable {
  readonly TableName: string;
}

interface Range extends OneTable, Metered, Placeholders {
  readonly ConsistentRead?: boolean;
  readonly ExclusiveStartKey?: Item;
  readonly Limit?: number;
}

interface KeysOfTable {
  readonly Keys: Item[];
  readonly ConsistentRead: boolean;
}

type ByTable<T> = Record<string, T>;

/** Whether the response says what the request cost. */
export interface Metered {
  readonly ReturnConsumedCapacity?: 'TOTAL';
}

interface Capacity {
  readonly CapacityUnits?: number | undefined;
}

/** Present if `ReturnConsumedCapacity` was; a list if the request may name several tables. */
export interface Costs {
  readonly ConsumedCapacity?: Capacity | Capacity[] | undefined;
}

interface ItemPage extends Costs {
  readonly Items?: Item[] | undefined;
  /** Absent if the range ends with this page. */
  readonly LastEvaluatedKey?: Item | undefined;
}
