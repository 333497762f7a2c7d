import { type ClientOptions, createClient } from 'graphql-ws';
import { type LiveClient, resuming } from './resume.ts';

export interface LiveOptions {
  /** `wss://chat.example.com/graphql` */
  readonly url: string;
  /** Called for each connection, because a token may have expired since the last one. */
  readonly token: () => Promise<string>;
  /** Outside browsers and before Node 22: `import { WebSocket } from 'ws'`. */
  readonly webSocketImpl?: ClientOptions['webSocketImpl'];
}

/** Reconnects for as long as it takes, and continues with the next event. */
export const createLiveClient = ({ url, token, webSocketImpl }: LiveOptions): LiveClient =>
  resuming(
    createClient({
      url,
      webSocketImpl,
      connectionParams: async () => ({ authorization: `Bearer ${await token()}` }),
      retryAttempts: Number.POSITIVE_INFINITY,
      shouldRetry: () => true,
      // A connection that is lost without a word is noticed.
      keepAlive: 10_000,
    }),
  );

export interface RoomEvent {
  readonly __typename: string;
  readonly cursor: string;
  readonly message?: { readonly id: string; readonly body: string | null };
}

const ROOM_EVENTS = `
  subscription RoomEvents($roomId: ID!, $after: String) {
    roomEvents(roomId: $roomId, after: $after) {
      __typename
      cursor
      ... on MessageAdded { message { id body } }
      ... on MessageChanged { message { id body } }
    }
  }`;

/**
 * `after`: `Room.eventsCursor` of the query that read the room, so nothing falls between the two. Returns the function that
 * ends it. After ResyncRequired, read the room again; the events go on.
 */
export const followRoom = (
  client: LiveClient,
  { roomId, after }: { readonly roomId: string; readonly after: string },
  onEvent: (event: RoomEvent) => void,
  onEnd: (error?: unknown) => void = () => {},
): (() => void) =>
  client.subscribe<{ roomEvents: RoomEvent }>(
    { query: ROOM_EVENTS, variables: { roomId, after } },
    {
      next({ data }) {
        if (data) onEvent(data.roomEvents);
      },
      // For good: FORBIDDEN if the viewer has left the room, for example.
      error: onEnd,
      // It was ended here.
      complete: onEnd,
    },
  );
