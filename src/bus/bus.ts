import type { BaseLogger } from 'pino';

/**
 * The bus carries news from whoever learns it (the stream consumer, a mutation's hint) to every server
 * that holds a reader's websocket.
 *
 * What it guarantees, and what its users must not rely on:
 *  - `subscribe` resolves once attached: what is published after that, anywhere, is delivered, as long as
 *    the bus does not break in between. The listener may be called before that, too.
 *  - While the bus is down `subscribe` resolves as well, without waiting: the listener is attached when the
 *    bus is back, before `onGap` is called. So whoever subscribes first, then reads, and reads again on
 *    `onGap`, works during an outage and catches up after it.
 *  - Per publisher and topic, what arrives arrives in the order it was published.
 *  - A message arrives at most once, and may be lost (Redis pub/sub forgets whoever is not connected).
 *    So payloads are whole values with a version, never increments, and receivers keep the highest.
 *  - Whenever messages may have been lost, `onGap` listeners are called once the bus carries messages
 *    again and every earlier subscription is attached again: re-read what you show.
 *  - `publish` resolves once the bus has accepted the message, and rejects with UNAVAILABLE when it has not
 *    within the implementation's time limit, and at once while the bus is down (not while it comes up for
 *    the first time: that is waited for, within a limit). A rejected message may still arrive.
 *  - A listener runs in a later turn than `publish`, never on the publisher's stack.
 *  - A listener that throws (or rejects) is logged; neither the publisher nor other listeners notice.
 *  - Payloads are JSON values. Nobody changes a payload after publishing or on receiving it.
 *  - After `close` no listener is called any more, and `publish` and `subscribe`, those under way included,
 *    reject with UNAVAILABLE.
 */
export interface Bus {
  publish<T extends Json>(topic: Topic<T>, payload: T): Promise<void>;
  /** Resolves to the function that detaches; detaching twice does nothing. */
  subscribe<T extends Json>(topic: Topic<T>, listener: (payload: T) => void): Promise<Unsubscribe>;
  /** Called when messages may have been lost and the bus works again. Not called for its first coming up. */
  onGap(listener: () => void): Unsubscribe;
  /** Called when the bus stops carrying messages, in or out, up to the next `onGap`; once for each outage. */
  onDown(listener: () => void): Unsubscribe;
  /** Whether messages are being carried right now, in and out; false until the first connection stands. */
  readonly up: boolean;
  close(): Promise<void>;
}

/** The part of a pino logger that the bus uses. */
export type BusLog = Pick<BaseLogger, 'info' | 'warn' | 'error'>;

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
