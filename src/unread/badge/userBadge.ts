import type { Logger } from 'pino';
import { type Bus, type Unsubscribe, userTopic } from '../../bus/bus.ts';
import type { Timestamp } from '../../core/timestamps.ts';
import type { Item } from '../../dynamo/item.ts';
import type { ConsistentLoader } from '../../dynamo/itemLoader.ts';
import { keys } from '../../dynamo/keys.ts';
import type { MembershipGuard, MembershipListener, RoomGate } from '../../live/membershipGuard.ts';
import type { RootPostedEvent } from '../../messages/message.ts';
import type { RoomCache, RoomListener } from '../../roomEvents/roomCache.ts';
import {
  lastMembershipVersion,
  type Membership,
  type MembershipEvent,
  membershipOf,
} from '../../rooms/room.ts';
import type { KnownPositions } from '../readPosition.ts';
import type { Unread } from '../unread.ts';
import { badgeOf, type NotificationTotalEvent } from './badge.ts';
import { UserUnreadState } from './userUnreadState.ts';

type UserEvent = MembershipEvent | RootPostedEvent | NotificationTotalEvent;

/** The same for all users of a server. */
export interface UserBadgeOptions {
  readonly unread: Unread;
  readonly rooms: RoomCache;
  readonly guard: MembershipGuard;
  readonly bus: Bus;
  readonly log: Logger;
  /** Reads current items. */
  readonly items: ConsistentLoader;
  /** Called if a read failed. Everything must be read again then. */
  readonly onTrouble: () => void;
}

/** The badge of a user who has a subscription on this server, kept current by the bus. */
export class UserBadge implements MembershipListener {
  readonly user: string;
  readonly state = new UserUnreadState();
  /** Rejects if the first read failed. The badge cannot be used then. */
  readonly ready: Promise<void>;
  readonly #options: UserBadgeOptions;
  /** When a member leaves a room, nothing of it changes here until the check has shown that it was not this user. */
  readonly #gate: RoomGate;
  readonly #listener: RoomListener;
  /**
   * Rooms that are being entered. True if an event of the membership has arrived meanwhile, so that what is being read
   * may be older. Undefined before the first.
   */
  #entering: Map<string, boolean> | undefined = undefined;
  /** For each read in progress, the rooms in which the user has posted a root since it began. Undefined: none reads. */
  #reading: Set<Set<string>> | undefined = undefined;
  #detach: Unsubscribe | undefined = undefined;
  #closed = false;

  constructor(user: string, options: UserBadgeOptions) {
    this.user = user;
    this.#options = options;
    this.#gate = options.guard.createGate(this);
    this.#listener = (room, _update, { epochRose }) => {
      if (epochRose) this.#gate.recheck(room.id);
      else if (this.#gate.isOpen(room.id)) this.state.applyRoom(room);
    };
    this.ready = this.#load();
    // Callers that await it get the failure. This only prevents an unhandled rejection.
    this.ready.catch(() => {});
  }

  /** Whether the room's content may be sent to the user now. */
  mayReceive(room: string): boolean {
    return this.#gate.isOpen(room);
  }

  close(): void {
    this.#closed = true;
    this.#detach?.();
    for (const room of this.state.rooms.keys()) this.#releaseUnused(room);
  }

