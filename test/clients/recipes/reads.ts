import type { LiveClient } from './resume.ts';

export interface Reads {
  /** Called when a query is sent. Call what it returns with the result, or when there will be none. */
  begin(): () => void;
  /** The same client, whose events wait for the queries that were sent before they arrived. */
  follow(client: LiveClient): LiveClient;
}

/** A client should not wait longer for a result. */
const LONGEST_MS = 30_000;

/**
 * What is read replaces a list in the cache. So an event that arrives while the list is being read would be lost if the
 * list was read before the event happened. It waits until the result is in the cache, and the events after it wait for it.
 */
export function createReads(): Reads {
  const open = new Set<Promise<void>>();
  let last: Promise<unknown> = Promise.resolve();
  return {
    begin() {
      let end = () => {};
      const read = new Promise<void>((resolve) => {
        end = resolve;
      }).then(() => void open.delete(read));
      open.add(read);
      const timer = setTimeout(end, LONGEST_MS);
      return () => {
        clearTimeout(timer);
        // Libraries write the cache when they get the result, or a few microtasks later.
        setTimeout(end);
      };
    },
    follow: (client) => ({
      ...client,
      subscribe(payload, sink) {
        let over = false;
        const later = (call: () => void) => {
          last = Promise.allSettled([last, ...open]).then(() => {
            if (!over) call();
          });
        };
        const stop = client.subscribe(payload, {
          next: (result) => later(() => sink.next(result as Parameters<typeof sink.next>[0])),
          error: (error) => later(() => sink.error(error)),
          complete: () => later(() => sink.complete()),
        });
        return () => {
          over = true;
          stop();
          sink.complete();
        };
      },
    }),
  };
}
