import { ConditionsFailed, ServiceError } from './errors.ts';
import type { Item } from './item.ts';
import type { Key } from './keys.ts';
import type { ConditionFields, TransactItem } from './transport/transport.ts';

/** A condition, update or filter. Names and values are those of DynamoDB's placeholders (`#a`, `:a`). */
export interface Expression {
  readonly condition?: string;
  readonly update?: string;
  readonly names?: Readonly<Record<string, string>>;
  readonly values?: Readonly<Record<string, unknown>>;
}

export type Guard = Omit<Expression, 'update'>;

/** Holds if the item's `rev` is still the one that was read. 0: there was no item. */
export const ifVersion = (version: number) =>
  version === 0
    ? { condition: 'attribute_not_exists(pk)' }
    : { condition: 'rev = :rev', values: { ':rev': version } };

export type Write =
  | ({ readonly put: Key & Item } & Guard)
  | ({ readonly key: Key; readonly update: string } & Guard)
  | ({ readonly delete: Key } & Guard)
  | ({ readonly check: Key; readonly condition: string } & Guard);

export function expressionParams({ condition, names, values }: Omit<Expression, 'update'>): ConditionFields {
  return {
    ...(condition === undefined
      ? {}
      : { ConditionExpression: condition, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }),
    // DynamoDB refuses empty ones. Not every emulator does.
    ...(isEmpty(names) ? {} : { ExpressionAttributeNames: { ...names } }),
    ...(isEmpty(values) ? {} : { ExpressionAttributeValues: { ...values } }),
  };
}

const isEmpty = (record: object | undefined): boolean =>
  record === undefined || Object.keys(record).length === 0;

/** A write in the form of `TransactWriteItems`. */
export function transactItem(TableName: string, write: Write): TransactItem {
  const params = expressionParams(write);
  if ('put' in write) return { Put: { TableName, Item: write.put, ...params } };
  if ('delete' in write) return { Delete: { TableName, Key: write.delete, ...params } };
  if ('check' in write) {
    return {
      ConditionCheck: { TableName, Key: write.check, ...params, ConditionExpression: write.condition },
    };
  }
  return { Update: { TableName, Key: write.key, UpdateExpression: write.update, ...params } };
}

/**
 * Why DynamoDB cancelled a transaction: the conditions that did not hold, a conflict with another transaction, or
 * `throttled` (a lack of capacity). Undefined for all other errors.
 */
export function cancellation(error: unknown): ConditionsFailed | 'conflict' | 'throttled' | undefined {
  if (!(error instanceof ServiceError) || error.name !== 'TransactionCanceledException') return undefined;
  const failed = error.reasons.map(({ code, item }) =>
    code === 'ConditionalCheckFailed' ? { item } : undefined,
  );
  if (failed.some((reason) => reason !== undefined)) return new ConditionsFailed(failed);
  const codes = new Set(error.reasons.map(({ code }) => code));
  if (codes.has('TransactionConflict')) return 'conflict';
  return codes.has('ThrottlingError') || codes.has('ProvisionedThroughputExceeded') ? 'throttled' : undefined;
}
