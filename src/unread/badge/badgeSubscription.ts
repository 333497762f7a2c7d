import type { Clock } from '../../core/clock.ts';
import { createSubscription, type Subscription, type SubscriptionSource } from '../../live/subscription.ts';
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

interface BadgeTotals {
  readonly total: number;
  readonly notifications: number;
}

/** The current badge: the totals, and the rooms that have changed since the last one. */
export interface BadgeChange extends BadgeTotals {
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
  readonly clock: Clock;
}

/**
 * One client's badge. What changes is only marked (a set of rooms, never more than the user is in) until the client
 * asks for the next value, which is then made from the current state.
 */
export function createBadgeSubscription(
  options: BadgeSubscriptionOptions,
): AsyncIterableIterator<BadgeChange> {
  return new BadgeStream(options).subscription.events;
}

/** A class, because a server holds one for each socket. */
class BadgeStream implements SubscriptionSource<BadgeChange>, BadgeListener {
  readonly subscription: Subscription<BadgeChange>;
  readonly #options: BadgeSubscriptionOptions;
  readonly #changed = new Set<string>();
  readonly #removed = new Set<string>();
  #due = true;
  /** The totals of the last event; undefined before the first one. */
  #sent: BadgeTotals | undefined = undefined;
  /** Those of the event before it. */
  #before: BadgeTotals | undefined = undefined;
  #lastPush = Number.NEGATIVE_INFINITY;

  constructor(options: BadgeSubscriptionOptions) {
    this.#options = options;
    this.subscription = createSubscription<BadgeChange>(this, { clock: options.clock });
    options.badge.state.listeners.add(this);
  }

  take(): BadgeChange | undefined {
    const { clock, onPush } = this.#options;
    if (!this.#due || clock.now() < this.#lastPush + PUSH_EVERY_MS) return undefined;
    this.#due = false;
    const change = this.#nextChange();
    if (change === undefined) return undefined;
    this.#before = this.#sent;
    this.#sent = { total: change.total, notifications: change.notifications };
    this.#lastPush = clock.now();
    onPush();
    return change;
  }

  mayStillSend(change: BadgeChange): boolean {
    const { badge } = this.#options;
    // A room that the user has left is not closed any more, because they may enter it again.
    const isMember = ({ room: { id } }: BadgeRoom) => badge.mayReceive(id) && badge.state.rooms.has(id);
    if (change.rooms.every(isMember)) return true;
    this.#putBack(change);
    return false;
  }

  readyIn(): number | undefined {
    if (!this.#due) return undefined;
    return Math.max(0, this.#lastPush + PUSH_EVERY_MS - this.#options.clock.now());
  }

  close(): void {
    this.#options.badge.state.listeners.delete(this);
    this.#options.onClose();
  }

  changed(room: string): void {
    this.#removed.delete(room);
    this.#changed.add(room);
    this.#mark();
  }

  left(room: string): void {
    this.#changed.delete(room);
    this.#removed.add(room);
    this.#mark();
  }

  totals(): void {
    this.#mark();
  }

  opened(room: string): void {
    if (this.#changed.has(room)) this.#mark();
  }

  #mark(): void {
    this.#due = true;
    this.subscription.wake();
  }

  /** The first one has all rooms with something unread. Undefined if nothing has changed that may be sent. */
  #nextChange(): BadgeChange | undefined {
    const { state } = this.#options.badge;
    if (this.#sent === undefined) {
      this.#changed.clear();
      this.#removed.clear();
      for (const [id, { unreadCount }] of state.rooms) if (unreadCount > 0) this.#changed.add(id);
    }
    const { total, notifications } = state;
    const removedRoomIds = [...this.#removed];
    const taken = this.#takeChanged();
    const sameTotals = total === this.#sent?.total && notifications === this.#sent.notifications;
    if (sameTotals && this.#changed.size > 0 && taken.length + removedRoomIds.length === 0) return undefined;
    this.#removed.clear();
    return { total, notifications, rooms: taken, removedRoomIds };
  }

  /** The change was not sent. What has happened to its rooms since then stays. */
  #putBack({ rooms, removedRoomIds }: BadgeChange): void {
    this.#sent = this.#before;
    for (const { room } of rooms) if (!this.#removed.has(room.id)) this.#changed.add(room.id);
    for (const id of removedRoomIds) if (!this.#changed.has(id)) this.#removed.add(id);
    this.#due = true;
  }

  /** Rooms that are closed to the user stay marked: they are sent when they are open again. */
  #takeChanged(): BadgeRoom[] {
    const { badge, rooms } = this.#options;
    const taken: BadgeRoom[] = [];
    for (const id of this.#changed) {
      if (!badge.mayReceive(id)) continue;
      this.#changed.delete(id);
      const roomState = badge.state.rooms.get(id);
      const room = rooms.getRoom(id);
      if (roomState === undefined || room === undefined) continue;
      const { membership, unreadCount, readPosition } = roomState;
      taken.push({ room, membership, unreadCount, readPosition });
    }
    return taken;
  }
}
