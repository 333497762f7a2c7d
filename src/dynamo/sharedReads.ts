import { type Clock, systemClock } from '../core/clock.ts';

/** How long a read waits for one that was sent before it, in milliseconds: a request may be stuck. */
const LATE_MS = 20;

interface Sent<T> {
  /** Resolves when it has ended, well or not. */
  readonly over: Promise<void>;
  /** The same read for all who have asked since it was sent. */
  next: Promise<T> | undefined;
}

/**
 * One read for all who ask for the same at the same time: while a read is on its way, those who come wait for it to end,
 * and then share the next one. They do not get the result of the first, because it may have been executed before they asked. So
 * a result is never older than the question, as without sharing, and each one waits for two reads at most.
 */
export function createSharedReads<T>({ clock = systemClock }: { readonly clock?: Clock } = {}) {
  const newest = new Map<string, Sent<T>>();

  function send(key: string, read: () => Promise<T>): Promise<T> {
    const result = read();
    const over = result.then(
      () => {},
      () => {},
    );
    const sent: Sent<T> = { over, next: undefined };
    newest.set(key, sent);
    void over.then(() => {
      if (newest.get(key) === sent && sent.next === undefined) newest.delete(key);
    });
    return result;
  }

  const overOrLate = (over: Promise<void>): Promise<void> =>
    new Promise((resolve) => {
      const cancel = clock.after(LATE_MS, resolve);
      void over.then(() => {
        cancel();
        resolve();
      });
    });

  /** `key`: what is read. `read` sends the request, and is called at most once. Rejects as the read that is shared does. */
  return (key: string, read: () => Promise<T>): Promise<T> => {
    const before = newest.get(key);
    if (before === undefined) return send(key, read);
    before.next ??= overOrLate(before.over).then(() => send(key, read));
    return before.next;
  };
}
