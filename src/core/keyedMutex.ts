import { OverloadError } from './errors.ts';

/** Calls that may wait for one name. Further calls are refused. */
const WAITING_MAX = 1_000;

export type KeyedMutex = ReturnType<typeof createKeyedMutex>;

/**
 * Runs work under the same name one after another, in the order of the calls; under different names side by side.
 * Writers of one item in one process then never conflict with each other, only with other processes. Throws
 * `OverloadError` if WAITING_MAX calls wait already. By hand: async-mutex and p-queue have no names, so
 * they would need the same map around them.
 */
export function createKeyedMutex() {
  const queues = new Map<string, { length: number; last: Promise<unknown> }>();

  async function run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const queue = queues.get(name) ?? { length: 0, last: Promise.resolve() };
    if (queue.length >= WAITING_MAX) throw new OverloadError();
    queue.length++;
    const result = queue.last.then(work, work);
    queue.last = result;
    queues.set(name, queue);
    try {
      return await result;
    } finally {
      queue.length--;
      if (queue.length === 0) queues.delete(name);
    }
  }

  return { run };
}
