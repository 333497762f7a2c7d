import { type ApolloCache, ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } from '@apollo/client';
import type { Modifier, Reference } from '@apollo/client/cache';
import { SetContextLink } from '@apollo/client/link/context';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { relayStylePagination } from '@apollo/client/utilities';
import { OperationTypeNode } from 'graphql';
import type { Client } from 'graphql-ws';
import { finalize } from 'rxjs';
import { createReads, fetchInTime, untilDone } from './reads.ts';
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
  const reads = createReads();
  const counted = new ApolloLink((operation, forward) =>
    operation.operationType === OperationTypeNode.QUERY
      ? forward(operation).pipe(finalize(reads.begin()))
      : forward(operation),
  );
  return new ApolloClient({
    link: ApolloLink.split(
      ({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION,
      // It calls nothing but `subscribe`.
      new GraphQLWsLink(reads.follow(live) as Client),
      ApolloLink.from([counted, authorized, new HttpLink({ uri: url, fetch: fetchInTime })]),
    ),
    // Lists that no one looks at are not read again after ResyncRequired, so each is read again when it is opened.
    defaultOptions: { watchQuery: { fetchPolicy: 'cache-and-network', nextFetchPolicy: 'cache-first' } },
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
    replyCount
    root {
      id
    }
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

/** The replies to a root, by the same rules as the room's messages. */
export const THREAD = gql`
  query Thread($rootId: ID!, $last: Int!, $before: String) {
    node(id: $rootId) {
      id
      ... on Message {
        replies(last: $last, before: $before) {
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
  /** Null if the message was deleted. It keeps its place in the list. */
  readonly body: string | null;
  readonly idempotencyKey: string | null;
  readonly replyCount: number;
  /** The message that began the thread; null if it is this one. */
  readonly root: { readonly __typename: 'Message'; readonly id: string } | null;
}

interface MessageEdge {
  readonly __typename: 'MessageEdge';
  /** Empty if it is not known: it is needed only at the ends of a page. */
  readonly cursor: string;
  readonly node: ShownMessage;
}

/** Adds a message to the end of its room, or a reply to the end of its thread, whether the event or the answer comes first. */
function addMessage(cache: ApolloCache, roomId: string, { cursor, node }: MessageEdge): void {
  const add: Modifier<Page | Reference> = (existing, { toReference, readField }) => {
    if (!('edges' in existing)) return existing;
    if (existing.edges.some((edge) => readField('id', edge.node) === node.id)) return existing;
    const added = { __typename: 'MessageEdge', cursor, node: toReference({ ...node }, true) };
    return { ...existing, edges: [...existing.edges, added] } as typeof existing;
  };
  // A list that was not read yet is not there, and stays so until it is read.
  if (node.root === null) {
    cache.modify<{ messages: Page }>({ id: `Room:${roomId}`, fields: { messages: add } });
  } else {
    cache.modify<{ replies: Page }>({ id: `Message:${node.root.id}`, fields: { replies: add } });
  }
}

interface Page {
  readonly edges: ReadonlyArray<{ readonly node: { readonly __ref: string } }>;
}

export interface SendOptions {
  readonly roomId: string;
  readonly body: string;
  readonly key: string;
  /** The root of the thread that gets the message as a reply. */
  readonly rootId?: string;
}

/** Shows the message at once. Trying again with the same key never sends it twice. */
export function sendMessage(apollo: ApolloClient, { roomId, body, key, rootId }: SendOptions) {
  const root = rootId === undefined ? null : ({ __typename: 'Message', id: rootId } as const);
  const node: ShownMessage = {
    __typename: 'Message',
    id: `pending:${key}`,
    body,
    idempotencyKey: key,
    replyCount: 0,
    root,
  };
  const edge: MessageEdge = { __typename: 'MessageEdge', cursor: '', node };
  return apollo.mutate<{ sendMessage: { messageEdge: MessageEdge } | null }>({
    mutation: SEND,
    variables: { input: { roomId, body, idempotencyKey: key, replyTo: rootId } },
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
  const ending = new AbortController();
  const subscription = events.subscribe(({ data }) => {
    const { __typename, message: node } = data?.roomEvents ?? {};
    // Too much was missed: the newest page of what is shown replaces the lists. The events go on.
    if (__typename === 'ResyncRequired')
      void untilDone(async () => apollo.refetchQueries({ include: 'active' }), ending.signal);
    // A changed message is in the cache already, by its id.
    if (__typename !== 'MessageAdded' || node === undefined) return;
    addMessage(apollo.cache, roomId, { __typename: 'MessageEdge', cursor: '', node });
  });
  return () => {
    ending.abort();
    subscription.unsubscribe();
  };
}
