import type { Api } from '../api/api.ts';
import { type ApiError, asApiError } from '../api/errors.ts';
import { createInFlightUpdates } from '../api/inFlightUpdates.ts';
import {
  FollowedThreadDocument,
  FollowedThreadsDocument,
  NotificationChangedDocument,
  type NotificationPartsFragment,
} from '../generated/graphql.ts';
import { createStore, type Store } from '../state/store.ts';
import {
  emptyListing,
  type Filter,
  type FollowedThread,
  type Listing,
  type ListingPage,
  withPage,
  withThread,
  withUnread,
} from './listing.ts';

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

const PAGE = 30;

export function createFollowedThreads(api: Pick<Api, 'queryUncached' | 'connection'>): FollowedThreads {
  const state = createStore<FollowedThreadsState>({ listing: emptyListing('all'), error: undefined });
  /** Increases when the list is read again from its start: a page of the former list is dropped. */
  let requestId = 0;
  let isLoading = false;
  let isClosed = false;
  const updates = createInFlightUpdates<Reply>();

  const change = (next: (listing: Listing) => Listing): void =>
    state.update((before) => ({ ...before, listing: next(before.listing) }));

  async function load(fromStart: boolean): Promise<void> {
    const { filter, threads, after } = state.get().listing;
    if (isClosed || (!fromStart && (isLoading || (threads !== undefined && after === undefined)))) return;
    if (fromStart) requestId++;
    const id = requestId;
    const isOver = () => id !== requestId || isClosed;
    isLoading = true;
    state.update((before) => ({ ...before, error: undefined }));
    try {
      await updates.read(
        () => read(filter, fromStart ? undefined : after),
        (page, arrived) => {
          if (isOver()) return;
          change((listing) => withPage(fromStart ? emptyListing(filter) : listing, page));
          for (const reply of arrived) apply(reply);
        },
      );
    } catch (thrown) {
      if (!isOver()) state.update((before) => ({ ...before, error: asApiError(thrown) }));
    } finally {
      if (id === requestId) isLoading = false;
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
        ...{ root, hasUnread },
        newest: replies.at(-1),
      })),
      after: pageInfo.hasNextPage ? (pageInfo.endCursor ?? undefined) : undefined,
    };
  }

  /** A notification of replies has changed. Only a reply that is not shown yet needs a request. */
  function apply({ message, latestReply, readAt }: Reply): void {
    const { threads } = state.get().listing;
    if (threads === undefined || message === null) return;
    const hasUnread = readAt === null;
    const shown = threads.find(({ root }) => root.id === message.id);
    if (!hasUnread || (shown !== undefined && shown.newest?.id === latestReply?.id)) {
      change((listing) => withUnread(listing, message.id, hasUnread));
    } else void readAgain(message.id);
  }

  /** The consumer may move the thread in the list a moment after the notification: the thread itself is read. */
  async function readAgain(id: string): Promise<void> {
    const read = requestId;
    const found = await api.queryUncached(FollowedThreadDocument, { id }).catch(() => undefined);
    if (isClosed || read !== requestId || found?.node?.__typename !== 'Message') return;
    const { viewerIsFollowing, replies, ...root } = found.node;
    if (!viewerIsFollowing) return;
    const thread: FollowedThread = { root, newest: replies.edges.at(-1)?.node, hasUnread: true };
    change((listing) => withThread(listing, thread));
  }

  // The list is read from its start after each gap in the connection, so no reply is missed.
  const stop = api.connection.subscribe({
    document: NotificationChangedDocument,
    variables: () => ({}),
    onOpening: () => void load(true),
    next({ notificationChanged: { notification } }) {
      if (notification?.kind !== 'REPLY') return;
      updates.push(notification);
      apply(notification);
    },
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
      stop();
    },
  };
}
