import { ConditionsFailed, ServiceError } from './errors.ts';
import type { Item } from './item.ts';
import type { Key } from './keys.ts';
import { NEWEST_SHAPE } from './shapes.ts';
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

/** Part of a transaction that writes nothing. */
export type Check = { readonly check: Key; readonly condition: string } & Guard;

export type Write =
  | ({ readonly put: Key & Item } & Guard)
  | ({ readonly key: Key; readonly update: string } & Guard)
  | ({ readonly delete: Key } & Guard)
  | Check;

/** The parameters of a write. One with a condition leaves items alone whose shape this release does not know. */
export function conditionParams({ condition, ...rest }: Omit<Expression, 'update'>): ConditionFields {
  if (condition === undefined) return placeholderParams(rest);
  const { condition: ConditionExpression, ...placeholders } = ofKnownShape({ condition, ...rest });
  return {
    ConditionExpression,
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    ...placeholderParams(placeholders),
  };
}

export function placeholderParams({ names, values }: Pick<Expression, 'names' | 'values'>) {
  return {
    // DynamoDB refuses empty ones. Not every emulator does.
    ...(isEmpty(names) ? {} : { ExpressionAttributeNames: { ...names } }),
    ...(isEmpty(values) ? {} : { ExpressionAttributeValues: { ...values } }),
  };
}

const isEmpty = (record: object | undefined): boolean =>
  record === undefined || Object.keys(record).length === 0;

/** A write in the form of `TransactWriteItems`. */
export function transactItem(TableName: string, write: Write): TransactItem {
  const params = conditionParams(write);
  if ('put' in write) return { Put: { TableName, Item: write.put, ...params } };
  if ('delete' in write) return { Delete: { TableName, Key: write.delete, ...params } };
  if ('check' in write) {
    const { ConditionExpression = write.condition } = params;
    return { ConditionCheck: { TableName, Key: write.check, ...params, ConditionExpression } };
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

/**
 * The same condition, for items of a shape that this release knows. It costs nothing more. Items that do not exist have
 * no `v`, and a comparison with nothing is false.
 */
function ofKnownShape<G extends Guard>(guard: G & { readonly condition: string }): G {
  const { condition, values } = guard;
  // DynamoDB refuses brackets around brackets.
  const own = / OR /i.test(condition) ? `(${condition})` : condition;
  return {
    ...guard,
    condition: `${own} AND NOT v > :newestShape`,
    values: { ...values, ':newestShape': NEWEST_SHAPE },
  };
}
