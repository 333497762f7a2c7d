import { OutageError } from '../core/errors.ts';
import type { OutageLog } from '../core/log.ts';
import type { Bus, Json, Topic } from './bus.ts';
import { createListeners, type Listeners } from './listeners.ts';

/**
 * The bus of a single server: everything happens in this process. It has no gaps and is never down.
 *
 * Listeners run in a later microtask, never on the publisher's stack: as with Redis, a publisher's own state may
 * be inconsistent while it publishes. Payloads are passed on without a copy.
 */
export function createMemoryBus({ log }: { readonly log: OutageLog }): Bus {
  const topics = new Map<string, Listeners<Json>>();
  // The messages of one turn. It is emptied before the event loop continues.
  let queue: Array<{ readonly name: string; readonly payload: Json }> = [];
  let closed = false;

  function deliver(): void {
    const batch = queue;
    queue = [];
    for (const { name, payload } of batch) topics.get(name)?.emit(payload);
  }

  return {
    async publish(topic, payload) {
      if (closed) throw new OutageError();
      if (queue.length === 0) queueMicrotask(deliver);
      queue.push({ name: topic.name, payload });
    },

    async subscribe<T extends Json>({ name }: Topic<T>, listener: (payload: T) => void) {
      if (closed) throw new OutageError();
      const listeners = topics.get(name) ?? createListeners<Json>(log);
      topics.set(name, listeners);
      // The topic's type says which payloads its name carries.
      const remove = listeners.add(listener as (payload: Json) => void);
      return () => {
        remove();
        if (listeners.size === 0 && topics.get(name) === listeners) topics.delete(name);
      };
    },

    onGap: () => () => {},
    onDown: () => () => {},

    get up() {
      return !closed;
    },

    async close() {
      closed = true;
      queue = [];
      topics.clear();
    },
  };
}
