import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { ConditionsFailed } from './errors.ts';
import type { Item } from './item.ts';
import type { Key } from './keys.ts';

/** A condition, update or filter. Names and values are those of DynamoDB's placeholders (`#a`, `:a`). */
export interface Expression {
  readonly condition?: string;
  readonly update?: string;
  readonly names?: Readonly<Record<string, string>>;
  readonly values?: Readonly<Record<string, unknown>>;
}

export type Guard = Omit<Expression, 'update'>;

export type Write =
  | ({ readonly put: Key & Item } & Guard)
  | ({ readonly key: Key; readonly update: string } & Guard)
  | ({ readonly delete: Key } & Guard)
  | ({ readonly check: Key; readonly condition: string } & Guard);

export function expressionParams({ condition, names, values }: Expression) {
  return {
    ...(condition === undefined
      ? {}
      : { ConditionExpression: condition, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const }),
    // DynamoDB refuses empty ones. Not every emulator does.
    ...(isEmpty(names) ? {} : { ExpressionAttributeNames: { ...names } }),
    ...(isEmpty(values) ? {} : { ExpressionAttributeValues: { ...values } }),
  };
}

const isEmpty = (record: object | undefined): boolean =>
  record === undefined || Object.keys(record).length === 0;

type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** A write in the form of `TransactWriteItems`. */
export function transactItem(TableName: string, write: Write): TransactItem {
  if ('put' in write) return { Put: { TableName, Item: write.put, ...expressionParams(write) } };
  if ('delete' in write)
    return { Delete: { TableName, Key: { ...write.delete }, ...expressionParams(write) } };
  if ('check' in write) {
    const expression = { ...expressionParams(write), ConditionExpression: write.condition };
    return { ConditionCheck: { TableName, Key: { ...write.check }, ...expression } };
  }
  return {
    Update: { TableName, Key: { ...write.key }, UpdateExpression: write.update, ...expressionParams(write) },
  };
}

/**
 * Why DynamoDB cancelled a transaction: the conditions that did not hold, a conflict with another transaction, or
 * `throttled` (a lack of capacity). Undefined for all other errors.
 */
export function cancellation(error: unknown): ConditionsFailed | 'conflict' | 'throttled' | undefined {
  if (!(error instanceof Error) || error.name !== 'TransactionCanceledException') return undefined;
  const reasons =
    (error as { CancellationReasons?: Array<{ Code?: string; Item?: unknown }> }).CancellationReasons ?? [];
  const failed = reasons.map(({ Code, Item }) =>
    Code === 'ConditionalCheckFailed' ? { item: unmarshalled(Item) as Item | undefined } : undefined,
  );
  if (failed.some((reason) => reason !== undefined)) return new ConditionsFailed(failed);
  const codes = new Set(reasons.map(({ Code }) => Code));
  if (codes.has('TransactionConflict')) return 'conflict';
  return codes.has('ThrottlingError') || codes.has('ProvisionedThroughputExceeded') ? 'throttled' : undefined;
}

/** The document client does not unmarshall the items in exceptions. */
export function unmarshalled(item: unknown): Item | undefined {
  return item === undefined || item === null ? undefined : unmarshall(item as Record<string, AttributeValue>);
}
