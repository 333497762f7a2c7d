import type { Unsubscribe } from '../bus/bus.ts';
import { type Clock, systemClock } from '../core/clock.ts';
import { type BackoffPolicy, backoffMs } from '../core/retry.ts';

/** The source of a live stream's values. A feature implements it, and this file does everything else. */
export interface SubscriptionSource<T> {
  /** The next value; undefined if none is ready or may be sent now. Called only while the client waits for one. */
  take(): T | undefined;
  /**
   * Whether a value that `take` returned may still be sent, asked when its result is ready, which may take a while.
   * False: the source has the value again, and `take` returns it, or what it has become, once it may be sent. Without
   * it: every value may be sent.
   */
  mayStillSend?(value: T): boolean;
  /** One step towards a value, such as a read; undefined if there is nothing to do before `wake` or `readyIn`. */
  work?(): Promise<void> | undefined;
  /** Milliseconds after which `take` or `work` may have something without a `wake`. */
  readyIn?(): number | undefined;
  /**
   * Called when `work` has failed. True: `work` is called again after a pause. Absent or false: the subscription ends.
   */
  retryAfter?(error: unknown): boolean;
  /** The client's results are pushed, and are the same for all clients with the same key. Called at most once. */
  share?(results: SharedResults<T>): void;
  /** Called when a pushed value was handed to the client's connection, or given back by `mayStillSend`. */
  sent?(value: T): void;
  /** Releases what the source holds. Called once. */
  close?(): void;
}

export interface SubscriptionOptions {
  readonly clock?: Clock;
  /** Pauses after failures of `work`. */
  readonly backoff?: BackoffPolicy;
}

/**
 * Takes a value. A promise: it takes the next one when the promise has resolved. If the sink throws or its promise
 * rejects, the stream ends. A sink that does not send at once asks `mayStillSend` when it does: the stream may have
 * ended in the meantime.
 */
export type Sink<T> = (value: T, mayStillSend: (value: T) => boolean) => Promise<void> | void;

/** Results that are made once for all clients with the same `key`. */
export interface SharedResults<T> {
  readonly key: string;
  /**
   * Makes the results of these values for this many clients. Resolves when they are made or cannot be; never rejects.
   */
  prepare(values: readonly T[], clients: number): Promise<unknown> | undefined;
}

/** The values of a subscription: pulled one by one, or pushed. One client uses one of the two. */
export interface LiveStream<T> extends AsyncIterableIterator<T> {
  /**
   * Hands each value to the sink as soon as it is ready, without a promise for each. Resolves, as `next` does at the
   * end, when the stream has ended and the sink has finished. Call it once. `results`: if the sink shares them with
   * those of other streams.
   */
  pushTo(sink: Sink<T>, results?: SharedResults<T>): Promise<IteratorReturnResult<undefined>>;
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

const END: IteratorReturnResult<undefined> = { done: true, value: undefined };

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
  return new OpenSubscription(source, clock, backoff);
}

/** A class, because a server holds two of them for each socket: as closures, its functions alone take 1.5 KB. */
class OpenSubscription<T> implements Subscription<T>, LiveStream<T> {
  readonly #source: SubscriptionSource<T>;
  readonly #clock: Clock;
  readonly #backoff: BackoffPolicy;
  #pulls: Pull<T>[] = [];
  #sink: Sink<T> | undefined = undefined;
  /** The sink has no room for another value yet. */
  #sending = false;
  #ended: ((error?: unknown) => void) | undefined = undefined;
  #stops: Unsubscribe[] = [];
  /** The source is being asked, is working, or waits after a failure. */
  #busy = false;
  #failures = 0;
  #closed = false;
  #cancelTimer: (() => void) | undefined = undefined;
  #timerAt = Number.POSITIVE_INFINITY;

  constructor(source: SubscriptionSource<T>, clock: Clock, backoff: BackoffPolicy) {
    this.#source = source;
    this.#clock = clock;
    this.#backoff = backoff;
  }

  get events(): LiveStream<T> {
    return this;
  }

  get closed(): boolean {
    return this.#closed;
  }

