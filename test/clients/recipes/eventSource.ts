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
}

/** Returns the function that ends it. */
export function followRoom({ url, token, roomId, after, onEvent }: FollowOptions): () => void {
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
    source.addEventListener('next', ({ data }) => {
      const event = (JSON.parse(data) as { data: { roomEvents: RoomEvent } | null }).data?.roomEvents;
      if (event === undefined) return;
      cursor = event.cursor;
      onEvent(event);
    });
    // The subscription is over: the viewer has left the room, for example.
    source.addEventListener('complete', () => source?.close());
    // EventSource reconnects by itself unless it got a status such as 401, 429 or 503.
    source.addEventListener('error', () => {
      if (source?.readyState === EventSource.CLOSED)
        timer = setTimeout(connect, 1_000 + 2_000 * Math.random());
    });
  }

  connect();
  return () => {
    clearTimeout(timer);
    source?.close();
  };
}
