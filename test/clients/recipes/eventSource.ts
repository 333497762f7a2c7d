import { EventSource } from 'eventsource';
import type { RoomEvent } from './graphqlWs.ts';

const ROOM_EVENTS = `
  subscription RoomEvents($roomId: ID!, $after: String) {
    roomEvents(roomId: $roomId, after: $after) {
      __typename
      cursor
      ... on MessageAdded { message { id body } }
    }
  }`;

export interface FollowOptions {
  /** `https://chat.example.com/graphql` */
  readonly url: string;
  readonly token: () => Promise<string>;
  readonly roomId: string;
  /** `Room.eventsCursor` of the query that read the room. */
  readonly after: string;
  readonly onEvent: (event: RoomEvent) => void;
  /** Called when the server has refused it for good: FORBIDDEN if the viewer has left the room, for example. */
  readonly onEnd?: (code: string) => void;
}

interface Result {
  /** Null if the subscription was refused. */
  readonly data?: { readonly roomEvents: RoomEvent } | null;
  readonly errors?: ReadonlyArray<{
    readonly extensions: { readonly code: string; readonly retryAfterMs?: number };
  }>;
}

/** Returns the function that ends it. */
export function followRoom({ url, token, roomId, after, onEvent, onEnd }: FollowOptions): () => void {
  let cursor = after;
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function connect(): void {
    source = new EventSource(url, {
      // Called for each connection, also when EventSource reconnects: with the current token and the last cursor.
      fetch: async (address, init) =>
        fetch(address, {
          ...init,
          method: 'POST',
          headers: {
            ...init.headers,
            'content-type': 'application/json',
            authorization: `Bearer ${await token()}`,
          },
          body: JSON.stringify({ query: ROOM_EVENTS, variables: { roomId, after: cursor } }),
        }),
    });
    source.addEventListener('next', ({ data: text }) => {
      const { data, errors } = JSON.parse(text) as Result;
      if (!data) {
        const { code = '', retryAfterMs } = errors?.[0]?.extensions ?? {};
        // Only RATE_LIMITED and UNAVAILABLE have a time to wait. Then the server completes the stream.
        if (retryAfterMs !== undefined) return;
        source?.close();
        onEnd?.(code);
        return;
      }
      // An event with an error is not complete. The server ends the subscription after it, and sends it again.
      if (errors === undefined) cursor = data.roomEvents.cursor;
      onEvent(data.roomEvents);
    });
    // The server has ended it, as it does while its event bus is down. If the viewer has left the room, it is refused next.
    source.addEventListener('complete', () => {
      if (source?.readyState === EventSource.CLOSED) return;
      source?.close();
      again();
    });
    // EventSource reconnects by itself unless it got a status such as 401, 429 or 503.
    source.addEventListener('error', () => {
      if (source?.readyState === EventSource.CLOSED) again();
    });
  }

  function again(): void {
    timer = setTimeout(connect, 1_000 + 2_000 * Math.random());
  }

  connect();
  return () => {
    clearTimeout(timer);
    source?.close();
  };
}
