/** What one request to DynamoDB cost. `docs/data-model.md` has the sum for each access pattern. */
export interface Cost {
  readonly operation: string;
  readonly readUnits: number;
  readonly writeUnits: number;
}

interface Capacity {
  readonly CapacityUnits?: number | undefined;
}

const WRITES = new Set(['PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems']);

export function costOf(operation: string, output: unknown): Cost {
  const consumed = (output as { ConsumedCapacity?: Capacity | Capacity[] }).ConsumedCapacity ?? [];
  const units = [consumed].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
  return WRITES.has(operation)
    ? { operation, readUnits: 0, writeUnits: units }
    : { operation, readUnits: units, writeUnits: 0 };
}
