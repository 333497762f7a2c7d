import type { Api } from '../api/api.ts';
import { type ApiError, asApiError } from '../api/errors.ts';
import { createInFlightUpdates } from '../api/inFlightUpdates.ts';
import { NotificationChangedDocument, NotificationsDocument } from '../generated/graphql.ts';
import { createStore, type Store } from '../state/store.ts';
import {
  emptyListing,
  type Filter,
  type Listing,
  type ListingPage,
  type Notification,
  shownIn,
  withAllRead,
  withoutOne,
  withoutReading,
  withPage,
  withUpdated,
} from './listing.ts';

export interface NotificationsState {
  readonly listing: Listing;
  /** The listed notifications, in order. */
  readonly shown: readonly Notification[];
  /** Why the last page could not be read, if it failed. */
  readonly error: ApiError | undefined;
  /** The text of the last change since the panel was opened, for screen readers. */
  readonly announcement: string;
}

/** The viewer's notifications while the panel is open: pages, and live changes. */
export interface Notifications extends Pick<Store<NotificationsState>, 'get' | 'subscribe'> {
  /** Loads the next page if there is one and none is in flight. After a failure, loads it again. */
  more(): Promise<void>;
  show(filter: Filter): void;
  /** Adds what the server answered when notifications were marked as read. */
  applyAnswer(notifications: readonly Notification[]): void;
  /** Shows all notifications as read while `action` marks them. If it rejects, restores them and rejects as well. */
  allRead(action: () => Promise<void>): Promise<void>;
  close(): void;
}

/** An event of the subscription. */
interface Update {
  readonly notification: Notification | null;
  readonly removedId: string | null;
}

const PAGE = 30;

export function createNotifications(api: Pick<Api, 'queryUncached' | 'connection'>): Notifications {
  const state = createStore<NotificationsState>({
    listing: emptyListing('all'),
    shown: [],
    error: undefined,
    announcement: '',
  });
  /** Increases when the list is read again from its start: a page of the former list is dropped. */
  let requestId = 0;
  let loading = false;
  let closed = false;
  /** Marking all as read. A page read before it has finished would show them as unread again. */
  let reading: Promise<void> = Promise.resolve();
  const updates = createInFlightUpdates<Update>();

  function set(listing: Listing, change: Partial<NotificationsState> = {}): void {
    const before = state.get();
    state.set({
      ...before,
      ...change,
      listing,
      shown: listing === before.listing ? before.shown : shownIn(listing),
    });
  }

  /** Loads the next page, or with `fromStart` the first one, which replaces the listing. */
  async function load(fromStart: boolean): Promise<void> {
    const { filter, rest } = state.get().listing;
    if (closed || (!fromStart && (loading || rest === 'none'))) return;
    if (fromStart) requestId++;
    const id = requestId;
    const isOver = () => id !== requestId || closed;
    loading = true;
    set(state.get().listing, { error: undefined });
    try {
      await updates.read(
        () => read(filter, fromStart || typeof rest === 'string' ? undefined : rest.after),
        (page, arrived) => {
          if (isOver()) return;
          const { listing } = state.get();
          set(
            arrived.reduce(withUpdate, withPage(fromStart ? emptyListing(filter, listing) : listing, page)),
          );
        },
      );
    } catch (thrown) {
      if (!isOver()) set(state.get().listing, { error: asApiError(thrown) });
    } finally {
      if (id === requestId) loading = false;
    }
  }

  async function read(filter: Filter, after: string | undefined): Promise<ListingPage> {
    await reading;
    const { viewer } = await api.queryUncached(NotificationsDocument, {
      first: PAGE,
      unreadOnly: filter === 'unread',
      ...(after === undefined ? {} : { after }),
    });
    const { edges, pageInfo } = viewer.notifications;
    return {
      nodes: edges.map(({ node }) => node),
      after: pageInfo.hasNextPage ? (pageInfo.endCursor ?? undefined) : undefined,
    };
  }

  function apply(one: Notification): void {
    const { listing } = state.get();
    const next = withUpdated(listing, one);
    const first = next.positions[0];
    const isNew =
      one.readAt === null &&
      listing.rest !== 'unknown' &&
      (listing.known.has(one.id) ? listing.known.get(one.id)?.text !== one.text : first?.id === one.id);
    set(next, isNew ? { announcement: one.text } : {});
  }

  // The list is read from its start after each gap in the connection, so no event is missed.
  const stop = api.connection.subscribe({
    document: NotificationChangedDocument,
    variables: () => ({}),
    onOpening: () => void load(true),
    next({ notificationChanged: { notification, removedId } }) {
      updates.push({ notification, removedId });
      if (notification !== null) apply(notification);
      if (removedId !== null) set(withoutOne(state.get().listing, removedId));
    },
  });

  return {
    get: state.get,
    subscribe: state.subscribe,
    more: () => load(state.get().listing.rest === 'unknown'),
    show(filter) {
      set(emptyListing(filter, state.get().listing));
      void load(true);
    },
    applyAnswer(notifications) {
      for (const notification of notifications) updates.push({ notification, removedId: null });
      set(notifications.reduce(withUpdated, state.get().listing));
    },
    async allRead(action) {
      const readAt = new Date().toISOString();
      const { fresh } = state.get().listing;
      set(withAllRead(state.get().listing, readAt));
      const isDone = action();
      reading = isDone.catch(() => {});
      try {
        await isDone;
      } catch (error) {
        set(withoutReading(state.get().listing, { readAt, fresh }));
        throw error;
      }
    },
    close() {
      closed = true;
      stop();
    },
  };
}

function withUpdate(listing: Listing, { notification, removedId }: Update): Listing {
  const updated = notification === null ? listing : withUpdated(listing, notification);
  return removedId === null ? updated : withoutOne(updated, removedId);
}
