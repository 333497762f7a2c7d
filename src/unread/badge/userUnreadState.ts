import type { Timestamp } from '../../core/timestamps.ts';
import { BoundedMap } from '../../live/boundedMap.ts';
import type { CachedRoom } from '../../roomEvents/roomCache.ts';
import { pendingReadsOf } from '../../rooms/pendingReads.ts';
import type { Membership } from '../../rooms/room.ts';
import { type KnownPositions, readPositionOf, readUpTo, rootsNamed, unreadCount } from '../readPosition.ts';

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
  notifications(): void;
  /** The room may be sent again after its membership was checked. */
  opened(room: string): void;
}

/** How many rooms are remembered as left, so that late events of their memberships are ignored. */
const LEFT_MAX = 1_000;

const counted = ({ membership, unreadCount }: RoomState) => (membership.muted ? 0 : unreadCount);

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
  #badgeVersion = -1;

  get rooms(): ReadonlyMap<string, RoomState> {
    return this.#rooms;
  }

  /** Unread roots of all rooms that are not muted, and unread notifications. */
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

  /** The user has posted the root `threadTs`, which moves their read position to it. Arrives before the membership says so. */
  applyPosted(room: string, threadTs: Timestamp, cached: CachedRoom | undefined): void {
    const before = this.#rooms.get(room);
    if (before === undefined || threadTs <= before.membership.lastReadTs) return;
    const { membership } = before;
    const read = { pendingReads: [], pendingReadRoot: threadTs, lastReadTs: threadTs };
    this.#put(room, roomState({ ...membership, ...read }, cached, [before.known]));
  }

  /** `version`: higher than any that the membership had. */
  applyLeft(room: string, version: number): void {
    const before = this.#rooms.get(room);
    if (before !== undefined && before.membership.version > version) return;
    this.#left ??= new BoundedMap(LEFT_MAX);
    this.#left.set(room, version);
    if (before === undefined) return;
    this.#rooms.delete(room);
    this.#roomsTotal -= counted(before);
    for (const listener of this.listeners) listener.left(room);
  }

  applyBadge(total: number, version: number): void {
    if (version <= this.#badgeVersion) return;
    const visible = total !== this.#notifications;
    this.#notifications = total;
    this.#badgeVersion = version;
    if (visible) for (const listener of this.listeners) listener.notifications();
  }

  /** Replaces the room's state, and calls the listeners if clients can see a difference. */
  #put(id: string, next: RoomState): void {
    const before = this.#rooms.get(id);
    this.#rooms.set(id, next);
    this.#roomsTotal += counted(next) - (before === undefined ? 0 : counted(before));
    const visible =
      before === undefined ||
      before.unreadCount !== next.unreadCount ||
      before.membership.muted !== next.membership.muted ||
      before.membership.role !== next.membership.role;
    if (visible) for (const listener of this.listeners) listener.changed(id);
  }
}

/** `before`: positions that were read, or were known before. The room has those that were assigned since. */
function roomState(
  membership: Membership,
  cached: CachedRoom | undefined,
  before: ReadonlyArray<KnownPositions | undefined>,
): RoomState {
  const lastPosition = cached?.counter.lastPosition ?? 0;
  const known = new Map<Timestamp, number>();
  for (const root of rootsNamed(pendingReadsOf(membership))) {
    const among = [...before, cached?.positions].find((positions) => positions?.has(root) === true);
    const position = among?.get(root);
    if (position !== undefined) known.set(root, position);
  }
  const position = readPositionOf(membership, known);
  return {
    ...{ membership, known },
    unreadCount: unreadCount(lastPosition, position),
    readPosition: readUpTo(lastPosition, position),
  };
}
