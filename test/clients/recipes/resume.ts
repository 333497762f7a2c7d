import type { Client } from 'graphql-ws';

export type LiveClient = Omit<Client, 'iterate'>;

/**
 * A client whose subscriptions to `roomEvents` continue from the last event that arrived. graphql-ws repeats a
 * subscription by itself when its connection is back, as it was: with the first `after`, from which the server would send
 * everything again. It writes the variables again each time, so a getter has the current cursor.
 *
 * The subscription must name its variable `after`, and select `roomEvents { cursor }` without aliases. `iterate` is left
 * out, because it would not use this `subscribe`.
 */
export const resuming = (client: Client): LiveClient => ({
  ...client,
  subscribe(payload, sink) {
    let after = payload.variables?.after;
    const variables = {
      ...payload.variables,
      get after() {
        return after;
      },
    };
    return client.subscribe<unknown, unknown>(
      { ...payload, variables },
      {
        next(result) {
          after = cursorIn(result.data) ?? after;
          sink.next(result as Parameters<typeof sink.next>[0]);
        },
        error: (error) => sink.error(error),
        complete: () => sink.complete(),
      },
    );
  },
});

const cursorIn = (data: unknown): string | undefined =>
  (data as { roomEvents?: { cursor?: string } } | null | undefined)?.roomEvents?.cursor;
