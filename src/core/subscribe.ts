import type { ExecutionArgs, ExecutionResult } from 'graphql';

/** A result of a subscription: the JSON text of one without errors, or the result itself. */
export type Payload = Buffer | ExecutionResult;

/** The result of a query or a mutation: its JSON as it was written, without errors, or the result itself. */
export type Answer = string | ExecutionResult;

/** Sends a result to the client. A promise: the client can take the next result when it has resolved. */
export type PushResult = (result: Payload) => Promise<void> | void;

/** `push`: takes the results instead of the client of the stream, which then only learns when the stream has ended. */
export type SubscribeArgs = ExecutionArgs & { readonly push?: PushResult };

export type Subscribed = AsyncIterable<ExecutionResult> | ExecutionResult;
export type Subscribe = (args: SubscribeArgs) => Subscribed | Promise<Subscribed>;

/** GraphQL's `subscribe`. `next` is the one that it replaces or wraps. */
export type SubscribeMiddleware = (args: SubscribeArgs, next: Subscribe) => ReturnType<Subscribe>;