  wake(): void {
    if (this.#isWanted()) this.#pump();
  }

  hold(stop: Unsubscribe): void {
    if (this.#closed) stop();
    // Not `push` or a spread, which reserve memory for 17 elements, for each subscription.
    else this.#stops = this.#stops.concat(stop);
  }

  close(error?: unknown): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#stopTimer();
    this.#source.close?.();
    for (const stop of this.#stops) stop();
    this.#stops = [];
    for (const pull of this.#pulls.splice(0)) pull(END);
    // Otherwise `#taken` ends it: a result that is sent after the end could be taken for one of the next operation.
    if (!this.#sending) this.#ended?.(error);
  }

  next(): Promise<IteratorResult<T>> {
    return new Promise((resolve) => {
      if (this.#closed) {
        resolve(END);
        return;
      }
      this.#pulls.push(resolve);
      this.#pump();
    });
  }

  return(): Promise<IteratorResult<T>> {
    this.close();
    return Promise.resolve(END);
  }

  throw(error: unknown): Promise<IteratorResult<T>> {
    this.close();
    return Promise.reject(error);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  pushTo(sink: Sink<T>, results?: SharedResults<T>): Promise<IteratorReturnResult<undefined>> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return resolve(END);
      this.#ended = (error) => (error === undefined ? resolve(END) : reject(error));
      this.#sink = sink;
      if (results !== undefined) this.#source.share?.(results);
      this.#pump();
    });
  }

  #isWanted(): boolean {
    return this.#pulls.length > 0 || (this.#sink !== undefined && !this.#sending);
  }

  #pump(): void {
    while (!this.#busy && !this.#closed && this.#isWanted()) {
      this.#busy = true;
      const value = this.#source.take();
      const step = value === undefined ? this.#source.work?.() : undefined;
      if (step !== undefined) {
        step.then(
          () => this.#resume(),
          (error: unknown) => this.#failed(error),
        );
        return;
      }
      this.#busy = false;
      if (value === undefined) {
        this.#waitUntilReady();
        return;
      }
      this.#deliver(value);
    }
  }

  #deliver(value: T): void {
    const pull = this.#pulls.shift();
    if (pull !== undefined) {
      pull({ done: false, value });
      return;
    }
    let sent: Promise<void> | void;
    try {
      sent = this.#sink?.(value, (taken) => this.#mayStillSend(taken));
      if (sent === undefined) this.#source.sent?.(value);
    } catch (error) {
      // Not thrown: the caller has other subscriptions to wake.
      this.close(error);
      return;
    }
    if (sent === undefined) return;
    this.#sending = true;
    sent.then(
      () => {
        this.#source.sent?.(value);
        this.#taken();
      },
      (error: unknown) => this.#taken(error),
    );
  }

  #mayStillSend(value: T): boolean {
    return !this.#closed && (this.#source.mayStillSend?.(value) ?? true);
  }

  #taken(error?: unknown): void {
    this.#sending = false;
    if (this.#closed) this.#ended?.();
    else if (error !== undefined) this.close(error);
    else this.#pump();
  }

  #resume(): void {
    this.#failures = 0;
    this.#busy = false;
    this.#pump();
  }

  #failed(error: unknown): void {
    if (this.#closed) return;
    if (this.#source.retryAfter?.(error) !== true) {
      this.close();
      return;
    }
    this.#failures++;
    this.#stopTimer();
    this.#startTimer(backoffMs(this.#backoff, this.#failures), true);
  }

  /** Keeps an earlier timer. When it fires and nothing is ready, a new one is set. */
  #waitUntilReady(): void {
    const ms = this.#source.readyIn?.();
    if (ms === undefined || this.#closed || this.#clock.now() + ms >= this.#timerAt) return;
    this.#stopTimer();
    this.#startTimer(ms, false);
  }

  /** `afterFailure`: the source waits until then. */
  #startTimer(ms: number, afterFailure: boolean): void {
    this.#timerAt = this.#clock.now() + ms;
    this.#cancelTimer = this.#clock.after(ms, () => {
      this.#timerAt = Number.POSITIVE_INFINITY;
      this.#cancelTimer = undefined;
      if (afterFailure) this.#busy = false;
      this.#pump();
    });
  }

  #stopTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#timerAt = Number.POSITIVE_INFINITY;
  }
}
