import type { BusLog, Unsubscribe } from './bus.ts';

/**
 * A set of listeners, told in the order in which they came. One that throws, or rejects, is logged; whoever
 * tells them and the other listeners do not notice. A listener that was added twice is told twice.
 */
export interface Listeners<T> {
  /** Returns the function that removes it; it may be called again, without effect. */
  add(listener: (value: T) => void): Unsubscribe;
  /** Tells those who are there now: not one that is added, nor one that is removed, while this runs. */
  tell(value: T): void;
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
    tell(value) {
      // A copy: a listener that replaces itself would otherwise be told for ever.
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
