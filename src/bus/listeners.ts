import type { BusLog, Unsubscribe } from './bus.ts';

/**
 * A set of listeners, called in the order in which they were added. If one throws or rejects, that is logged; the
 * emitter and the other listeners are not affected. A listener that was added twice is called twice.
 */
export interface Listeners<T> {
  /** Returns the function that removes it. Idempotent. */
  add(listener: (value: T) => void): Unsubscribe;
  /** Calls the present listeners, except those that are added or removed while this runs. */
  emit(value: T): void;
  clear(): void;
  readonly size: number;
}

export function createListeners<T>(log: BusLog): Listeners<T> {
  const entries = new Set<{ readonly listener: (value: T) => void }>();

  const failed = (err: unknown) => log.error({ err }, 'A listener on the bus failed');

  function call(listener: (value: T) => void, value: T): void {
    try {
      // An async function is a valid `() => void`; its rejection would otherwise end the process.
      const result: unknown = listener(value);
      if (result instanceof Promise) result.catch(failed);
    } catch (error) {
      failed(error);
    }
  }

  return {
    add(listener) {
      const entry = { listener };
      entries.add(entry);
      return () => {
        entries.delete(entry);
      };
    },
    emit(value) {
      // A copy: a listener that replaces itself would otherwise be called for ever.
      for (const entry of [...entries]) {
        if (entries.has(entry)) call(entry.listener, value);
      }
    },
    clear: () => entries.clear(),
    get size() {
      return entries.size;
    },
  };
}
