import { useCallback, useSyncExternalStore } from 'react';

/** A value outside of React, and its listeners. */
export interface Store<T> {
  get(): T;
  set(next: T): void;
  update(change: (before: T) => T): void;
  /** Calls the listener after each change, until the returned function is called. */
  subscribe(listener: () => void): () => void;
}

export function createStore<T>(initial: T): Store<T> {
  const listeners = new Set<() => void>();
  let value = initial;
  function set(next: T): void {
    if (Object.is(next, value)) return;
    value = next;
    for (const listener of [...listeners]) listener();
  }
  return {
    get: () => value,
    set,
    update: (change) => set(change(value)),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

type Readable<T> = Pick<Store<T>, 'get' | 'subscribe'>;

/** Reads a store. `select` must return the same reference for the same state. */
export function useStore<T>(store: Readable<T>): T;
export function useStore<T, S>(store: Readable<T>, select: (state: T) => S): S;
export function useStore<T, S>(store: Readable<T>, select?: (state: T) => S): T | S {
  const read = useCallback(() => (select === undefined ? store.get() : select(store.get())), [store, select]);
  return useSyncExternalStore(store.subscribe, read);
}
