import { type ApolloCache, ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { SetContextLink } from '@apollo/client/link/context';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { relayStylePagination } from '@apollo/client/utilities';
import { OperationTypeNode } from 'graphql';
import type { Client } from 'graphql-ws';
import type { LiveClient } from './resume.ts';

export interface ApolloOptions {
  readonly url: string;
  readonly token: () => Promise<string>;
  /** From `createLiveClient`. */
  readonly live: LiveClient;
  /** The types of each interface, from an introspection query or a code generator. */
  readonly possibleTypes: Readonly<Record<string, string[]>>;
}

export function createApollo({ url, token, live, possibleTypes }: ApolloOptions): ApolloClient {
  const authorized = new SetContextLink(async () => ({
    headers: { authorization: `Bearer ${await token()}` },
  }));
  return new ApolloClient({
    link: ApolloLink.split(
      ({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION,
      // It calls nothing but `subscribe`.
      new GraphQLWsLink(live as Client),
      authorized.concat(new HttpLink({ uri: url })),
    ),
    cache: new InMemoryCache({
      possibleTypes,
      // Everything that has an `id` is one object, whichever query returned it. These have none: they are values.
      typePolicies: {
        Unread: { keyFields: false },
        // Each event replaces the one before it.
        Subscription: { fields: { roomEvents: { merge: false } } },
        // One list for all pages, in both directions. Lists with other arguments name them: `relayStylePagination(['orderBy'])`.
        Room: { fields: { messages: relayStylePagination(), members: relayStylePagination() } },
        Message: { fields: { replies: relayStylePagination() } },
      },
    }),
  });
}

const MESSAGE = gql`
  fragment ShownMessage on Message {
    id
    body
    idempotencyKey
  }
`;

/** The newest page first; `fetchMore({ variables: { before: pageInfo.startCursor } })` adds the page before it. */
export const ROOM = gql`
  query Room($roomId: ID!, $last: Int!, $before: String) {
    room(id: $roomId) {
      id
      eventsCursor
      messages(last: $last, before: $before) {
        edges {
          cursor
          node {
            ...ShownMessage
          }
        }
        pageInfo {
          hasPreviousPage
          startCursor
        }
      }
    }
  }
  ${MESSAGE}
`;

const SEND = gql`
  mutation Send($input: SendMessageInput!) {
    sendMessage(input: $input) {
      messageEdge {
        cursor
        node {
          ...ShownMessage
        }
      }
    }
  }
  ${MESSAGE}
`;

const ROOM_EVENTS = gql`
  subscription RoomEvents($roomId: ID!, $after: String) {
    roomEvents(roomId: $roomId, after: $after) {
      cursor
      ... on MessageAdded {
        message {
          ...ShownMessage
        }
      }
      ... on MessageChanged {
        message {
          ...ShownMessage
        }
      }
    }
  }
  ${MESSAGE}
`;

export interface ShownMessage {
  readonly __typename: 'Message';
  readonly id: string;
  readonly body: string | null;
  readonly idempotencyKey: string | null;
}

interface MessageEdge {
  readonly __typename: 'MessageEdge';
  /** Empty if it is not known: it is needed only at the ends of a page. */
  readonly cursor: string;
  readonly node: ShownMessage;
}

/** Adds a message to the end of its room, once, whether the event or the answer comes first. */
function addMessage(cache: ApolloCache, roomId: string, { cursor, node }: MessageEdge): void {
  cache.modify<{ messages: { edges: ReadonlyArray<{ readonly node: { readonly __ref: string } }> } }>({
    id: `Room:${roomId}`,
    fields: {
      messages(existing, { toReference, readField }) {
        if (!('edges' in existing)) return existing;
        if (existing.edges.some((edge) => readField('id', edge.node) === node.id)) return existing;
        const added = { __typename: 'MessageEdge', cursor, node: toReference({ ...node }, true) };
        return { ...existing, edges: [...existing.edges, added] } as typeof existing;
      },
    },
  });
}

/** Shows the message at once. Trying again with the same key never sends it twice. */
export function sendMessage(
  apollo: ApolloClient,
  { roomId, body, key }: { readonly roomId: string; readonly body: string; readonly key: string },
) {
  const node = { __typename: 'Message', id: `pending:${key}`, body, idempotencyKey: key } as const;
  const edge: MessageEdge = { __typename: 'MessageEdge', cursor: '', node };
  return apollo.mutate<{ sendMessage: { messageEdge: MessageEdge } | null }>({
    mutation: SEND,
    variables: { input: { roomId, body, idempotencyKey: key } },
    optimisticResponse: { sendMessage: { __typename: 'SendMessagePayload', messageEdge: edge } as never },
    update(cache, { data }) {
      if (data?.sendMessage) addMessage(cache, roomId, data.sendMessage.messageEdge);
    },
  });
}

/** `after`: `Room.eventsCursor` of the first page. Returns the function that ends it. */
export function followRoom(
  apollo: ApolloClient,
  { roomId, after }: { readonly roomId: string; readonly after: string },
): () => void {
  const events = apollo.subscribe<{ roomEvents: { __typename: string; message?: ShownMessage } }>({
    query: ROOM_EVENTS,
    variables: { roomId, after },
  });
  const subscription = events.subscribe(({ data }) => {
    // A changed message is in the cache already, by its id.
    const { __typename, message: node } = data?.roomEvents ?? {};
    if (__typename !== 'MessageAdded' || node === undefined) return;
    addMessage(apollo.cache, roomId, { __typename: 'MessageEdge', cursor: '', node });
  });
  return () => subscription.unsubscribe();
}

/** The event of a message can come before the answer: until then, both it and the pending one are there. */
export const shown = (messages: readonly ShownMessage[]): ShownMessage[] =>
  messages.filter(
    (one) =>
      !one.id.startsWith('pending:') ||
      messages.every((other) => other === one || other.idempotencyKey !== one.idempotencyKey),
  );
