import type { LiveClient } from './resume.ts';

export interface Reads {
  /** Called when a query is sent. Call what it returns with the result, or when there will be none. */
  begin(): () => void;
  /** The same client, whose events wait for the queries that were sent before they arrived. */
  follow(client: LiveClient): LiveClient;
}

/** Events wait no longer for a result. Requests end before. */
const LONGEST_MS = 30_000;
const REQUEST_MS = 25_000;

/** `fetch` that ends in time: a result that comes later would replace what events have added. */
export const fetchInTime: typeof fetch = (input, init) =>
  fetch(input, {
    ...init,
    signal: AbortSignal.any([AbortSignal.timeout(REQUEST_MS), ...(init?.signal ? [init.signal] : [])]),
  });

/** Tries again with growing pauses, from one second to 30, until the work is done or the signal is aborted. */
export async function untilDone(work: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
  for (let pauseMs = 1_000; !signal.aborted; pauseMs = Math.min(2 * pauseMs, 30_000)) {
    try {
      await work();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

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
