import type { OutageLog } from '../core/log.ts';
import { asWork, LIVE } from '../core/work.ts';
import type { Unsubscribe } from './bus.ts';

/**
 * A set of listeners, called in the order in which they were added. If one throws or rejects, that is logged; the
 * emitter and the other listeners are not affected. A listener that was added twice is called twice.
 */
export interface Listeners<T> {
  /** Returns the function that removes it. Idempotent. */
  add(listener: (value: T) => void): Unsubscribe;
  /**
   * Calls the present listeners, except those that are added or removed while this runs. It is not the emitter's work.
   */
  emit(value: T): void;
  clear(): void;
  readonly size: number;
}

export function createListeners<T>(log: OutageLog): Listeners<T> {
  return new ListenerSet(log);
}

/** A class, because a server holds one for each user who is connected. */
class ListenerSet<T> implements Listeners<T> {
  readonly #log: OutageLog;
  readonly #entries = new Set<{ readonly listener: (value: T) => void }>();

  constructor(log: OutageLog) {
    this.#log = log;
  }

  get size(): number {
    return this.#entries.size;
  }

  add(listener: (value: T) => void): Unsubscribe {
    const entry = { listener };
    this.#entries.add(entry);
    return () => {
      this.#entries.delete(entry);
    };
  }

  emit(value: T): void {
    // A copy: a listener that replaces itself would otherwise be called forever.
    asWork(LIVE, () => {
      for (const entry of [...this.#entries]) {
        if (this.#entries.has(entry)) this.#call(entry.listener, value);
      }
    });
  }

  clear(): void {
    this.#entries.clear();
  }

  #call(listener: (value: T) => void, value: T): void {
    const failed = (err: unknown) => this.#log.error({ err }, 'A listener on the bus failed');
    try {
      // An async function is a valid `() => void`; its rejection would otherwise end the process.
      const result: unknown = listener(value);
      if (result instanceof Promise) result.catch(failed);
    } catch (error) {
      failed(error);
    }
  }
}
