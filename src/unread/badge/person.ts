import type { Timestamp } from '../../core/timestamps.ts';
import type { CachedRoom } from '../../live/roomCache.ts';
import type { Membership } from '../../rooms/room.ts';
import { readPositionOf, readUpTo, unreadCount } from '../readPosition.ts';

/** One room of one person, as far as their badge goes. */
export interface PersonRoom {
  membership: Membership;
  /** Of the root that `readTo` names, once it is known. */
  rootPosition: number | null;
  unreadCount: number;
  /** The highest position that counts as read. */
  readPosition: number;
}

/** Hears what has changed for a person; one per open subscription. */
export interface Watcher {
  changed(room: string): void;
  left(room: string): void;
  notifications(): void;
}

/**
 * The badge of one person on this server, shared by all their subscriptions here. Everything that comes in
 * is a whole value with a version, of which the highest stays, so it may come late, twice or out of order.
 * The total is kept, not summed up: a change costs the same in one room as in a thousand.
 */
export interface Person {
  readonly user: string;
  readonly rooms: ReadonlyMap<string, PersonRoom>;
  readonly watchers: Set<Watcher>;
  /** Rooms (muted ones left out) and notifications. */
  readonly total: number;
  readonly notifications: number;
  /** Whether a root is read up to whose position is not known here. */
  readonly unsettled: boolean;
  /** True where it is newer than what was known. */
  takeMembership(membership: Membership, open: CachedRoom | undefined, rootPosition: number | null): boolean;
  /** The room's counter has moved, and with it, maybe, the root that is read up to has got its position. */
  takeRoom(open: CachedRoom): void;
  /** The person has posted the root `t`, which moves their mark to it: before the membership says so. */
  takePosted(room: string, t: Timestamp, open: CachedRoom | undefined): void;
  /** `rev`: above all that the membership had. */
  takeLeft(room: string, rev: number): void;
  takeBadge(total: number, rev: number): void;
}

/** Rooms left while a subscription is open, remembered so that late news of them is known to be old. */
const LEFT_MAX = 1_000;

export function createPerson(user: string): Person {
  const rooms = new Map<string, PersonRoom>();
  const left = new Map<string, number>();
  const watchers = new Set<Watcher>();
  let ofRooms = 0;
  let badge = { total: 0, rev: -1 };

  const counted = ({ membership, unreadCount }: PersonRoom) => (membership.muted ? 0 : unreadCount);

  /** Puts the room's new state in place of the old and says so where it shows. */
  function put(id: string, next: PersonRoom): void {
    const before = rooms.get(id);
    rooms.set(id, next);
    ofRooms += counted(next) - (before === undefined ? 0 : counted(before));
    const shows =
      before === undefined ||
      before.unreadCount !== next.unreadCount ||
      before.membership.muted !== next.membership.muted ||
      before.membership.role !== next.membership.role;
    if (shows) for (const watcher of watchers) watcher.changed(id);
  }

  function personRoom(
    membership: Membership,
    open: CachedRoom | undefined,
    rootPosition: number | null,
  ): PersonRoom {
    const messageCount = open?.counter.messageCount ?? 0;
    const mark = readPositionOf(membership, rootPosition);
    return {
      membership,
      rootPosition,
      unreadCount: unreadCount(messageCount, mark),
      readPosition: readUpTo(messageCount, mark),
    };
  }

  return {
    user,
    rooms,
    watchers,
    get total() {
      return ofRooms + badge.total;
    },
    get notifications() {
      return badge.total;
    },
    get unsettled() {
      for (const { membership, rootPosition } of rooms.values()) {
        if (membership.readTo !== null && rootPosition === null) return true;
      }
      return false;
    },

    takeMembership(membership, open, rootPosition) {
      const before = rooms.get(membership.room);
      if (membership.rev <= (left.get(membership.room) ?? 0)) return false;
      if (before !== undefined && membership.rev < before.membership.rev) return false;
      const position = rootPosition ?? positionOf(membership, open, before);
      put(membership.room, personRoom(membership, open, position));
      return true;
    },

    takeRoom(open) {
      const before = rooms.get(open.id);
      if (before === undefined) return;
      const { membership } = before;
      put(open.id, personRoom(membership, open, positionOf(membership, open, before)));
    },

    takePosted(room, t, open) {
      const before = rooms.get(room);
      if (before === undefined || t <= before.membership.readAt) return;
      const membership = { ...before.membership, readTo: t, readAt: t };
      put(room, personRoom(membership, open, positionOf(membership, open, before)));
    },

    takeLeft(room, rev) {
      const before = rooms.get(room);
      if (before !== undefined && before.membership.rev > rev) return;
      left.delete(room);
      left.set(room, rev);
      for (const oldest of left.keys()) {
        if (left.size <= LEFT_MAX) break;
        left.delete(oldest);
      }
      if (before === undefined) return;
      rooms.delete(room);
      ofRooms -= counted(before);
      for (const watcher of watchers) watcher.left(room);
    },

    takeBadge(total, rev) {
      if (rev <= badge.rev) return;
      const shows = total !== badge.total;
      badge = { total, rev };
      if (shows) for (const watcher of watchers) watcher.notifications();
    },
  };
}

/** Of the root that the membership names, as far as it is known here. */
function positionOf(
  { readTo }: Membership,
  open: CachedRoom | undefined,
  before: PersonRoom | undefined,
): number | null {
  if (readTo === null) return null;
  const known = before?.membership.readTo === readTo ? before.rootPosition : null;
  return known ?? open?.positions.get(readTo) ?? null;
}
