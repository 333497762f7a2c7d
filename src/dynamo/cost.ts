import type { Costs, Operation } from './transport/transport.ts';

/** What one request to DynamoDB cost. `docs/data-model.md` has the sum for each access pattern. */
export interface Cost {
  readonly operation: Operation;
  readonly readUnits: number;
  readonly writeUnits: number;
}

const WRITES = new Set<Operation>(['PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems']);

export function costOf(operation: Operation, { ConsumedCapacity = [] }: Costs): Cost {
  const units = [ConsumedCapacity].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
  return WRITES.has(operation)
    ? { operation, readUnits: 0, writeUnits: units }
    : { operation, readUnits: units, writeUnits: 0 };
}
