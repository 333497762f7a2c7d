import type { Timestamp } from '../../core/timestamps.ts';
import { BoundedMap } from '../../live/boundedMap.ts';
import type { CachedRoom } from '../../roomEvents/roomCache.ts';
import { pendingReadsOf, toStored } from '../../rooms/pendingReads.ts';
import type { Membership } from '../../rooms/room.ts';
import {
  afterRead,
  type KnownPositions,
  readPositionOf,
  readUpTo,
  rootsNamed,
  unreadCount,
} from '../readPosition.ts';
import { type Badge, type NotificationTotalEvent, roomPart } from './badge.ts';

/** One room of a user, as far as the badge needs it. */
export interface RoomState {
  membership: Membership;
  /** Positions of the roots that the membership names, as far as they are known. */
  known: KnownPositions;
  unreadCount: number;
  /** The highest position that counts as read. */
  readPosition: number;
}

/** Receives the changes of a user's badge. Each open subscription has one. */
export interface BadgeListener {
  changed(room: string): void;
  left(room: string): void;
  /** Numbers that are of no single room: the total, the notifications. */
  totals(): void;
  /** The room may be sent again after its membership was checked. */
  opened(room: string): void;
}

type NotificationTotals = Pick<NotificationTotalEvent, 'total' | 'version' | 'epoch'>;

/** How many rooms are remembered as left, so that late events of their memberships are ignored. */
const LEFT_MAX = 1_000;

/** What has changed, as far as clients can see it. */
type Visible = { readonly room: string } | 'totals';

/**
 * The badge of one user on this server, shared by all their subscriptions here. Everything that arrives is a whole
 * value with a version, and the highest version is kept, so it may arrive late, twice or out of order.
 * The total is kept and not summed up: a change costs the same with one room as with a thousand.
 */
export class UserUnreadState {
  readonly #rooms = new Map<string, RoomState>();
  /** Undefined before the first one. */
  #left: BoundedMap<string, number> | undefined = undefined;
  readonly listeners = new Set<BadgeListener>();
  #roomsTotal = 0;
  #notifications = 0;
  #badge: Pick<Badge, 'epoch' | 'version'> = { epoch: 0, version: -1 };
  /** What listeners receive when `together` has ended; undefined outside of it. */
  #collected: Visible[] | undefined = undefined;

  get rooms(): ReadonlyMap<string, RoomState> {
    return this.#rooms;
  }

  /** Unread roots of all rooms that are not muted, and unread notifications. A mention and its root count once. */
  get total(): number {
    return this.#roomsTotal + this.#notifications;
  }

  get notifications(): number {
    return this.#notifications;
  }

