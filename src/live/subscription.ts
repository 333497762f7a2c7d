import type { Unsubscribe } from '../bus/bus.ts';
import { type Clock, systemClock } from '../core/clock.ts';
import { type BackoffPolicy, backoffMs } from '../core/retry.ts';

/** What a live stream sends, and how it gets it. Feature code: everything else about a stream is in this file. */
export interface SubscriptionSource<T> {
  /** The next value; undefined if none is ready or may be sent now. Called only while the client waits for one. */
  take(): T | undefined;
  /** One step towards a value, such as a read; undefined if there is nothing to do before `wake` or `readyIn`. */
  work?(): Promise<void> | undefined;
  /** Milliseconds after which `take` or `work` may have something without a `wake`. */
  readyIn?(): number | undefined;
  /** `work` has failed. True: it is called again after a pause. Without it, or false: the subscription completes. */
  retryAfter?(error: unknown): boolean;
  /** Lets go of everything. Called once. */
  close?(): void;
}

export interface SubscriptionOptions {
  readonly clock?: Clock;
  /** Pauses after failures of `work`. */
  readonly backoff?: BackoffPolicy;
}

/** Takes a value. A promise: it takes the next one when the promise has resolved. If it rejects, the stream ends. */
export type Sink<T> = (value: T) => Promise<void> | void;

/** The values of a subscription: pulled one by one, or pushed. One client uses one of the two. */
export interface LiveStream<T> extends AsyncIterableIterator<T> {
  /**
   * Hands each value to the sink as soon as it is ready, without a promise for each. Resolves when the stream has
   * ended. Call it once.
   */
  pushTo(sink: Sink<T>): Promise<void>;
}

export const isLiveStream = <T>(stream: AsyncIterable<T>): stream is LiveStream<T> => 'pushTo' in stream;

export interface Subscription<T> {
  /** What the client pulls from, or has pushed to it. */
  readonly events: LiveStream<T>;
  /** Something has changed: if the client waits, asks the source again. Cheap, and may be called at any time. */
  wake(): void;
  /** Calls `stop` when the subscription ends; at once if it has ended. */
  hold(stop: Unsubscribe): void;
  /** Completes the subscription at once. What was not sent is dropped. May be called any number of times. */
  close(): void;
  readonly closed: boolean;
}

type Pull<T> = (result: IteratorResult<T>) => void;

const BACKOFF: BackoffPolicy = { firstMs: 500, longestMs: 10_000, jitter: 'half' };

/**
 * A live stream to one client. A value is made when the client can take it: when it asks for one (`next`), or when its
 * sink has sent the last one (`pushTo`). So a slow client costs only what the source keeps, and holds up no one.
 *
 *   client: next() ── take() ─ a value ─────────────────────────────────▶ sent
 *                        └─ none ─ work() ─ a step ─ done ─▶ take() …
 *                                     │        └─ failed ─▶ pause, or complete
 *                                     └─ nothing to do ─▶ wait for wake() or readyIn()
 *
 * Everything but `work` is synchronous. A value that is ready costs one promise if it is pulled, and none if it is
 * pushed to a sink that has room.
 */
export function createSubscription<T>(
  source: SubscriptionSource<T>,
  { clock = systemClock, backoff = BACKOFF }: SubscriptionOptions = {},
): Subscription<T> {
  const pulls: Pull<T>[] = [];
  let sink: Sink<T> | undefined;
  /** The sink has no room for another value yet. */
  let sending = false;
  let end = (_error?: unknown) => {};
  let stops: Unsubscribe[] = [];
  /** The source is being asked, or works, or rests after a failure. */
  let busy = false;
  let failures = 0;
  let closed = false;
  let cancelTimer: (() => void) | undefined;
  let timerAt = Number.POSITIVE_INFINITY;

  const isWanted = () => pulls.length > 0 || (sink !== undefined && !sending);

  function pump(): void {
    while (!busy && !closed && isWanted()) {
      busy = true;
      const value = source.take();
      const step = value === undefined ? source.work?.() : undefined;
      if (step !== undefined) {
        step.then(resume, failed);
        return;
      }
      busy = false;
      if (value === undefined) {
        waitUntilReady();
        return;
      }
      hand(value);
    }
  }

  function hand(value: T): void {
    const pull = pulls.shift();
    if (pull !== undefined) {
      pull({ done: false, value });
      return;
    }
    const sent = sink?.(value);
    if (sent === undefined) return;
    sending = true;
    sent.then(taken, close);
  }

  function taken(): void {
    sending = false;
    pump();
  }

  function resume(): void {
    failures = 0;
    busy = false;
    pump();
  }

  function failed(error: unknown): void {
    if (closed) return;
    if (source.retryAfter?.(error) !== true) {
      close();
      return;
    }
    failures++;
    stopTimer();
    startTimer(backoffMs(backoff, failures), () => {
      busy = false;
    });
  }

  /** A timer that would ring earlier is left alone: it finds out by itself that there is nothing yet. */
  function waitUntilReady(): void {
    const ms = source.readyIn?.();
    if (ms === undefined || closed || clock.now() + ms >= timerAt) return;
    stopTimer();
    startTimer(ms);
  }

  function startTimer(ms: number, before: () => void = () => {}): void {
    timerAt = clock.now() + ms;
    cancelTimer = clock.after(ms, () => {
      timerAt = Number.POSITIVE_INFINITY;
      before();
      pump();
    });
  }

  function stopTimer(): void {
    cancelTimer?.();
    timerAt = Number.POSITIVE_INFINITY;
  }

  function close(error?: unknown): void {
    if (closed) return;
    closed = true;
    stopTimer();
    source.close?.();
    for (const stop of stops) stop();
    stops = [];
    for (const pull of pulls.splice(0)) pull({ done: true, value: undefined });
    end(error);
  }

  const iterator = eventIterator<T>({
    next: () =>
      new Promise((resolve) => {
        if (closed) {
          resolve({ done: true, value: undefined });
          return;
        }
        pulls.push(resolve);
        pump();
      }),
    close: () => close(),
  });

  const pushTo = (to: Sink<T>) =>
    new Promise<void>((resolve, reject) => {
      if (closed) return resolve();
      end = (error) => (error === undefined ? resolve() : reject(error));
      sink = to;
      pump();
    });

  return {
    events: Object.assign(iterator, { pushTo }),
    wake() {
      if (isWanted()) pump();
    },
    hold(stop) {
      if (closed) stop();
      else stops.push(stop);
    },
    close: () => close(),
    get closed() {
      return closed;
    },
  };
}

export interface EventSource<T> {
  /** The next event, or that there are no more. */
  next(): Promise<IteratorResult<T>>;
  /** Lets go of everything, and ends a `next` that waits. May be called any number of times. */
  close(): void;
}

/**
 * The iterator that a subscription's resolver returns. Not an async generator: that one learns that its client has
 * gone only when the value arrives for which it waits, and holds its listeners until then.
 */
export function eventIterator<T>({ next, close }: EventSource<T>): AsyncIterableIterator<T> {
  const events: AsyncIterableIterator<T> = {
    next,
    return() {
      close();
      return Promise.resolve({ done: true, value: undefined });
    },
    throw(error) {
      close();
      return Promise.reject(error);
    },
    [Symbol.asyncIterator]: () => events,
  };
  return events;
}
