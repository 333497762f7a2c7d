import type { ExecutionResult } from 'graphql';
import { TsudoiError } from '../core/errors.ts';
import type { SubscribeMiddleware } from './sharedExecution.ts';
import { subscriptionEvents } from './subscriptionEvents.ts';

/**
 * Ends a subscription behind an event of which something could not be read. Its reader gets what there is of it, with
 * the error, and comes back with the last cursor, or to the whole state: went it on, they would never hear of it again.
 */
export function completeOnPartialError(subscribe: SubscribeMiddleware): SubscribeMiddleware {
  return async (args, otherwise) => {
    const stream = await subscribe(args, otherwise);
    return Symbol.asyncIterator in stream ? untilUntold(stream) : stream;
  };
}

function untilUntold(stream: AsyncIterable<ExecutionResult>): AsyncIterable<ExecutionResult> {
  const results = stream[Symbol.asyncIterator]();
  const close = () => void results.return?.();
  let over = false;
  return subscriptionEvents<ExecutionResult>({
    close,
    async next() {
      if (over) return { done: true, value: undefined };
      const result = await results.next();
      if (result.done !== true && isUntold(result.value)) {
        over = true;
        close();
      }
      return result;
    },
  });
}

const isUntold = ({ data, errors = [] }: ExecutionResult): boolean =>
  errors.length > 0 && (data == null || errors.some(({ originalError }) => isUnavailable(originalError)));

const isUnavailable = (error: unknown): boolean =>
  error instanceof TsudoiError && error.code === 'UNAVAILABLE';
