/**
 * The consumer as an AWS Lambda function: the event source mapping does what leases and readers do
 * elsewhere, the dispatcher and the handlers are the same.
 *
 * A change that keeps failing is set aside by the dispatcher, in the table, as in every other host. Left to
 * Lambda, giving up on it could take its good neighbours along, and what a queue is told then are sequence
 * numbers, whose records are gone after a day. So the mapping has only outages and crashes to deal with:
 *
 *   FunctionResponseTypes        ReportBatchItemFailures   or a partial failure counts as a success
 *   MaximumRetryAttempts         -1                        an outage may last as long as the stream keeps records
 *   BisectBatchOnFunctionError   true                      for a batch that kills the function itself
 *   ParallelizationFactor        1 or more                 a partition key's changes stay in order
 *   DestinationConfig.OnFailure  a queue with an alarm     what gets there was lost: `npm run repair -- --forgotten`
 *   StartingPosition             TRIM_HORIZON
 *   function timeout             60 s or more              see `marginMs`
 */
import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { type Clock, systemClock } from '../core/clock.ts';
import { type Dispatcher, DispatchStopped } from './dispatcher.ts';
import { changeOfLambdaRecord } from './records.ts';

export interface LambdaOptions {
  readonly dispatcher: Dispatcher;
  /**
   * How long before the function's timeout nothing new is begun. Must cover the dispatcher's grace, or the
   * function is killed before it can tell what it has done.
   */
  readonly marginMs?: number;
  readonly clock?: Clock;
}

/** The part of Lambda's context that is used. */
export interface LambdaContext {
  getRemainingTimeInMillis(): number;
}

/**
 * A batch → the sequence number of the first change that is not done, if there is one: everything before
 * it is, and Lambda sends it and all behind it again.
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
      return { batchItemFailures: [{ itemIdentifier: error.undone.sequence }] };
    } finally {
      cancel();
    }
  };
}
