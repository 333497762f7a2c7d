export interface EventSource<T> {
  /** The next event, or that there are no more. */
  next(): Promise<IteratorResult<T>>;
  /** Lets go of everything, and ends a `next` that waits. May be called any number of times. */
  close(): void;
}

/**
 * The iterator that a subscription's resolver returns. Not an async generator: a generator that waits for a value
 * cannot be ended before the value arrives, so its listeners would leak.
 */
export function eventIterator<T>(source: EventSource<T>): AsyncIterableIterator<T> {
  return new EventIterator(source);
}

class EventIterator<T> implements AsyncIterableIterator<T> {
  readonly #source: EventSource<T>;

  constructor(source: EventSource<T>) {
    this.#source = source;
  }

  next(): Promise<IteratorResult<T>> {
    return this.#source.next();
  }

  return(): Promise<IteratorResult<T>> {
    this.#source.close();
    return Promise.resolve({ done: true, value: undefined });
  }

  throw(error: unknown): Promise<IteratorResult<T>> {
    this.#source.close();
    return Promise.reject(error);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
