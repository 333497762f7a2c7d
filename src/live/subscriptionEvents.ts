export interface Subscription<T> {
  /** The next event, or that there are no more. */
  next(): Promise<IteratorResult<T>>;
  /** Lets go of everything, and ends a `next` that waits. Called any number of times. */
  close(): void;
}

/**
 * What a subscription's resolver answers. Not an async generator: that one hears that its reader has gone only
 * when the value comes for which it waits, and holds its listeners until then.
 */
export function subscriptionEvents<T>({ next, close }: Subscription<T>): AsyncIterableIterator<T> {
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
