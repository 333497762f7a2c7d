import type { Client } from 'graphql-ws';

export type LiveClient = Omit<Client, 'iterate'>;

/**
 * A client whose subscriptions to `roomEvents` go on from the last event that arrived, until the server says for good that
 * the viewer may not read the room. graphql-ws repeats a subscription by itself when its connection is back, but as it
 * was: with the first `after`, from which the server would send everything again. It writes the variables again each
 * time, so a getter has the current cursor. It does not repeat what the server has ended or refused on an open connection,
 * as it does while its event bus is down.
 *
 * The subscription must name its variable `after`, and select `roomEvents { cursor }` without aliases. `iterate` is left
 * out, because it would not use this `subscribe`.
 */
export const resuming = (client: Client): LiveClient => ({
  ...client,
  subscribe(payload, sink) {
    if (!/\broomEvents\b/.test(payload.query)) return client.subscribe(payload, sink);
    let after = payload.variables?.after;
    const variables = {
      ...payload.variables,
      get after() {
        return after;
      },
    };
    let over = false;
    let stop: () => void;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const again = (ms: number) => {
      // Not all clients at the same moment.
      timer = setTimeout(begin, ms * (1 + Math.random()));
    };

    const refused = (error: unknown) => {
      const ms = retryAfterMs(error);
      if (ms === undefined) sink.error(error);
      else again(ms);
    };

    function begin(): void {
      timer = undefined;
      let refusal: unknown;
      stop = client.subscribe<unknown, unknown>(
        { ...payload, variables },
        {
          next(result) {
            const { data, errors } = result;
            if (data == null && errors !== undefined) {
              refusal = errors;
              return;
            }
            // An event with an error is not complete. The server ends the subscription after it, and sends it again.
            if (errors === undefined) after = cursorIn(data) ?? after;
            sink.next(result as Parameters<typeof sink.next>[0]);
          },
          error: refused,
          complete() {
            if (over) sink.complete();
            else if (refusal !== undefined) refused(refusal);
            // If the viewer has left the room, the next one is refused with FORBIDDEN.
            else again(1_000);
          },
        },
      );
    }

    begin();
    return () => {
      over = true;
      stop();
      if (timer === undefined) return;
      // It was between two subscriptions, so nothing else says that it is over.
      clearTimeout(timer);
      sink.complete();
    };
  },
});

const cursorIn = (data: unknown): string | undefined =>
  (data as { roomEvents?: { cursor?: string } } | null | undefined)?.roomEvents?.cursor;

/** Only RATE_LIMITED and UNAVAILABLE have it: other errors would be the same the next time. */
function retryAfterMs(error: unknown): number | undefined {
  const [first] = Array.isArray(error) ? error : [];
  const ms: unknown = first?.extensions?.retryAfterMs;
  return typeof ms === 'number' ? ms : undefined;
}
