import type { Api } from '../api/api.ts';
import { type ApiError, asApiError, isTemporary } from '../api/errors.ts';
import { createInFlightUpdates } from '../api/inFlightUpdates.ts';
import { withRetry } from '../api/retry.ts';
import {
  FollowedThreadDocument,
  type FollowedThreadQuery,
  FollowedThreadsDocument,
  NotificationChangedDocument,
  type NotificationPartsFragment,
} from '../generated/graphql.ts';
import { createStore, type Store } from '../state/store.ts';
import {
  emptyListing,
  type Filter,
  type Listing,
  type ListingPage,
  withPage,
  withThread,
  withUnread,
} from './listing.ts';
import { createOwnReplies } from './ownReplies.ts';

export interface FollowedThreadsState {
  readonly listing: Listing;
  /** Why the last page could not be read, if it failed. */
  readonly error: ApiError | undefined;
}

/** The threads that the viewer follows, while their page is open: pages, and live changes. */
export interface FollowedThreads extends Pick<Store<FollowedThreadsState>, 'get' | 'subscribe'> {
  /** Loads the next page, or the first one if it could not be read. */
  more(): Promise<void>;
  show(filter: Filter): void;
  close(): void;
}

type Reply = Pick<NotificationPartsFragment, 'message' | 'latestReply' | 'readAt'>;

/** A thread has a new reply, or was read. */
interface ThreadChange {
  readonly rootId: string;
  /** Undefined if it is not known. */
  readonly newestId: string | undefined;
  /** Undefined if it stays as it is: the viewer's own reply, which may be from another device. */
  readonly hasUnread: boolean | undefined;
}

const PAGE = 30;

export interface FollowedThreadsOptions {
  readonly api: Pick<Api, 'queryUncached' | 'connection'>;
  readonly viewerId: string;
}

