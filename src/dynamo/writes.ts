import { randomUUID } from 'node:crypto';
import { OutageError } from '../core/errors.ts';
import { backoff } from '../core/retry.ts';
import { type Calls, unitsOf } from './calls.ts';
import { ConditionFailed, ConditionsFailed, ServiceError, TransactionConflicted } from './errors.ts';
import type { Item } from './item.ts';
import type { Key } from './keys.ts';
import { type FailedConditions, flattenNamed, type NamedWrites } from './namedWrites.ts';
import type { Input, Output } from './transport/transport.ts';
import {
  cancellation,
  conditionParams,
  type Expression,
  type Guard,
  transactItem,
  type Write,
} from './write.ts';

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

type SingleWrite = 'PutItem' | 'UpdateItem' | 'DeleteItem';

/**
 * Called after every successful write. `isAwaited`: see `TransactOptions`. `changes`: how many items were written.
 */
export type OnWrite = (isAwaited: boolean, changes: number) => void;

/** Writes of one item, and transactions. */
export function createWrites(
  { call, table, callMs, metering, inTable }: Calls,
  onWrite: OnWrite | undefined,
) {
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

  return { put, update, remove, transact, tryTransact };
}
