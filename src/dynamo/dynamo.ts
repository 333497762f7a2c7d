import { type CallsOptions, createCalls } from './calls.ts';
import { TIMEOUTS, type Timeouts } from './client.ts';
import { type Again, optimistic } from './optimistic.ts';
import { createReads } from './reads.ts';
import { FIRST_SHAPE } from './shapes.ts';
import { createWrites, type OnWrite } from './writes.ts';

export interface DynamoOptions extends Omit<CallsOptions, 'callMs'> {
  /** The stream consumer of this process need not wait for its next poll. */
  readonly onWrite?: OnWrite;
  /** Default: `TIMEOUTS`. */
  readonly timeouts?: Pick<Timeouts, 'callMs' | 'optimisticMs'>;
  /** The shape that is written at this moment. Default: the first, which every release can read. */
  readonly shape?: () => number;
}

/**
 * The table's operations as the features use them. Reads are strongly consistent, except those of the index. Errors:
 * `ConditionFailed`, `ConditionsFailed`, and `UNAVAILABLE` if there is no response in time; whether such a
 * write was done is then unknown.
 */
export type Dynamo = ReturnType<typeof createDynamo>;

export function createDynamo(options: DynamoOptions) {
  const { transport, table, onWrite, timeouts = TIMEOUTS, shape = () => FIRST_SHAPE } = options;
  const { callMs, optimisticMs } = timeouts;
  const calls = createCalls({ ...options, callMs });
  return {
    transport,
    table,
    timeouts,
    shape,
    ...createReads(calls),
    ...createWrites(calls, onWrite),
    /** `optimistic` with this database's budget. */
    optimistic: <T>(attempt: (number: number) => Promise<T | Again>): Promise<T> =>
      optimistic(attempt, { budgetMs: optimisticMs }),
  };
}
