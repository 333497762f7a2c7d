import type { Timestamp } from '../../core/timestamps.ts';
import { BoundedMap } from '../../live/boundedMap.ts';
import type { CachedRoom } from '../../roomEvents/roomCache.ts';
import type { Membership } from '../../rooms/room.ts';
import { readPositionOf, readUpTo, unreadCount } from '../readPosition.ts';

/** One room of a user, as far as the badge needs it. */
export interface RoomState {
  membership: Membership;
  /** Position of the pending read root, once it is known. */
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
  /** The room's counter has moved, and maybe the pending read root has its position now. */
  applyRoom(cached: CachedRoom): void;
  /** The user has posted the root `threadTs`, which moves their read position to it. Arrives before the membership says so. */
  applyPosted(room: string, threadTs: Timestamp, cached: CachedRoom | undefined): void;
  /** `version`: higher than any that the membership had. */
  applyLeft(room: string, version: number): void;
  applyBadge(total: number, version: number): void;
}

/** Rooms that were left while a subscription is open: a late event of one is recognised as old. */
const LEFT_MAX = 1_000;

export function createUserUnreadState(): UserUnreadState {
  const rooms = new Map<string, RoomState>();
  const left = new BoundedMap<string, number>(LEFT_MAX);
  const listeners = new Set<BadgeListener>();
  let roomsTotal = 0;
  let badge = { total: 0, version: -1 };

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
    const lastPosition = cached?.counter.lastPosition ?? 0;
    const mark = readPositionOf(membership, rootPosition);
    return {
      membership,
      rootPosition,
      unreadCount: unreadCount(lastPosition, mark),
      readPosition: readUpTo(lastPosition, mark),
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
      if (membership.version <= (left.get(membership.room) ?? 0)) return;
      if (before !== undefined && membership.version < before.membership.version) return;
      const position = rootPosition ?? positionOf(membership, cached, before);
      put(membership.room, roomState(membership, cached, position));
    },

    applyRoom(cached) {
      const before = rooms.get(cached.id);
      if (before === undefined) return;
      const { membership } = before;
      put(cached.id, roomState(membership, cached, positionOf(membership, cached, before)));
    },

    applyPosted(room, threadTs, cached) {
      const before = rooms.get(room);
      if (before === undefined || threadTs <= before.membership.lastReadTs) return;
      const membership = { ...before.membership, pendingReadRoot: threadTs, lastReadTs: threadTs };
      put(room, roomState(membership, cached, positionOf(membership, cached, before)));
    },

    applyLeft(room, version) {
      const before = rooms.get(room);
      if (before !== undefined && before.membership.version > version) return;
      left.set(room, version);
      if (before === undefined) return;
      rooms.delete(room);
      roomsTotal -= counted(before);
      for (const listener of listeners) listener.left(room);
    },

    applyBadge(total, version) {
      if (version <= badge.version) return;
      const visible = total !== badge.total;
      badge = { total, version };
      if (visible) for (const listener of listeners) listener.notifications();
    },
  };
}

/** Position of the root that the membership names, as far as it is known here. */
function positionOf(
  { pendingReadRoot }: Membership,
  cached: CachedRoom | undefined,
  before: RoomState | undefined,
): number | null {
  if (pendingReadRoot === null) return null;
  const known = before?.membership.pendingReadRoot === pendingReadRoot ? before.rootPosition : null;
  return known ?? cached?.positions.get(pendingReadRoot) ?? null;
}
