import type { Api } from '../api/api.ts';
import { BadgeDocument } from '../generated/graphql.ts';
import { createStore, type Store } from '../state/store.ts';

export interface BadgeState {
  /** Undefined until it is known. */
  readonly total: number | undefined;
  readonly notifications: number;
  /** Rooms with something unread, by id. */
  readonly rooms: ReadonlyMap<string, number>;
}

export interface Badge extends Pick<Store<BadgeState>, 'get' | 'subscribe'> {
  /** The viewer has come to be in a room, is no longer in one, or has muted one elsewhere. */
  onRooms(listener: () => void): void;
  stop(): void;
}

/** The badge, live. Each event has whole values, and the first after each opening is all there is. */
export function createBadge(
  { connection }: Pick<Api, 'connection'>,
  isKnown: (roomId: string, muted: boolean) => boolean,
): Badge {
  const state = createStore<BadgeState>({ total: undefined, notifications: 0, rooms: new Map() });
  let isFirst = true;
  let roomsChanged = () => {};

  const stop = connection.listen({
    document: BadgeDocument,
    variables: () => ({}),
    opening() {
      isFirst = true;
    },
    next({ unread }) {
      const rooms = new Map(isFirst ? [] : state.get().rooms);
      isFirst = false;
      for (const { room, unreadCount } of unread.rooms) {
        if (unreadCount > 0) rooms.set(room.id, unreadCount);
        else rooms.delete(room.id);
      }
      for (const id of unread.removedRoomIds) rooms.delete(id);
      state.set({ total: unread.total, notifications: unread.notifications, rooms });
      if (
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
    stop,
  };
}
