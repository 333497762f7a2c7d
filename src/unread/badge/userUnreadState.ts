import type { Timestamp } from '../../core/timestamps.ts';
import { BoundedMap } from '../../live/boundedMap.ts';
import type { CachedRoom } from '../../roomEvents/roomCache.ts';
import type { Membership } from '../../rooms/room.ts';
import { readMark, readUpTo, unreadCount } from '../readPosition.ts';

/** One room of a user, as far as the badge needs it. */
export interface RoomState {
  membership: Membership;
  /** Position of the root that `readTo` names, once it is known. */
  rootPosition: number | null;
  unreadCount: number;
  /** The highest position that counts as read. */
  readPosition: number;
}

/** Called when a user's badge has changed; one for each open subscription. */
export interface BadgeListener {
  changed(room: string): void;
  left(room: string): void;
  notifications(): void;
  /** The room may be sent again after its membership was checked. */
  opened(room: string): void;
}

/**
 * The badge of one user on this server, shared by all their subscriptions here. Everything that arrives is a whole
 * value with a version, of which the highest is kept, so it may arrive late, twice or out of order.
 * The total is kept and not summed up: a change costs the same with one room as with a thousand.
 */
export interface UserUnreadState {
  readonly rooms: ReadonlyMap<string, RoomState>;
  readonly listeners: Set<BadgeListener>;
  /** Of rooms (without muted ones) and notifications. */
  readonly total: number;
  readonly notifications: number;
  applyMembership(membership: Membership, cached: CachedRoom | undefined, rootPosition: number | null): void;
  /** The room's counter has moved, and maybe the root that `readTo` names has its position now. */
  applyRoom(cached: CachedRoom): void;
  /** The user has posted the root `t`, which moves their read position to it. Arrives before the membership says so. */
  applyPosted(room: string, t: Timestamp, cached: CachedRoom | undefined): void;
  /** `rev`: higher than any that the membership had. */
  applyLeft(room: string, rev: number): void;
  applyBadge(total: number, rev: number): void;
}

/** Rooms that were left while a subscription is open: a late event of one is recognised as old. */
const LEFT_MAX = 1_000;

export function createUserUnreadState(): UserUnreadState {
  const rooms = new Map<string, RoomState>();
  const left = new BoundedMap<string, number>(LEFT_MAX);
  const listeners = new Set<BadgeListener>();
  let roomsTotal = 0;
  let badge = { total: 0, rev: -1 };

  const counted = ({ membership, unreadCount }: RoomState) => (membership.muted ? 0 : unreadCount);

  /** Replaces the room's state, and calls the listeners if clients can see a difference. */
  function put(id: string, next: RoomState): void {
    const before = rooms.get(id);
    rooms.set(id, next);
    roomsTotal += counted(next) - (before === undefined ? 0 : counted(before));
    const visible =
      before === undefined ||
      before.unreadCount !== next.unreadCount ||
      before.membership.muted !== next.membership.muted ||
      before.membership.role !== next.membership.role;
    if (visible) for (const listener of listeners) listener.changed(id);
  }

  function roomState(
    membership: Membership,
    cached: CachedRoom | undefined,
    rootPosition: number | null,
  ): RoomState {
    const messageCount = cached?.counter.messageCount ?? 0;
    const mark = readMark(membership, rootPosition);
    return {
      membership,
      rootPosition,
      unreadCount: unreadCount(messageCount, mark),
      readPosition: readUpTo(messageCount, mark),
    };
  }

  return {
    rooms,
    listeners,
    get total() {
      return roomsTotal + badge.total;
    },
    get notifications() {
      return badge.total;
    },

    applyMembership(membership, cached, rootPosition) {
      const before = rooms.get(membership.room);
      if (membership.rev <= (left.get(membership.room) ?? 0)) return;
      if (before !== undefined && membership.rev < before.membership.rev) return;
      const position = rootPosition ?? positionOf(membership, cached, before);
      put(membership.room, roomState(membership, cached, position));
    },

    applyRoom(cached) {
      const before = rooms.get(cached.id);
      if (before === undefined) return;
      const { membership } = before;
      put(cached.id, roomState(membership, cached, positionOf(membership, cached, before)));
    },

    applyPosted(room, t, cached) {
      const before = rooms.get(room);
      if (before === undefined || t <= before.membership.readAt) return;
      const membership = { ...before.membership, readTo: t, readAt: t };
      put(room, roomState(membership, cached, positionOf(membership, cached, before)));
    },

    applyLeft(room, rev) {
      const before = rooms.get(room);
      if (before !== undefined && before.membership.rev > rev) return;
      left.set(room, rev);
      if (before === undefined) return;
      rooms.delete(room);
      roomsTotal -= counted(before);
      for (const listener of listeners) listener.left(room);
    },

    applyBadge(total, rev) {
      if (rev <= badge.rev) return;
      const visible = total !== badge.total;
      badge = { total, rev };
      if (visible) for (const listener of listeners) listener.notifications();
    },
  };
}

/** Position of the root that the membership names, as far as it is known here. */
function positionOf(
  { readTo }: Membership,
  cached: CachedRoom | undefined,
  before: RoomState | undefined,
): number | null {
  if (readTo === null) return null;
  const known = before?.membership.readTo === readTo ? before.rootPosition : null;
  return known ?? cached?.positions.get(readTo) ?? null;
}
