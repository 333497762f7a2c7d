import type { ExecutionArgs, ExecutionResult } from 'graphql';
import { defined } from '../../../src/core/defined.ts';
import type { Payload, SubscribeMiddleware } from '../../../src/core/subscribe.ts';
import { createSubscription, type LiveStream } from '../../../src/live/subscription.ts';

/** What a client receives of a result. */
const received = (payload: Payload): ExecutionResult =>
  JSON.parse(Buffer.isBuffer(payload) ? String(payload) : JSON.stringify(payload));

/** Everything that is pushed to one client until the subscription completes. */
export async function pushed(
  subscribe: SubscribeMiddleware,
  args: ExecutionArgs,
): Promise<ExecutionResult[]> {
  const results: ExecutionResult[] = [];
  const push = (payload: Payload) => void results.push(received(payload));
  const stream = await subscribe({ ...args, push }, () => {
    throw new Error('The field is not shared.');
  });
  if (!(Symbol.asyncIterator in stream)) return [received(stream)];
  for await (const result of stream) results.push(result);
  return results;
}

/** A live stream of these values, which then completes. */
export function streamOf<T>(values: readonly T[], onClose?: () => void): LiveStream<T> {
  let next = 0;
  const subscription = createSubscription<T>({
    take() {
      if (next === values.length) subscription.close();
      return values[next++];
    },
    ...defined({ close: onClose }),
  });
  return subscription.events;
}
