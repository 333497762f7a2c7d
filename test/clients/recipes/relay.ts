import {
  ConnectionHandler,
  commitMutation,
  Environment,
  type GraphQLResponse,
  graphql,
  Network,
  Observable,
  RecordSource,
  requestSubscription,
  Store,
} from 'relay-runtime';
import type { relayRoomEventsSubscription } from './__generated__/relayRoomEventsSubscription.graphql.ts';
import type { relaySendMutation } from './__generated__/relaySendMutation.graphql.ts';
import type { LiveClient } from './resume.ts';

export interface RelayOptions {
  readonly url: string;
  readonly token: () => Promise<string>;
  /** From `createLiveClient`. */
  readonly live: LiveClient;
}

export const createRelay = ({ url, token, live }: RelayOptions): Environment =>
  new Environment({
    store: new Store(new RecordSource()),
    network: Network.create(
      async ({ text }, variables) => {
        const response = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${await token()}` },
          body: JSON.stringify({ query: text, variables }),
        });
        return (await response.json()) as GraphQLResponse;
      },
      ({ text }, variables) =>
        Observable.create((sink) =>
          live.subscribe(
            { query: text ?? '', variables },
            { ...sink, next: (result) => sink.next(result as GraphQLResponse) },
          ),
        ),
    ),
  });

export const ROOM = graphql`
  query relayRoomQuery($roomId: ID!, $last: Int!, $before: String) {
    room(id: $roomId) {
      id
      eventsCursor
      messages(last: $last, before: $before) @connection(key: "Room_messages") {
        edges {
          node {
            id
            body
          }
        }
        pageInfo {
          hasPreviousPage
          startCursor
        }
      }
    }
  }
`;

const SEND = graphql`
  mutation relaySendMutation($input: SendMessageInput!, $connections: [ID!]!) @raw_response_type {
    sendMessage(input: $input) {
      messageEdge @appendEdge(connections: $connections) {
        cursor
        node {
          id
          body
        }
      }
    }
  }
`;

const ROOM_EVENTS = graphql`
  subscription relayRoomEventsSubscription($roomId: ID!, $after: String, $connections: [ID!]!) {
    roomEvents(roomId: $roomId, after: $after) {
      __typename
      cursor
      ... on MessageAdded {
        message @appendNode(connections: $connections, edgeTypeName: "MessageEdge") {
          id
          body
        }
      }
      ... on MessageChanged {
        message {
          id
          body
        }
      }
    }
  }
`;

const connectionOf = (roomId: string) => ConnectionHandler.getConnectionID(roomId, 'Room_messages');

/** Shows the message at once. Trying again with the same key never sends it twice. */
export const sendMessage = (
  environment: Environment,
  { roomId, body, key }: { readonly roomId: string; readonly body: string; readonly key: string },
): Promise<void> =>
  new Promise((resolve, reject) => {
    const node = { id: `pending:${key}`, body };
    commitMutation<relaySendMutation>(environment, {
      mutation: SEND,
      variables: { input: { roomId, body, idempotencyKey: key }, connections: [connectionOf(roomId)] },
      optimisticResponse: { sendMessage: { messageEdge: { cursor: '', node } } },
      onCompleted: () => resolve(),
      onError: reject,
    });
  });

/** `after`: `Room.eventsCursor` of the first page. Returns the function that ends it. */
export const followRoom = (
  environment: Environment,
  { roomId, after }: { readonly roomId: string; readonly after: string },
): (() => void) => {
  const variables = { roomId, after, connections: [connectionOf(roomId)] };
  return requestSubscription<relayRoomEventsSubscription>(environment, {
    subscription: ROOM_EVENTS,
    variables,
  }).dispose;
};
