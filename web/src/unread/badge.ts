import type { Api } from '../api/api.ts';
import { BadgeDocument } from '../generated/graphql.ts';
import { createStore, type Store } from '../state/store.ts';

export interface BadgeState {
  /** Undefined until it is known. */
  readonly total: number | undefined;
  readonly notifications: number;
  /** Rooms with something unread, by id. */
  readonly rooms: ReadonlyMap<string, number>;
  /** The viewer's read positions on any device, by room. Only of rooms that an event was about. */
  readonly readTo: ReadonlyMap<string, number>;
}

export interface Badge extends Pick<Store<BadgeState>, 'get' | 'subscribe'> {
  /** Called when the viewer joined a room, is no longer in one, or muted one elsewhere. */
  onRooms(listener: () => void): void;
  /**
   * Subtracts notifications that are being marked as read, before the server has confirmed it. Call the returned
   * function with whether it was done. From then on the count is the server's. `ofRoots`: those of them that are
   * mentions in roots, which the total counts until they are read.
   */
  optimisticallySubtract(notifications: number, ofRoots?: number): (isDone: boolean) => void;
  stop(): void;
}

/** The server sends the changed badge within this time after notifications were marked as read. */
const BADGE_FOLLOWS_MS = 1_000;

/** The badge, live. Each event has whole values, and the first one after each opening is the complete state. */
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
  let server = state.get();
  let isFirst = true;
  let openings = 0;
  let roomsChanged = () => {};
  /** The highest count to show while notifications are being marked as read. */
  let optimisticMax = Number.POSITIVE_INFINITY;
  /** Of the notifications that are being marked as read, those that stay in the total. */
  let ofRootsMarked = 0;
  let markingRead = 0;
  const muted = new Set<string>();
  let clearing: ReturnType<typeof setTimeout> | undefined;

  function show(): void {
    const notifications = Math.min(server.notifications, optimisticMax);
    state.set({ ...server, notifications, total: totalWith(notifications) });
  }

  function totalWith(notifications: number): number | undefined {
    if (server.total === undefined || notifications === server.notifications) return server.total;
    const unreadRoots = [...server.rooms].reduce((sum, [id, count]) => sum + (muted.has(id) ? 0 : count), 0);
    const subtracted = Math.max(0, server.notifications - notifications - ofRootsMarked);
    return Math.max(unreadRoots, server.total - subtracted);
  }

  function clearOptimisticMax(): void {
    clearTimeout(clearing);
    if (markingRead === 0) {
      optimisticMax = Number.POSITIVE_INFINITY;
      ofRootsMarked = 0;
    }
    show();
  }

  const stop = connection.subscribe({
    document: BadgeDocument,
    variables: () => ({}),
    onOpening() {
      openings++;
      isFirst = true;
    },
    next({ unread }) {
      // It contains only rooms with unread messages, and not which rooms the viewer joined or left meanwhile.
      const isBack = isFirst && openings > 1;
      const rooms = new Map(isFirst ? [] : server.rooms);
      const readTo = new Map(isFirst ? [] : server.readTo);
      isFirst = false;
      for (const { room, membership, unreadCount, readPosition } of unread.rooms) {
        readTo.set(room.id, readPosition);
        if (membership.muted === true) muted.add(room.id);
        else muted.delete(room.id);
        if (unreadCount > 0) rooms.set(room.id, unreadCount);
        else rooms.delete(room.id);
      }
      for (const id of unread.removedRoomIds) {
        rooms.delete(id);
        readTo.delete(id);
      }
      const isNewCount = unread.notifications !== server.notifications;
      server = { total: unread.total, notifications: unread.notifications, rooms, readTo };
      // An event about rooms only may arrive before notifications are marked as read.
      if (isNewCount) clearOptimisticMax();
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
    optimisticallySubtract(notifications, ofRoots = 0) {
      optimisticMax = Math.max(0, state.get().notifications - notifications);
      ofRootsMarked += ofRoots;
      markingRead++;
      show();
      return (isDone) => {
        markingRead--;
        clearTimeout(clearing);
        if (isDone) clearing = setTimeout(clearOptimisticMax, BADGE_FOLLOWS_MS);
        else clearOptimisticMax();
      };
    },
    stop() {
      clearTimeout(clearing);
      stop();
    },
  };
}
