import type { ExecutionResult } from 'graphql';
import { TsudoiError } from '../core/errors.ts';
import { eventIterator } from './eventIterator.ts';

/**
 * The results of a stream of events. Completes after an event that could be read only in part: the client receives the
 * partial data with the error, and subscribes again from its last cursor, or to the whole state. If the stream stayed
 * open, the client would never receive the missing part.
 */
export function resultsOf<T>(
  stream: AsyncIterable<T>,
  execute: (event: T) => ExecutionResult | Promise<ExecutionResult>,
): AsyncIterableIterator<ExecutionResult> {
  const events = stream[Symbol.asyncIterator]();
  const close = () => void events.return?.();
  let completed = false;
  return eventIterator<ExecutionResult>({
    close,
    async next() {
      const event = completed ? undefined : await events.next();
      if (event === undefined || event.done === true) return { done: true, value: undefined };
      const value = await execute(event.value);
      if (isPartial(value)) {
        completed = true;
        close();
      }
      return { done: false, value };
    },
  });
}

/** Whether something could not be read that may be there the next time. */
export const isPartial = ({ data, errors = [] }: ExecutionResult): boolean =>
  errors.length > 0 && (data == null || errors.some(({ originalError }) => isUnavailable(originalError)));

const isUnavailable = (error: unknown): boolean =>
  error instanceof TsudoiError && error.code === 'UNAVAILABLE';
