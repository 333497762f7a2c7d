import type { Api } from '../api/api.ts';
import { BadgeDocument } from '../generated/graphql.ts';
import { createStore, type Store } from '../state/store.ts';

export interface BadgeState {
  /** Undefined until it is known. */
  readonly total: number | undefined;
  readonly notifications: number;
  /** Rooms with something unread, by id. */
  readonly rooms: ReadonlyMap<string, number>;
  /** How far they have read, by room, on whichever device; only of rooms that something was told of. */
  readonly readTo: ReadonlyMap<string, number>;
}

export interface Badge extends Pick<Store<BadgeState>, 'get' | 'subscribe'> {
  /** The viewer has come to be in a room, is no longer in one, or has muted one elsewhere. */
  onRooms(listener: () => void): void;
  /**
   * Counts so many notifications less at once, for they are being marked as read; what it returns is called
   * when that was done, or was not: then the count is what the server says.
   */
  fewer(notifications: number): (isDone: boolean) => void;
  stop(): void;
}

/** So long the server may need from marking as read to telling that the badge is another. */
const TELLS_WITHIN_MS = 1_000;

/** The badge, live. Each event has whole values, and the first after each opening is all there is. */
export function createBadge(
  { connection }: Pick<Api, 'connection'>,
  isKnown: (roomId: string, muted: boolean) => boolean,
): Badge {
  const state = createStore<BadgeState>({
    total: undefined,
    notifications: 0,
    rooms: new Map(),
    readTo: new Map(),
  });
  let told = state.get();
  let isFirst = true;
  let openings = 0;
  let roomsChanged = () => {};
  /** No more than this is shown while notifications are being marked as read. */
  let ceiling = Number.POSITIVE_INFINITY;
  let readings = 0;
  let lifting: ReturnType<typeof setTimeout> | undefined;

  function show(): void {
    const notifications = Math.min(told.notifications, ceiling);
    const total = told.total === undefined ? undefined : told.total - told.notifications + notifications;
    state.set({ ...told, notifications, total });
  }

  function lift(): void {
    clearTimeout(lifting);
    if (readings === 0) ceiling = Number.POSITIVE_INFINITY;
    show();
  }

  const stop = connection.listen({
    document: BadgeDocument,
    variables: () => ({}),
    opening() {
      openings++;
      isFirst = true;
    },
    next({ unread }) {
      // It names only rooms with something unread: into which and out of which they came meanwhile it does not say.
      const isBack = isFirst && openings > 1;
      const rooms = new Map(isFirst ? [] : told.rooms);
      const readTo = new Map(isFirst ? [] : told.readTo);
      isFirst = false;
      for (const { room, unreadCount, readPosition } of unread.rooms) {
        readTo.set(room.id, readPosition);
        if (unreadCount > 0) rooms.set(room.id, unreadCount);
        else rooms.delete(room.id);
      }
      for (const id of unread.removedRoomIds) {
        rooms.delete(id);
        readTo.delete(id);
      }
      const isOther = unread.notifications !== told.notifications;
      told = { total: unread.total, notifications: unread.notifications, rooms, readTo };
      // What only tells of rooms may come before the reading has had its effect.
      if (isOther) lift();
      else show();
      if (
        isBack ||
        unread.removedRoomIds.length > 0 ||
        unread.rooms.some(({ room, membership }) => !isKnown(room.id, membership.muted ?? false))
      )
        roomsChanged();
    },
  });

  return {
    get: state.get,
    subscribe: state.subscribe,
    onRooms(listener) {
      roomsChanged = listener;
    },
    fewer(notifications) {
      ceiling = Math.max(0, state.get().notifications - notifications);
      readings++;
      show();
      return (isDone) => {
        readings--;
        clearTimeout(lifting);
        if (isDone) lifting = setTimeout(lift, TELLS_WITHIN_MS);
        else lift();
      };
    },
    stop() {
      clearTimeout(lifting);
      stop();
    },
  };
}
