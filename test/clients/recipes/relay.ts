import {
  ConnectionHandler,
  commitMutation,
  Environment,
  type GraphQLResponse,
  graphql,
  Network,
  Observable,
  RecordSource,
  type RecordSourceSelectorProxy,
  requestSubscription,
  Store,
} from 'relay-runtime';
import type { relayRoomEventsSubscription } from './__generated__/relayRoomEventsSubscription.graphql.ts';
import type { relaySendMutation } from './__generated__/relaySendMutation.graphql.ts';
import { createReads, fetchInTime } from './reads.ts';
import type { LiveClient } from './resume.ts';

export interface RelayOptions {
  readonly url: string;
  readonly token: () => Promise<string>;
  /** From `createLiveClient`. */
  readonly live: LiveClient;
}

export function createRelay({ url, token, live }: RelayOptions): Environment {
  const reads = createReads();
  const followed = reads.follow(live);
  return new Environment({
    store: new Store(new RecordSource()),
    network: Network.create(
      async ({ text, operationKind }, variables) => {
        const end = operationKind === 'query' ? reads.begin() : undefined;
        try {
          const response = await fetchInTime(url, {
            method: 'POST',
            headers: { 'content-type': 'application/json', authorization: `Bearer ${await token()}` },
            body: JSON.stringify({ query: text, variables }),
          });
          return (await response.json()) as GraphQLResponse;
        } finally {
          end?.();
        }
      },
      ({ text }, variables) =>
        Observable.create((sink) =>
          followed.subscribe(
            { query: text ?? '', variables },
            { ...sink, next: (result) => sink.next(result as GraphQLResponse) },
          ),
        ),
    ),
  });
}

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
            idempotencyKey
            replyCount
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

/** The replies to a root. */
export const THREAD = graphql`
  query relayThreadQuery($rootId: ID!, $last: Int!, $before: String) {
    node(id: $rootId) {
      id
      ... on Message {
        replies(last: $last, before: $before) @connection(key: "Message_replies") {
          edges {
            node {
              id
              body
              idempotencyKey
            }
          }
          pageInfo {
            hasPreviousPage
            startCursor
          }
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
          idempotencyKey
          replyCount
        }
      }
    }
  }
`;

const ROOM_EVENTS = graphql`
  subscription relayRoomEventsSubscription($roomId: ID!, $after: String) {
    roomEvents(roomId: $roomId, after: $after) {
      __typename
      cursor
      ... on MessageAdded {
        message {
          id
          body
          idempotencyKey
          replyCount
          root {
            id
          }
        }
      }
      ... on MessageChanged {
        message {
          id
          body
          idempotencyKey
          replyCount
        }
      }
    }
  }
`;

const connectionOf = (roomId: string, rootId: string | undefined) =>
  rootId === undefined
    ? ConnectionHandler.getConnectionID(roomId, 'Room_messages')
    : ConnectionHandler.getConnectionID(rootId, 'Message_replies');

export interface SendOptions {
  readonly roomId: string;
  readonly body: string;
  readonly key: string;
  /** The root of the thread that gets the message as a reply. */
  readonly rootId?: string;
}

/** Shows the message at once. Trying again with the same key never sends it twice. */
export const sendMessage = (
  environment: Environment,
  { roomId, body, key, rootId }: SendOptions,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const node = { id: `pending:${key}`, body, idempotencyKey: key, replyCount: 0 };
    const input = { roomId, body, idempotencyKey: key, replyTo: rootId };
    commitMutation<relaySendMutation>(environment, {
      mutation: SEND,
      variables: { input, connections: [connectionOf(roomId, rootId)] },
      optimisticResponse: { sendMessage: { messageEdge: { cursor: '', node } } },
      onCompleted: () => resolve(),
      onError: reject,
    });
  });

/** Adds the message of an event to its room, or a reply to its thread, once. `@appendNode` would add both to one list. */
function addMessage(store: RecordSourceSelectorProxy, roomId: string): void {
  const event = store.getRootField('roomEvents');
  const message = event?.getLinkedRecord('message');
  if (event?.getValue('__typename') !== 'MessageAdded' || !message) return;
  const list = store.get(connectionOf(roomId, message.getLinkedRecord('root')?.getDataID()));
  const isIn = list
    ?.getLinkedRecords('edges')
    ?.some((edge) => edge?.getLinkedRecord('node')?.getDataID() === message.getDataID());
  // A list that was not read yet is not there, and stays so until it is read.
  if (!list || isIn) return;
  const edge = ConnectionHandler.createEdge(store, list, message, 'MessageEdge');
  ConnectionHandler.insertEdgeAfter(list, edge);
}

export interface FollowOptions {
  readonly roomId: string;
  /** `Room.eventsCursor` of the first page. */
  readonly after: string;
  /**
   * Called when too much was missed: read the newest page of the room and of the open threads from the network again, and a
   * thread that is opened later as well, and try again until that succeeds (`untilDone`). The events go on.
   */
  readonly onResync: () => void;
}

/** Returns the function that ends it. */
export const followRoom = (
  environment: Environment,
  { roomId, after, onResync }: FollowOptions,
): (() => void) =>
  requestSubscription<relayRoomEventsSubscription>(environment, {
    subscription: ROOM_EVENTS,
    variables: { roomId, after },
    updater: (store) => addMessage(store, roomId),
    onNext: (data) => data?.roomEvents.__typename === 'ResyncRequired' && onResync(),
  }).dispose;
