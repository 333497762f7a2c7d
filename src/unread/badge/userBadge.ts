import type { Logger } from 'pino';
import { type Bus, type Unsubscribe, userTopic } from '../../bus/bus.ts';
import type { Timestamp } from '../../core/timestamps.ts';
import type { Item } from '../../dynamo/item.ts';
import type { ConsistentLoader } from '../../dynamo/itemLoader.ts';
import { keys } from '../../dynamo/keys.ts';
import type { MembershipGuard } from '../../live/membershipGuard.ts';
import type { RootPostedEvent } from '../../messages/topics.ts';
import { badgeOf } from '../../notifications/badge.ts';
import type { NotificationTotalEvent } from '../../notifications/topics.ts';
import type { RoomCache, RoomListener } from '../../roomEvents/roomCache.ts';
import { lastVersion, type Membership, membershipOf } from '../../rooms/room.ts';
import type { MembershipEvent } from '../../rooms/topics.ts';
import type { Unread } from '../unread.ts';
import { createUserUnreadState, type UserUnreadState } from './userUnreadState.ts';

type UserEvent = MembershipEvent | RootPostedEvent | NotificationTotalEvent;

export interface UserBadgeOptions {
  readonly user: string;
  readonly unread: Unread;
  readonly rooms: RoomCache;
  readonly guard: MembershipGuard;
  readonly bus: Bus;
  readonly log: Logger;
  /** Reads current items. */
  readonly items: ConsistentLoader;
  /** Something could not be read: everything has to be read again. */
  readonly onTrouble: () => void;
}

/** The badge of a user who has a subscription on this server, kept current by the bus. */
export interface UserBadge {
  readonly state: UserUnreadState;
  /** Whether something of the room may be sent to the user now. */
  mayReceive(room: string): boolean;
  /** Rejects if the first reading failed. The badge is then of no use. */
  readonly ready: Promise<void>;
  /** Reads the user's memberships, rooms and notifications' part again. One query and one key. */
  read(): Promise<void>;
  close(): void;
}

export function createUserBadge(options: UserBadgeOptions): UserBadge {
  const { user, unread, rooms, bus, log, items, onTrouble } = options;
  const state = createUserUnreadState();
  /** Rooms being entered; true: an event of the membership arrived meanwhile. */
  const entering = new Map<string, boolean>();
  let detach: Unsubscribe = () => {};
  let closed = false;

  /** Someone has left a room: nothing of it changes here before it is known that it was not this user. */
  const guard = options.guard.createReader({
    user,
    onMember: opened,
    onFormer(room) {
      const known = state.rooms.get(room)?.membership.version;
      if (known !== undefined) leave(room, lastVersion(known));
    },
    onUnknown(room, err) {
      log.warn({ err, room }, 'A membership could not be checked. Reading everything again in a moment.');
      onTrouble();
    },
  });

  const listener: RoomListener = (room, _update, { epochRose }) => {
    if (epochRose) guard.recheck(room.id);
    else if (guard.isOpen(room.id)) state.applyRoom(room);
  };

  /** What was held back while the room was closed is in the room and in the membership that was read. */
  function opened(room: string, item: Item): void {
    const cached = rooms.get(room);
    if (closed) return;
    // Closed while it was being entered.
    if (cached === undefined || !state.rooms.has(room)) return void enter(room);
    state.applyMembership(membershipOf(user, room, item), cached, null);
    state.applyRoom(cached);
    for (const one of state.listeners) one.opened(room);
  }

  async function load(): Promise<void> {
    // Attached first, then read, then merged by version: nothing is lost between the first state and the live ones.
    detach = await bus.subscribe(userTopic<UserEvent>(user), receive);
    if (closed) detach();
    await read();
  }

  /** Memberships, then rooms, then the roots that are read up to and have no position as far as this server knows. */
  async function read(): Promise<void> {
    const before = new Map([...state.rooms].map(([id, { membership }]) => [id, membership.version]));
    const unknown = guard.unknown();
    const [memberships, badge] = await Promise.all([unread.memberships(user), items.load(keys.badge(user))]);
    const ids = memberships.map(({ room }) => room);
    try {
      await rooms.acquire(ids, listener);
      const positions = await unread.pendingPositions(memberships);
      const { total, version } = badgeOf(badge);
      state.applyBadge(total, version);
      guard.settle(unknown);
      for (const membership of memberships) join(membership, positions.get(membership.room) ?? null);
      for (const { room } of unknown) for (const one of state.listeners) one.opened(room);
    } finally {
      ids.forEach(releaseUnused);
    }
    // Memberships that were known before this reading and do not exist any more.
    const still = new Set(ids);
    for (const [room, version] of before) if (!still.has(room)) leave(room, lastVersion(version));
  }

  function receive(event: UserEvent): void {
    if (event.type === 'left') leave(event.room, event.version);
    else if (event.type === 'badge') state.applyBadge(event.total, event.version);
    else if (event.type === 'posted') posted(event.room, event.threadTs);
    else if (state.rooms.has(event.membership.room)) join(event.membership, null);
    else void enter(event.membership.room);
  }

  function posted(room: string, threadTs: Timestamp): void {
    if (guard.isOpen(room)) state.applyPosted(room, threadTs, rooms.get(room));
    else guard.recheck(room);
  }

  /** An older membership than the one that was left is ignored. */
  function join(membership: Membership, rootPosition: number | null): void {
    const cached = rooms.get(membership.room);
    if (cached === undefined || closed) return;
    // With the membership the room's numbers would be sent as well, so the check that is under way reads it anew.
    if (guard.isOpen(membership.room)) state.applyMembership(membership, cached, rootPosition);
    else guard.recheck(membership.room);
  }

  function leave(room: string, version: number): void {
    state.applyLeft(room, version);
    if (!state.rooms.has(room)) guard.forget(room);
    if (entering.has(room)) entering.set(room, true);
    releaseUnused(room);
  }

  function releaseUnused(room: string): void {
    if (closed || !(state.rooms.has(room) || entering.has(room))) rooms.release(room, listener);
  }

  /**
   * A room that is new to this user: attaches to it, then reads it and the membership. The membership in the event is
   * not enough to show the room, for it may be old: a consumer that starts again repeats itself.
   * One at a time for each room. If another event arrives meanwhile, the membership is read once more.
   */
  async function enter(room: string): Promise<void> {
    const underWay = entering.has(room);
    entering.set(room, underWay);
    if (underWay) return;
    try {
      do {
        entering.set(room, false);
        await rooms.acquire([room], listener);
        const item = await items.load(keys.membership(user, room));
        if (item === undefined) continue;
        const membership = membershipOf(user, room, item);
        const positions = await unread.pendingPositions([membership]);
        join(membership, positions.get(room) ?? null);
      } while (entering.get(room) === true && !closed);
    } catch (err) {
      log.warn({ err, room }, 'A joined room could not be read. Reading everything again in a moment.');
      onTrouble();
    } finally {
      entering.delete(room);
      releaseUnused(room);
    }
  }

  const ready = load();
  // Callers that wait for it get the failure; here it only must not be an unhandled rejection.
  ready.catch(() => {});

  return {
    state,
    mayReceive: guard.isOpen,
    ready,
    read,
    close() {
      closed = true;
      detach();
      [...state.rooms.keys()].forEach(releaseUnused);
    },
  };
}
