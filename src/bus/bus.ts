/**
 * The bus carries updates from the process that produces them (the stream consumer, or a mutation) to every server
 * that holds a reader's websocket.
 *
 * What it guarantees, and what its users must not rely on:
 *  - `subscribe` resolves once attached: everything published after that, anywhere, is delivered, as long as
 *    the bus does not break in between. The listener may be called before that as well.
 *  - While the bus is down `subscribe` resolves as well, without waiting: the listener is attached when the
 *    bus is back, before `onGap` is called. A server that subscribes first, then reads, and reads again on
 *    `onGap`, works during an outage and catches up after it.
 *  - Per publisher and topic, messages arrive in the order in which they were published.
 *  - A message arrives at most once, and may be lost (Redis pub/sub does not keep messages for a client that is not connected).
 *    So payloads are whole values with a version, never increments, and receivers keep the highest.
 *  - Whenever messages may have been lost, `onGap` listeners are called once the bus carries messages
 *    again and every earlier subscription is attached again: re-read the state that you show.
 *  - `publish` resolves once the bus has accepted the message. It rejects with `OutageError` if that takes longer
 *    than the implementation's time limit, and at once while the bus is down; only the first attempt to connect
 *    is waited for, within a limit. A rejected message may still arrive.
 *  - A listener runs in a later turn than `publish`, never on the publisher's stack.
 *  - A listener that throws (or rejects) is logged; the publisher and the other listeners are not affected.
 *  - Payloads are JSON values. They are never changed after they were published, by sender or receiver.
 *  - After `close` no listener is called, and `publish` and `subscribe`, including calls in progress, reject with
 *    `OutageError`.
 */
export interface Bus {
  publish<T extends Json>(topic: Topic<T>, payload: T): Promise<void>;
  /** Resolves to the function that detaches; detaching twice does nothing. */
  subscribe<T extends Json>(topic: Topic<T>, listener: (payload: T) => void): Promise<Unsubscribe>;
  /** Called when messages may have been lost and the bus works again. Not called for the first connection. */
  onGap(listener: () => void): Unsubscribe;
  /** Called when the bus stops carrying messages, in or out, up to the next `onGap`; once per outage. */
  onDown(listener: () => void): Unsubscribe;
  /** Whether messages are being carried right now, in and out; false until the first connection is up. */
  readonly up: boolean;
  close(): Promise<void>;
}

export type Unsubscribe = () => void;

export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json | undefined };

/** A channel's name and, in the type only, its payload. */
export interface Topic<T extends Json> {
  readonly name: string;
  /** Never set: carries the payload's type. */
  readonly payload?: T;
}

export const topic = <T extends Json>(name: string): Topic<T> => ({ name });

/** Every server listens: messages were lost, or may have been. Published by the stream consumer. */
export const resyncTopic = topic<{ reason: string }>('resync');

/** A hint to the stream consumer that there is something to read, so that it does not wait for its next poll. */
export const wakeTopic = topic<null>('wake');

/**
 * The channel of one user. Every server that holds a websocket of the user listens to it. Each feature declares the
 * events that it publishes here, each with a `type`. A receiver ignores the types that it does not handle.
 */
export const userTopic = <Event extends Json & { readonly type: string }>(user: string): Topic<Event> =>
  topic(`person:${user}`);
