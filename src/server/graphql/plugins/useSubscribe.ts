import type { ExecutionArgs, ExecutionResult } from 'graphql';
import type { ServerPlugin } from '../operation.ts';

type Subscribed = AsyncIterable<ExecutionResult> | ExecutionResult;

/**
 * Sends a result to the client: the JSON text of one without errors, or the result itself. A promise: the client has
 * room for the next one when it has resolved.
 */
export type PushResult = (result: Buffer | ExecutionResult) => Promise<void> | void;

/** `push`: set by a transport to which the results of a subscription can be pushed. */
export type SubscribeArgs = ExecutionArgs & { readonly push?: PushResult };

/** GraphQL's `subscribe`. `next` is the one that it replaces. */
export type Subscribe = (
  args: SubscribeArgs,
  next: (args: ExecutionArgs) => Subscribed | Promise<Subscribed>,
) => Subscribed | Promise<Subscribed>;

/** Replaces Yoga's `subscribe`. */
export function useSubscribe(subscribe: Subscribe): ServerPlugin {
  return {
    onSubscribe({ subscribeFn, setSubscribeFn }) {
      setSubscribeFn((args) => subscribe(args, subscribeFn));
    },
  };
}
