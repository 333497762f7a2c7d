/**
 * The consumer as an AWS Lambda function. The event source mapping does what leases and readers do in the other
 * hosts; the dispatcher and the handlers are the same.
 *
 * The dispatcher writes a dead letter to the table for a change that keeps failing, as in every other host. If
 * Lambda gave up on it instead, it could drop the good changes next to it, and a queue would receive only
 * sequence numbers, whose records are gone after a day. So the mapping has only outages and crashes to deal with:
 *
 *   FunctionResponseTypes        ReportBatchItemFailures   or a partial failure counts as a success
 *   MaximumRetryAttempts         -1                        an outage may last as long as the stream keeps records
 *   BisectBatchOnFunctionError   true                      for a batch that kills the function itself
 *   ParallelizationFactor        1 or more                 the changes of one partition key stay in order
 *   DestinationConfig.OnFailure  a queue with an alarm     its batches are lost: `npm run -s repair -- --forgotten`
 *   StartingPosition             TRIM_HORIZON
 *   function timeout             60 s or more              see `marginMs`
 *
 * A mapping has one checkpoint for each shard, so a function runs one group of handlers: the core group. An
 * optional group needs a worker, or a function and a mapping of its own (DynamoDB allows two readers per shard).
 */
import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { type Clock, systemClock } from '../core/clock.ts';
import { type Dispatcher, DispatchStopped } from './dispatcher.ts';
import { changeOfLambdaRecord } from './records.ts';

export interface LambdaOptions {
  readonly dispatcher: Dispatcher;
  /**
   * How long before the function's timeout no new call begins. Must cover the dispatcher's grace, or the function
   * is killed before it can report how far it got.
   */
  readonly marginMs?: number;
  readonly clock?: Clock;
}

/** The part of Lambda's context that this module uses. */
export interface LambdaContext {
  getRemainingTimeInMillis(): number;
}

/**
 * Reports the sequence number of the first unhandled change, if there is one. Lambda sends it and all later ones again.
 */
export function createLambdaHandler({ dispatcher, marginMs = 6_000, clock = systemClock }: LambdaOptions) {
  return async (event: DynamoDBStreamEvent, context: LambdaContext): Promise<DynamoDBBatchResponse> => {
    const changes = event.Records.flatMap((record) => changeOfLambdaRecord(record) ?? []);
    const left = context.getRemainingTimeInMillis() - marginMs;
    const stop = new AbortController();
    if (left <= 0) stop.abort();
    const cancel = clock.after(left, () => stop.abort());
    try {
      await dispatcher.dispatch(changes, stop.signal);
      return { batchItemFailures: [] };
    } catch (error) {
      if (!(error instanceof DispatchStopped)) throw error;
      return { batchItemFailures: [{ itemIdentifier: error.firstUnhandled.sequence }] };
    } finally {
      cancel();
    }
  };
}
