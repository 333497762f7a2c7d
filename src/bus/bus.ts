/**
 * The bus carries news from whoever learns it (the stream consumer, a mutation's hint) to every server
 * that holds a reader's websocket.
 *
 * What it guarantees, and what its users must not rely on:
 *  - `subscribe` resolves once attached: what is published after that, anywhere, is delivered, as long as
 *    the bus does not break in between.
 *  - Per publisher and topic, what arrives arrives in the order it was published.
 *  - A message arrives at most once, and may be lost (Redis pub/sub forgets whoever is not connected).
 *    So payloads are whole values with a version, never increments, and receivers keep the highest.
 *  - Whenever messages may have been lost, `onGap` listeners are called once the bus carries messages
 *    again and every earlier subscription is attached again: re-read what you show.
 *  - `publish` resolves once the bus has accepted the message, and rejects when it has not within
 *    the implementation's time limit; a rejected message may still arrive.
 *  - A listener that throws is logged; neither the publisher nor other listeners notice.
 *  - Payloads are JSON values. Nobody changes a payload after publishing or on receiving it.
 */
export interface Bus {
  publish<T extends Json>(topic: Topic<T>, payload: T): Promise<void>;
  /** Resolves to the function that detaches; detaching twice does nothing. */
  subscribe<T extends Json>(topic: Topic<T>, listener: (payload: T) => void): Promise<Unsubscribe>;
  /** Called when messages may have been lost and the bus works again. */
  onGap(listener: () => void): Unsubscribe;
  /** Called when the bus stops carrying messages (up to the next `onGap`). */
  onDown(listener: () => void): Unsubscribe;
  /** Whether messages are being carried right now. */
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

/** A channel's name and, in the type only, what travels on it. */
export interface Topic<T extends Json> {
  readonly name: string;
  /** Never set: carries the payload's type. */
  readonly payload?: T;
}

export const topic = <T extends Json>(name: string): Topic<T> => ({ name });

/** Everybody listens: something was, or may have been, missed by all. Published by the stream consumer. */
export const resyncTopic = topic<{ reason: string }>('resync');

/** A hint to the stream consumer that there is something to read: it need not wait for its next poll. */
export const wakeTopic = topic<null>('wake');