  /** The room and the membership that was read contain everything that arrived while the room was closed. */
  onMember(room: string, item: Item): void {
    const cached = this.#options.rooms.get(room);
    if (this.#closed) return;
    // It was closed while it was being entered.
    if (cached === undefined || !this.state.rooms.has(room)) return void this.#enter(room);
    this.state.applyMembership(membershipOf(this.user, room, item), cached, undefined);
    this.state.applyRoom(cached);
    for (const one of this.state.listeners) one.opened(room);
  }

  onFormer(room: string): void {
    const known = this.state.rooms.get(room)?.membership.version;
    if (known !== undefined) this.#leave(room, lastMembershipVersion(known));
  }

  onUnknown(room: string, err: unknown): void {
    const { log, onTrouble } = this.#options;
    log.warn({ err, room }, 'A membership could not be checked. Reading everything again in a moment.');
    onTrouble();
  }

  async #load(): Promise<void> {
    // Subscribes first, then reads, then merges by version. So no event is lost between the read and the subscription.
    const topic = userTopic<UserEvent>(this.user);
    this.#detach = await this.#options.bus.subscribe(topic, (event) => this.#receive(event));
    if (this.#closed) this.#detach();
    await this.read();
  }

  /**
   * Reads the user's memberships, their rooms, the roots that they name and the notifications' total again. The event
   * of a root that the user has posted has no version to compare with: of those rooms, the membership is read once more.
   */
  async read(): Promise<void> {
    const posted = new Set<string>();
    this.#reading = (this.#reading ?? new Set()).add(posted);
    try {
      await this.#readAll(posted);
    } finally {
      this.#reading.delete(posted);
      if (this.#reading.size === 0) this.#reading = undefined;
    }
    await Promise.all([...posted].map((room) => this.#enter(room)));
  }

  async #readAll(posted: ReadonlySet<string>): Promise<void> {
    const { unread, items, rooms } = this.#options;
    const { user, state } = this;
    const before = new Map([...state.rooms].map(([id, { membership }]) => [id, membership.version]));
    const unknown = this.#gate.unknown();
    const [memberships, badge] = await Promise.all([unread.memberships(user), items.load(keys.badge(user))]);
    const ids = memberships.map(({ room }) => room);
    const still = new Set(ids);
    // A room that the user is not in any more stays closed until it is left, below.
    const certain = unknown.filter(({ room }) => still.has(room));
    try {
      await rooms.subscribe(ids, this.#listener);
      const positions = await unread.namedPositions(memberships);
      state.together(() => {
        state.applyBadge(badgeOf(badge));
        this.#gate.settle(certain);
        for (const membership of memberships)
          if (!posted.has(membership.room)) this.#join(membership, positions.get(membership.room));
      });
      for (const { room } of certain) for (const one of state.listeners) one.opened(room);
    } finally {
      for (const room of ids) this.#releaseUnused(room);
    }
    // Memberships that were known before this read and no longer exist.
    for (const [room, version] of before)
      if (!still.has(room)) this.#leave(room, lastMembershipVersion(version));
  }

  #receive(event: UserEvent): void {
    if (event.type === 'left') this.#leave(event.room, event.version);
    else if (event.type === 'badge') this.#applyBadge(event);
    else if (event.type === 'posted') this.#posted(event.room, event.threadTs);
    else this.#applyMembership(event.membership);
  }

  #applyBadge(event: NotificationTotalEvent): void {
    this.state.together(() => {
      for (const membership of event.memberships ?? []) this.#applyMembership(membership);
      this.state.applyBadge(event);
    });
  }

  #applyMembership(membership: Membership): void {
    const { room, version } = membership;
    const known = this.state.rooms.get(room)?.membership.version;
    if (known === undefined) return void this.#enter(room);
    // An event of the version that is known says nothing new, and nothing of a root that the user has posted since.
    if (version > known || !this.#gate.isOpen(room)) this.#join(membership, undefined);
  }

  #posted(room: string, threadTs: Timestamp): void {
    for (const rooms of this.#reading ?? []) rooms.add(room);
    if (this.#entering?.has(room) === true) this.#entering.set(room, true);
    if (this.#gate.isOpen(room)) this.state.applyPosted(room, threadTs, this.#options.rooms.get(room));
    else this.#gate.recheck(room);
  }

  /** An older membership than the one that was left is ignored. */
  #join(membership: Membership, known: KnownPositions | undefined): void {
    const cached = this.#options.rooms.get(membership.room);
    if (cached === undefined || this.#closed) return;
    // Applying the membership would also send the room's counts. The membership check in progress will read it.
    if (this.#gate.isOpen(membership.room)) this.state.applyMembership(membership, cached, known);
    else this.#gate.recheck(membership.room);
  }

  #leave(room: string, version: number): void {
    this.state.applyLeft(room, version);
    if (!this.state.rooms.has(room)) this.#gate.forget(room);
    if (this.#entering?.has(room) === true) this.#entering.set(room, true);
    this.#releaseUnused(room);
  }

  #releaseUnused(room: string): void {
    const used = this.state.rooms.has(room) || this.#entering?.has(room) === true;
    if (this.#closed || !used) this.#options.rooms.unsubscribe(room, this.#listener);
  }

  /**
   * Subscribes to a room, if it is new to this user, then reads the membership. The membership in an event may be old,
   * because a restarted consumer repeats events. One run at a time for each room: if another event arrives
   * meanwhile, the membership is read once more.
   */
  async #enter(room: string): Promise<void> {
    const { rooms, items, unread, log, onTrouble } = this.#options;
    this.#entering ??= new Map();
    const entering = this.#entering;
    const isEntering = entering.has(room);
    entering.set(room, isEntering);
    if (isEntering) return;
    try {
      do {
        entering.set(room, false);
        await rooms.subscribe([room], this.#listener);
        const item = await items.load(keys.membership(this.user, room));
        if (item === undefined) continue;
        const membership = membershipOf(this.user, room, item);
        const positions = await unread.namedPositions([membership]);
        if (entering.get(room) === true) continue;
        this.#join(membership, positions.get(room));
      } while (entering.get(room) === true && !this.#closed);
    } catch (err) {
      log.warn({ err, room }, 'A joined room could not be read. Reading everything again in a moment.');
      onTrouble();
    } finally {
      entering.delete(room);
      this.#releaseUnused(room);
    }
  }
}
