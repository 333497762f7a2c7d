import type { Api } from '../api/api.ts';
import { type ApiError, asApiError } from '../api/errors.ts';
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
  withTold,
} from './listing.ts';

export interface NotificationsState {
  readonly listing: Listing;
  /** The listed notifications, in order. */
  readonly shown: readonly Notification[];
  /** Why the last page could not be read, if it failed. */
  readonly error: ApiError | undefined;
  /** The text of the latest notification since the panel was opened, for screen readers. */
  readonly news: string;
}

/** The viewer's notifications while the panel is open: pages and live updates. */
export interface Notifications extends Pick<Store<NotificationsState>, 'get' | 'subscribe'> {
  /** Reads the next page, also after a failure. Does nothing if there is none or one is being read. */
  more(): Promise<void>;
  show(filter: Filter): void;
  told(notifications: readonly Notification[]): void;
  /** Shows all as read while `act` marks them. If `act` rejects, reverts this and rejects as well. */
  allRead(act: () => Promise<void>): Promise<void>;
  close(): void;
}

const PAGE = 30;

export function createNotifications(api: Pick<Api, 'fetch' | 'connection'>): Notifications {
  const state = createStore<NotificationsState>({
    listing: emptyListing('all'),
    shown: [],
    error: undefined,
    news: '',
  });
  /** Incremented when the list starts anew. A page of an older list is ignored. */
  let turn = 0;
  let loading = false;
  let closed = false;
  /** Pending while all are being marked as read. A page read before then would show them as unread again. */
  let reading: Promise<void> = Promise.resolve();
  /** Notifications removed while a page was being read. The page may still contain them. */
  const gone = new Set<string>();

  function set(listing: Listing, change: Partial<NotificationsState> = {}): void {
    const before = state.get();
    state.set({
      ...before,
      ...change,
      listing,
      shown: listing === before.listing ? before.shown : shownIn(listing),
    });
  }

  /** Reads the next page. With `anew`, reads the first page, which replaces the list. */
  async function load(anew: boolean): Promise<void> {
    const { filter, rest } = state.get().listing;
    if (closed || (!anew && (loading || rest === 'none'))) return;
    const mine = anew ? ++turn : turn;
    loading = true;
    gone.clear();
    set(state.get().listing, { error: undefined });
    try {
      const page = await read(filter, anew || typeof rest === 'string' ? undefined : rest.after);
      if (mine !== turn || closed) return;
      const { listing } = state.get();
      const nodes = page.nodes.filter(({ id }) => !gone.has(id));
      set(withPage(anew ? emptyListing(filter, listing) : listing, { ...page, nodes }));
    } catch (thrown) {
      if (mine === turn && !closed) set(state.get().listing, { error: asApiError(thrown) });
    } finally {
      if (mine === turn) loading = false;
    }
  }

  async function read(filter: Filter, after: string | undefined): Promise<ListingPage> {
    await reading;
    const { viewer } = await api.fetch(NotificationsDocument, {
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

  function take(one: Notification): void {
    const { listing } = state.get();
    const next = withTold(listing, one);
    const first = next.places[0];
    const isNews =
      one.readAt === null &&
      listing.rest !== 'unknown' &&
      (listing.known.has(one.id) ? listing.known.get(one.id)?.text !== one.text : first?.id === one.id);
    set(next, isNews ? { news: one.text } : {});
  }

  // Reading the first page again covers everything missed without a connection.
  const stop = api.connection.listen({
    document: NotificationChangedDocument,
    variables: () => ({}),
    opening: () => void load(true),
    next({ notificationChanged: { notification, removedId } }) {
      if (notification !== null) take(notification);
      if (removedId === null) return;
      if (loading) gone.add(removedId);
      set(withoutOne(state.get().listing, removedId));
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
    told(notifications) {
      set(notifications.reduce(withTold, state.get().listing));
    },
    async allRead(act) {
      const readAt = new Date().toISOString();
      const { fresh } = state.get().listing;
      set(withAllRead(state.get().listing, readAt));
      const isDone = act();
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
