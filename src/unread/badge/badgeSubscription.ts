import { type Clock, systemClock } from '../../core/clock.ts';
import { createSubscription } from '../../live/subscription.ts';
import type { RoomCache } from '../../roomEvents/roomCache.ts';
import type { Membership, Room, Seats } from '../../rooms/room.ts';
import type { UserBadge } from './userBadge.ts';
import type { BadgeListener } from './userUnreadState.ts';

export interface BadgeRoom {
  readonly room: Room & { readonly seats: Seats };
  readonly membership: Membership;
  readonly unreadCount: number;
  readonly readPosition: number;
}

/** The current badge: the totals, and the rooms that have changed since the last one. */
export interface BadgeChange {
  readonly total: number;
  readonly notifications: number;
  readonly rooms: readonly BadgeRoom[];
  readonly removedRoomIds: readonly string[];
}

/** At most one update for each client in this time, however much happens. */
const PUSH_EVERY_MS = 100;

export interface BadgeSubscriptionOptions {
  readonly badge: UserBadge;
  readonly rooms: RoomCache;
  readonly onPush: () => void;
  readonly onClose: () => void;
  readonly clock?: Clock;
}

/**
 * One client's badge. What changes is only marked (a set of rooms, never more than the user is in) until the client
 * asks for the next value, which is then made from the current state.
 */
export function createBadgeSubscription({
  badge,
  rooms,
  onPush,
  onClose,
  clock = systemClock,
}: BadgeSubscriptionOptions): AsyncIterableIterator<BadgeChange> {
  const { state } = badge;
  const changed = new Set<string>();
  const removed = new Set<string>();
  let due = true;
  /** Undefined before the first event. */
  let sentTotal: number | undefined;
  let sentNotifications = 0;
  let lastPush = Number.NEGATIVE_INFINITY;

  const subscription = createSubscription<BadgeChange>(
    {
      take() {
        if (!due || clock.now() < lastPush + PUSH_EVERY_MS) return undefined;
        due = false;
        const change = nextChange();
        if (change === undefined) return undefined;
        sentTotal = change.total;
        sentNotifications = change.notifications;
        lastPush = clock.now();
        onPush();
        return change;
      },
      readyIn: () => (due ? Math.max(0, lastPush + PUSH_EVERY_MS - clock.now()) : undefined),
      close() {
        state.listeners.delete(listener);
        onClose();
      },
    },
    { clock },
  );

  const listener: BadgeListener = {
    changed(room) {
      removed.delete(room);
      changed.add(room);
      mark();
    },
    left(room) {
      changed.delete(room);
      removed.add(room);
      mark();
    },
    notifications: mark,
    opened(room) {
      if (changed.has(room)) mark();
    },
  };
  state.listeners.add(listener);

  function mark(): void {
    due = true;
    subscription.wake();
  }

  /** The first one has all rooms with something unread. Undefined if nothing has changed that may be sent. */
  function nextChange(): BadgeChange | undefined {
    if (sentTotal === undefined) {
      changed.clear();
      removed.clear();
      for (const [id, { unreadCount }] of state.rooms) if (unreadCount > 0) changed.add(id);
    }
    const { total, notifications } = state;
    const removedRoomIds = [...removed];
    const taken = takeChanged();
    const sameTotals = total === sentTotal && notifications === sentNotifications;
    if (sameTotals && changed.size > 0 && taken.length + removedRoomIds.length === 0) return undefined;
    removed.clear();
    return { total, notifications, rooms: taken, removedRoomIds };
  }

  /** Rooms that are closed to the user stay marked: they are sent when they are open again. */
  function takeChanged(): BadgeRoom[] {
    const taken: BadgeRoom[] = [];
    for (const id of changed) {
      if (!badge.mayReceive(id)) continue;
      changed.delete(id);
      const mine = state.rooms.get(id);
      const room = rooms.view(id);
      if (mine === undefined || room === undefined) continue;
      const { membership, unreadCount, readPosition } = mine;
      taken.push({ room, membership, unreadCount, readPosition });
    }
    return taken;
  }

  return subscription.events;
}
