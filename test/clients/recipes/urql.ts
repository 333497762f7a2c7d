import { Client, type Exchange, fetchExchange, gql, subscriptionExchange } from '@urql/core';
import { type Cache, type CacheExchangeOpts, cacheExchange } from '@urql/exchange-graphcache';
import { relayPagination } from '@urql/exchange-graphcache/extras';
import { type RetryExchangeOptions, retryExchange } from '@urql/exchange-retry';
import { pipe, tap } from 'wonka';
import { createReads, fetchInTime, type Reads } from './reads.ts';
import type { LiveClient } from './resume.ts';

export interface UrqlOptions {
  readonly url: string;
  readonly token: () => string;
  /** From `createLiveClient`. */
  readonly live: LiveClient;
  /** The result of an introspection query, so graphcache knows which types an interface has. */
  readonly schema: NonNullable<CacheExchangeOpts['schema']>;
}

interface MessageEdge {
  readonly __typename: 'MessageEdge';
  /** Empty if it is not known: it is needed only at the ends of a page. */
  readonly cursor: string;
  readonly node: ShownMessage;
}

interface ShownMessage {
  readonly __typename: 'Message';
  readonly id: string;
  /** Null if the message was deleted. It keeps its place in the list. */
  readonly body: string | null;
  readonly idempotencyKey: string | null;
  readonly replyCount: number;
  /** The message that began the thread; null if it is this one. */
  readonly root: { readonly __typename: 'Message'; readonly id: string } | null;
}

/** Adds an edge to the newest page of its room, or of its thread, once, whether the event or the answer comes first. */
function addMessage(cache: Cache, roomId: string, edge: MessageEdge): void {
  const { root } = edge.node;
  const owner = root === null ? { __typename: 'Room', id: roomId } : { __typename: 'Message', id: root.id };
  const list = root === null ? 'messages' : 'replies';
  const pages = cache.inspectFields(owner).filter(({ fieldName, arguments: args }) => {
    return fieldName === list && args?.before == null;
  });
  for (const { fieldKey } of pages) {
    const page = cache.resolve(owner, fieldKey) as string | null;
    const edges = (page === null ? null : cache.resolve(page, 'edges')) as string[] | null;
    const key = cache.keyOfEntity({ ...edge });
    if (page === null || edges === null || key === null || edges.includes(key)) continue;
    cache.writeFragment(EDGE, edge);
    cache.link(page, 'edges', [...edges, key]);
  }
}

interface Sent {
  readonly body: string;
  readonly idempotencyKey: string;
  readonly replyTo?: string | null;
}

const EDGE = gql`
  fragment _ on MessageEdge {
    cursor
    node {
      id
      body
      idempotencyKey
      replyCount
      root {
        id
      }
    }
  }
`;

/** Too much was missed: the lists that are shown are read again, and the others when they are opened. The events go on. */
function forgetLists(cache: Cache, roomId: string): void {
  const threads = cache.inspectFields('Query').flatMap(({ fieldName, fieldKey }) => {
    const entity = fieldName === 'node' ? cache.resolve('Query', fieldKey) : null;
    return typeof entity === 'string' ? [{ owner: entity, list: 'replies' }] : [];
  });
  for (const { owner, list } of [{ owner: `Room:${roomId}`, list: 'messages' }, ...threads]) {
    for (const { fieldName, fieldKey } of cache.inspectFields(owner)) {
      if (fieldName === list) cache.invalidate(owner, fieldKey);
    }
  }
}

const countReads =
  (reads: Reads): Exchange =>
  ({ forward }) =>
  (operations) => {
    const open = new Map<number, () => void>();
    const end = (key: number) => {
      open.get(key)?.();
      open.delete(key);
    };
    return pipe(
      operations,
      tap(({ kind, key }) => {
        end(key);
        if (kind === 'query') open.set(key, reads.begin());
      }),
      forward,
      tap(({ operation }) => end(operation.key)),
    );
  };

/**
 * A read that has failed is tried again until it succeeds, with growing pauses up to 30 seconds, or until it is not shown any more. Its
 * list may have been forgotten. A mutation is not: its user tries again, with the same key.
 */