export function createFollowedThreads({ api, viewerId }: FollowedThreadsOptions): FollowedThreads {
  const state = createStore<FollowedThreadsState>({ listing: emptyListing('all'), error: undefined });
  /**
   * Aborted when the list is read again from its start, and at the end: what was read for the former list is dropped.
   */
  let reading = new AbortController();
  let isLoading = false;
  let isClosed = false;
  const { backoff } = api.connection;
  const updates = createInFlightUpdates<ThreadChange>();

  const change = (next: (listing: Listing) => Listing): void =>
    state.update((before) => ({ ...before, listing: next(before.listing) }));

  const fail = (error: ApiError): void => state.update((before) => ({ ...before, error }));

  async function load(fromStart: boolean): Promise<void> {
    const { filter, threads, after } = state.get().listing;
    if (isClosed || (!fromStart && (isLoading || (threads !== undefined && after === undefined)))) return;
    if (fromStart) {
      reading.abort();
      reading = new AbortController();
    }
    const { signal } = reading;
    isLoading = true;
    state.update((before) => ({ ...before, error: undefined }));
    try {
      const attempt = () =>
        updates.read(
          () => read(filter, fromStart ? undefined : after),
          (page, arrived) => {
            if (signal.aborted) return;
            state.update(({ listing }) => ({
              listing: withPage(fromStart ? emptyListing(filter) : listing, page),
              error: undefined,
            }));
            for (const one of arrived) apply(one);
          },
        );
      // The connection may be back before requests succeed. The viewer asks for further pages again.
      const isRetryable = (error: ApiError) => fromStart && isTemporary(error);
      await withRetry(backoff, attempt, { signal, isRetryable, onFailure: fail });
    } catch (thrown) {
      if (!signal.aborted) fail(asApiError(thrown));
    } finally {
      if (!signal.aborted) isLoading = false;
    }
  }

  async function read(filter: Filter, after: string | undefined): Promise<ListingPage> {
    const { viewer } = await api.queryUncached(FollowedThreadsDocument, {
      first: PAGE,
      unreadOnly: filter === 'unread',
      ...(after === undefined ? {} : { after }),
    });
    const { edges, pageInfo } = viewer.threads;
    return {
      threads: edges.map(({ node: { root, replies, hasUnread } }) => ({
        root,
        hasUnread,
        newest: replies.at(-1),
      })),
      after: pageInfo.hasNextPage ? (pageInfo.endCursor ?? undefined) : undefined,
    };
  }

  /** Only a reply that is not shown yet needs a request. */
  function apply({ rootId, newestId, hasUnread }: ThreadChange): void {
    const { filter, threads } = state.get().listing;
    if (threads === undefined) return;
    const shown = threads.find(({ root }) => root.id === rootId);
    // A reply of the viewer makes no thread unread.
    if (hasUnread === undefined && shown === undefined && filter === 'unread') return;
    if (hasUnread === false) change((listing) => withUnread(listing, rootId, false));
    else if (shown === undefined || shown.newest?.id !== newestId) void readAgain(rootId, hasUnread);
    // It may have been read before the consumer moved it in the list.
    else change((listing) => withThread(listing, { ...shown, hasUnread: hasUnread ?? shown.hasUnread }));
  }

  function handle(one: ThreadChange): void {
    updates.push(one);
    apply(one);
  }

  /** The consumer may move the thread in the list a moment after the notification: the thread itself is read. */
  async function readAgain(id: string, unread: boolean | undefined): Promise<void> {
    const { signal } = reading;
    const attempt = () => api.queryUncached(FollowedThreadDocument, { id });
    const read = () => withRetry(backoff, attempt, { signal });
    // If it fails, the list is read again when the connection is back.
    await updates.read(read, show).catch(() => {});

    function show(found: FollowedThreadQuery | undefined, arrived: readonly ThreadChange[]): void {
      if (signal.aborted || found?.node?.__typename !== 'Message') return;
      const { viewerIsFollowing, replies, ...root } = found.node;
      // Users who reply follow the thread, but the consumer may not have come to it yet.
      if (!viewerIsFollowing && unread !== undefined) return;
      const newest = replies.edges.at(-1)?.node;
      // It may have been read on another device, also while this was retried.
      const known = arrived.findLast((one) => one.rootId === id && one.hasUnread !== undefined);
      change((listing) => {
        const before = listing.threads?.find((one) => one.root.id === id);
        const hasUnread = known?.hasUnread ?? unread ?? before?.hasUnread ?? false;
        // A thread that is already read does not enter the unread list.
        if (before === undefined && listing.filter === 'unread' && !hasUnread) return listing;
        return withThread(listing, { root, newest, hasUnread });
      });
    }
  }

  // The list is read from its start after each gap in the connection, so no reply is missed.
  const stop = api.connection.subscribe({
    document: NotificationChangedDocument,
    variables: () => ({}),
    onOpening: () => void load(true),
    next({ notificationChanged: { notification } }) {
      if (notification?.kind !== 'REPLY') return;
      const { message, latestReply, readAt }: Reply = notification;
      if (message === null) return;
      handle({ rootId: message.id, newestId: latestReply?.id, hasUnread: readAt === null });
    },
  });
  // Users are not notified of their own replies. Those that they send from another device are events of the room.
  const ownReplies = createOwnReplies({
    api,
    viewerId,
    onReply: (rootId, newestId) => handle({ rootId, newestId, hasUnread: undefined }),
    onMissed: () => void load(true),
  });
  const stopFollowing = state.subscribe(() => {
    const { threads } = state.get().listing;
    if (threads !== undefined) ownReplies.follow(threads);
  });

  return {
    get: state.get,
    subscribe: state.subscribe,
    more: () => load(state.get().listing.threads === undefined),
    show(filter) {
      change(() => emptyListing(filter));
      void load(true);
    },
    close() {
      isClosed = true;
      reading.abort();
      stop();
      stopFollowing();
      ownReplies.stop();
    },
  };
}