  applyMembership(
    membership: Membership,
    cached: CachedRoom | undefined,
    read: KnownPositions | undefined,
  ): void {
    const before = this.#rooms.get(membership.room);
    if (membership.version <= (this.#left?.get(membership.room) ?? 0)) return;
    if (before !== undefined && membership.version < before.membership.version) return;
    this.#put(membership.room, roomState(membership, cached, [read, before?.known]));
  }

  /** The room's counter has moved, and maybe roots that the membership names have their positions now. */
  applyRoom(cached: CachedRoom): void {
    const before = this.#rooms.get(cached.id);
    if (before === undefined) return;
    this.#put(cached.id, roomState(before.membership, cached, [before.known]));
  }

  /**
   * The user has posted the root `threadTs`, which moves their read position to it. Arrives before the membership says
   * so. The timestamp says nothing about what was read: another server, with another clock, may have given the last
   * root a later one.
   */
  applyPosted(room: string, threadTs: Timestamp, cached: CachedRoom | undefined): void {
    const before = this.#rooms.get(room);
    if (before === undefined || threadTs === before.membership.lastReadTs) return;
    const { membership } = before;
    const known = knownPositions([...rootsNamed(pendingReadsOf(membership)), threadTs], cached, [
      before.known,
    ]);
    const { position, pending } = afterRead(readPositionOf(membership, known), { to: threadTs }, known);
    const read = { readPosition: position, ...toStored(pending), lastReadTs: threadTs };
    this.#put(room, roomState({ ...membership, ...read }, cached, [known]));
  }

  /** `version`: higher than any that the membership had. */
  applyLeft(room: string, version: number): void {
    const before = this.#rooms.get(room);
    if (before !== undefined && before.membership.version > version) return;
    this.#left ??= new BoundedMap(LEFT_MAX);
    this.#left.set(room, version);
    if (before === undefined) return;
    this.#rooms.delete(room);
    this.#roomsTotal -= this.#part(before);
    for (const listener of this.listeners) listener.left(room);
  }

  /** An event of a release that did not send the epoch leaves it as it is. */
  applyBadge({ total: notifications, version, epoch = this.#badge.epoch }: NotificationTotals): void {
    if (version <= this.#badge.version) return;
    const before = this.total;
    const isSame = notifications === this.#notifications;
    this.#notifications = notifications;
    const isSameEpoch = epoch === this.#badge.epoch;
    this.#badge = { epoch, version };
    if (!isSameEpoch)
      this.#roomsTotal = [...this.#rooms.values()].reduce((sum, one) => sum + this.#part(one), 0);
    if (!isSame || this.total !== before) this.#announce('totals');
  }

  /** Listeners receive what these changes result in, and nothing in between. */
  together(change: () => void): void {
    this.#collected ??= [];
    try {
      change();
    } finally {
      const all = this.#collected;
      this.#collected = undefined;
      const rooms = new Set(all.flatMap((one) => (one === 'totals' ? [] : [one.room])));
      for (const room of rooms) this.#announce({ room });
      // An event of a room has the totals.
      if (rooms.size === 0 && all.length > 0) this.#announce('totals');
    }
  }

  #announce(visible: Visible): void {
    if (this.#collected !== undefined) return void this.#collected.push(visible);
    for (const listener of this.listeners) {
      if (visible === 'totals') listener.totals();
      else listener.changed(visible.room);
    }
  }

  #part({ membership, unreadCount }: RoomState): number {
    return roomPart(membership, unreadCount, this.#badge.epoch);
  }

  /** Replaces the room's state, and calls the listeners if clients can see a difference. */
  #put(id: string, next: RoomState): void {
    const before = this.#rooms.get(id);
    this.#rooms.set(id, next);
    const change = this.#part(next) - (before === undefined ? 0 : this.#part(before));
    this.#roomsTotal += change;
    const visible =
      before === undefined ||
      before.unreadCount !== next.unreadCount ||
      before.membership.muted !== next.membership.muted ||
      before.membership.role !== next.membership.role;
    if (visible) this.#announce({ room: id });
    else if (change !== 0) this.#announce('totals');
  }
}

/** `before`: positions that were read, or were known before. The room has those that were assigned since. */
function roomState(
  membership: Membership,
  cached: CachedRoom | undefined,
  before: ReadonlyArray<KnownPositions | undefined>,
): RoomState {
  const lastPosition = cached?.counter.lastPosition ?? 0;
  const known = knownPositions(rootsNamed(pendingReadsOf(membership)), cached, before);
  const position = readPositionOf(membership, known);
  return {
    membership,
    known,
    unreadCount: unreadCount(lastPosition, position),
    readPosition: readUpTo(lastPosition, position),
  };
}

/** The positions of these roots, as far as they are known. */
function knownPositions(
  roots: readonly Timestamp[],
  cached: CachedRoom | undefined,
  before: ReadonlyArray<KnownPositions | undefined>,
): KnownPositions {
  const known = new Map<Timestamp, number>();
  for (const root of roots) {
    const among = [...before, cached?.positions].find((positions) => positions?.has(root) === true);
    const position = among?.get(root);
    if (position !== undefined) known.set(root, position);
  }
  return known;
}
