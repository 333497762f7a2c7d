import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import type { Operation } from './faultProxy.ts';

/**
 * How often a client was asked for something. What it sends again, having had no answer for a second, is the same
 * request: a test whose process is paused must not take it for another.
 */
export function countRequests(
  client: Pick<DynamoDBClient, 'middlewareStack'> | Pick<DynamoDBStreamsClient, 'middlewareStack'>,
): (operation: Operation) => number {
  const counts = new Map<string, number>();
  const stack = client.middlewareStack as DynamoDBClient['middlewareStack'];
  stack.add(
    (next, { commandName = '' }) =>
      async (request) => {
        counts.set(commandName, (counts.get(commandName) ?? 0) + 1);
        return next(request);
      },
    { step: 'initialize', name: 'countRequests' },
  );
  return (operation) => counts.get(`${operation}Command`) ?? 0;
}
