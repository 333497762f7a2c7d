/** What the program learns of each request to DynamoDB. */
import type { Operation } from './transport/transport.ts';

/** What one request to DynamoDB cost. `docs/data-model.md` has the sum for each access pattern. */
export interface Cost extends Call {
  readonly readUnits: number;
  readonly writeUnits: number;
}

/** One request to DynamoDB, with all its attempts. */
export interface Call {
  readonly operation: Operation;
  /** What it was for: see `Work`. */
  readonly pattern: string;
  readonly ms: number;
  /** The `id` of its span, if it is traced. */
  readonly span?: string | undefined;
}

/**
 * `outage`: no response in time, or DynamoDB refuses this process. `refused`: a condition that did not hold, or another
 * write that was in the way.
 */
export interface FailedCall extends Call {
  readonly reason: 'outage' | 'refused';
  /** Why DynamoDB refuses this process: see `refusalIn`. */
  readonly refusal?: Error;
}

export interface Metering {
  /** Called with the cost of every request that succeeded. Without it, DynamoDB is not asked for costs. */
  readonly onCost?: (cost: Cost) => void;
  /** Called with every other request. */
  readonly onFailure?: (call: FailedCall) => void;
}
