import { type Json, type Topic, topic } from './bus.ts';

/**
 * The channel of one user. Every server that holds a websocket of the user listens to it. Each feature declares the
 * events that it publishes here, each with a `type`. A receiver ignores the types that it does not handle.
 */
export const userTopic = <Event extends Json & { readonly type: string }>(user: string): Topic<Event> =>
  topic(`person:${user}`);
