import type { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import type { Operation, Transport } from '../../src/dynamo/transport/transport.ts';

type StreamOperation = 'DescribeStream' | 'GetRecords' | 'GetShardIterator';

/**
 * Counts requests, not attempts: a test whose process is paused must not take the second attempt, after a second
 * without an answer, for another request.
 */
export function counting(transport: Transport) {
  const counts = new Map<Operation, number>();
  const counted: Transport = {
    send(operation, input, options) {
      counts.set(operation, (counts.get(operation) ?? 0) + 1);
      return transport.send(operation, input, options);
    },
  };
  return { transport: counted, count: (operation: Operation) => counts.get(operation) ?? 0 };
}

/** The same for what reads the stream. */
export function countRequests(streams: DynamoDBStreamsClient): (operation: StreamOperation) => number {
  const counts = new Map<string, number>();
  streams.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (request) => {
        counts.set(commandName, (counts.get(commandName) ?? 0) + 1);
        return next(request);
      },
    { step: 'initialize', name: 'countRequests' },
  );
  return (operation) => counts.get(`${operation}Command`) ?? 0;
}