const untilRead: RetryExchangeOptions = {
  maxDelayMs: 30_000,
  maxNumberAttempts: Number.POSITIVE_INFINITY,
  retryIf: ({ networkError, graphQLErrors }, { kind }) =>
    kind === 'query' &&
    // Only RATE_LIMITED and UNAVAILABLE have a time to wait. Other errors would be the same the next time.
    (networkError !== undefined || graphQLErrors.some(({ extensions }) => 'retryAfterMs' in extensions)),
};

export function createUrql({ url, token, live, schema }: UrqlOptions): Client {
  const reads = createReads();
  const followed = reads.follow(live);
  return new Client({
    url,
    preferGetMethod: false,
    fetch: fetchInTime,
    fetchOptions: () => ({ headers: { authorization: `Bearer ${token()}` } }),
    exchanges: [
      cacheExchange({
        schema,
        keys: {
          // Types without an `id` are part of what they are in. An edge has its message's id, so it can be added.
          PageInfo: () => null,
          MessageConnection: () => null,
          MessageEdge: ({ node }) => (node as MessageEdge['node'] | undefined)?.id ?? null,
          SendMessagePayload: () => null,
        },
        // One list for all pages. Each page that is asked for with `before` is put before the others.
        resolvers: {
          Room: { messages: relayPagination({ mergeMode: 'outwards' }) },
          Message: { replies: relayPagination({ mergeMode: 'outwards' }) },
        },
        optimistic: {
          sendMessage: ({ input }) => {
            const { body, idempotencyKey, replyTo } = input as Sent;
            // Pass the root as `replyTo`: another reply would need its root from the cache.
            const root = replyTo == null ? null : { __typename: 'Message', id: replyTo };
            const node = {
              __typename: 'Message',
              id: `pending:${idempotencyKey}`,
              body,
              idempotencyKey,
              replyCount: 0,
              root,
            };
            return {
              __typename: 'SendMessagePayload',
              messageEdge: { __typename: 'MessageEdge', cursor: '', node },
            };
          },
        },
        updates: {
          Mutation: {
            sendMessage({ sendMessage }, { input }, cache) {
              const { messageEdge } = (sendMessage ?? {}) as { messageEdge?: MessageEdge };
              if (messageEdge) addMessage(cache, (input as { roomId: string }).roomId, messageEdge);
            },
          },
          Subscription: {
            roomEvents({ roomEvents }, { roomId }, cache) {
              // A changed message is in the cache already, by its id.
              const { __typename, message } = roomEvents as {
                __typename: string;
                message: MessageEdge['node'];
              };
              if (__typename === 'ResyncRequired') forgetLists(cache, roomId as string);
              if (__typename !== 'MessageAdded') return;
              addMessage(cache, roomId as string, { __typename: 'MessageEdge', cursor: '', node: message });
            },
          },
        },
      }),
      subscriptionExchange({
        forwardSubscription: ({ query = '', variables }) => ({
          subscribe: (sink) => ({
            unsubscribe: followed.subscribe(
              { query, variables: variables as Record<string, unknown> },
              { ...sink, next: (result) => sink.next(result as Parameters<typeof sink.next>[0]) },
            ),
          }),
        }),
      }),
      // After the subscriptions, which continue by themselves. Before the reads: events do not wait for the pauses.
      retryExchange(untilRead),
      countReads(reads),
      fetchExchange,
    ],
  });
}

/**
 * The newest page first; with `before: pageInfo.startCursor` the page before it is added. Show `shown` of the messages.
 */
export const ROOM = gql`
  query Room($roomId: ID!, $last: Int!, $before: String) {
    room(id: $roomId) {
      id
      eventsCursor
      messages(last: $last, before: $before) {
        edges {
          cursor
          node {
            id
            body
            idempotencyKey
            replyCount
            root {
              id
            }
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
              id
              body
              idempotencyKey
              replyCount
              root {
                id
              }
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

/** With an `idempotencyKey`: trying again with the same one never sends the message twice. */
export const SEND = gql`
  mutation Send($input: SendMessageInput!) {
    sendMessage(input: $input) {
      messageEdge {
        cursor
        node {
          id
          body
          idempotencyKey
          replyCount
          root {
            id
          }
        }
      }
    }
  }
`;

/** `after`: `Room.eventsCursor` of the first page. */
export const ROOM_EVENTS = gql`
  subscription RoomEvents($roomId: ID!, $after: String) {
    roomEvents(roomId: $roomId, after: $after) {
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
          root {
            id
          }
        }
      }
    }
  }
`;
