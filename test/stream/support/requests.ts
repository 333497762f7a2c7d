import type { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import type { Operation, Transport } from '../../../src/dynamo/transport/transport.ts';

type StreamOperation = 'DescribeStream' | 'GetRecords' | 'GetShardIterator';

/**
 * Counts a client's calls by operation. A request that the client repeats because it had no answer for a second counts
 * once, so that a paused test process does not change the result.
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
