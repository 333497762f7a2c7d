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

export interface Subscription<T> {
  /** What the client pulls from. */
  readonly events: AsyncIterableIterator<T>;
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
 * A live stream to one client. Pulled, not pushed: the socket asks for the next value when it has sent the last one,
 * so a slow client costs only what the source keeps, and holds up no one.
 *
 *   client: next() ── take() ─ a value ─────────────────────────────────▶ sent
 *                        └─ none ─ work() ─ a step ─ done ─▶ take() …
 *                                     │        └─ failed ─▶ pause, or complete
 *                                     └─ nothing to do ─▶ wait for wake() or readyIn()
 *
 * Everything but `work` is synchronous. A value that is ready when it is asked for costs one promise: the client's.
 */
export function createSubscription<T>(
  source: SubscriptionSource<T>,
  { clock = systemClock, backoff = BACKOFF }: SubscriptionOptions = {},
): Subscription<T> {
  const pulls: Pull<T>[] = [];
  let stops: Unsubscribe[] = [];
  /** The source is being asked, or works, or rests after a failure. */
  let busy = false;
  let failures = 0;
  let closed = false;
  let cancelTimer: (() => void) | undefined;
  let timerAt = Number.POSITIVE_INFINITY;

  function pump(): void {
    while (!busy && !closed && pulls.length > 0) {
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
      pulls.shift()?.({ done: false, value });
    }
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

  function close(): void {
    if (closed) return;
    closed = true;
    stopTimer();
    source.close?.();
    for (const stop of stops) stop();
    stops = [];
    for (const pull of pulls.splice(0)) pull({ done: true, value: undefined });
  }

  return {
    events: eventIterator({
      next: () =>
        new Promise((resolve) => {
          if (closed) {
            resolve({ done: true, value: undefined });
            return;
          }
          pulls.push(resolve);
          pump();
        }),
      close,
    }),
    wake() {
      if (pulls.length > 0) pump();
    },
    hold(stop) {
      if (closed) stop();
      else stops.push(stop);
    },
    close,
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
