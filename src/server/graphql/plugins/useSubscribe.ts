import type { ExecutionArgs, ExecutionResult } from 'graphql';
import type { ServerPlugin } from '../operation.ts';

type Subscribed = AsyncIterable<ExecutionResult> | ExecutionResult;

/** GraphQL's `subscribe`, or what it is `otherwise`. */
export type Subscribe = (
  args: ExecutionArgs,
  otherwise: (args: ExecutionArgs) => Subscribed | Promise<Subscribed>,
) => Subscribed | Promise<Subscribed>;

/** Subscribes in another way than Yoga does by itself. */
export function useSubscribe(subscribe: Subscribe): ServerPlugin {
  return {
    onSubscribe({ subscribeFn, setSubscribeFn }) {
      setSubscribeFn((args) => subscribe(args, subscribeFn));
    },
  };
}
