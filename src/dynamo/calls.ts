import { defined } from '../core/defined.ts';
import { OutageError } from '../core/errors.ts';
import { currentPattern, currentSpan } from '../core/work.ts';
import { refusalIn } from './errors.ts';
import type { Call, Metering } from './metering.ts';
import { createOpenCalls } from './openCalls.ts';
import type { Costs, Input, Operation, Output, Transport } from './transport/transport.ts';

export interface CallsOptions extends Metering {
  readonly transport: Transport;
  readonly table: string;
  /** The name of requests that are not part of any other work. */
  readonly pattern?: string;
  /**
   * Called after every response, before its result is used. If it returns a promise, the request waits for it and fails
   * with it: a process that was suspended has to find out first whether this table is still in use.
   */
  readonly confirm?: () => Promise<void> | undefined;
  /** The deadline of one call with all its attempts, in milliseconds. */
  readonly callMs: number;
}

export type Calls = ReturnType<typeof createCalls>;

/** Requests to DynamoDB, each of them metered, traced and confirmed, with what reads and writes have in common. */
export function createCalls(options: CallsOptions) {
  const { transport, table, onCost, onFailure, confirm, callMs, pattern = 'other' } = options;
  const metering = onCost === undefined ? {} : { ReturnConsumedCapacity: 'TOTAL' as const };
  const open = createOpenCalls();

  /**
   * One request. Rejects with `OutageError` if there is no response in time or DynamoDB refuses this process, and with
   * `ServiceError` if it refuses the request.
   */
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

  return { call, open, table, callMs, metering, inTable: { TableName: table, ...metering } };
}

const WRITES = new Set<Operation>(['PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems']);

/** The units that DynamoDB charged, which it says only if it was asked for costs. */
export function unitsOf(operation: Operation, { ConsumedCapacity = [] }: Costs) {
  const units = [ConsumedCapacity].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
  return WRITES.has(operation) ? { readUnits: 0, writeUnits: units } : { readUnits: units, writeUnits: 0 };
}
