import type { Logger } from 'pino';
import type { Bus, Unsubscribe } from '../../bus/bus.ts';
import { userTopic } from '../../bus/userTopic.ts';
import type { Item } from '../../dynamo/item.ts';
import { type Key, keys } from '../../dynamo/keys.ts';
import type { RoomCache, RoomListener } from '../../live/roomCache.ts';
import type { RootPostedEvent } from '../../messages/topics.ts';
import type { NotificationTotalEvent } from '../../notifications/topics.ts';
import { lastRev, type Membership, membershipOf } from '../../rooms/room.ts';
import type { MembershipEvent } from '../../rooms/topics.ts';
import type { Unread } from '../unread.ts';
import { createPerson, type Person } from './person.ts';

type UserEvent = MembershipEvent | RootPostedEvent | NotificationTotalEvent;

export interface OpenPersonOptions {
  readonly user: string;
  readonly unread: Unread;
  readonly rooms: RoomCache;
  readonly bus: Bus;
  readonly log: Logger;
  /** Reads one item from the table, as it is now. */
  readonly strongly: (key: Key) => Promise<Item | undefined>;
  /** Something could not be read: everything has to be read again. */
  readonly onTrouble: () => void;
}

/** A person whose badge somebody here looks at, kept as the bus tells it. */
export interface UserBadge {
  readonly person: Person;
  /** Rejects where the first reading failed; then it is of no use. */
  readonly ready: Promise<void>;
  /** Reads the person's rooms again. */
  read(): Promise<void>;
  close(): void;
}

export function openPerson(options: OpenPersonOptions): UserBadge {
  const { user, unread, rooms, bus, log, strongly, onTrouble } = options;
  const person = createPerson(user);
  /** Rooms in which somebody has left and it is not known yet whether it was this person. */
  const checking = new Map<string, Promise<boolean>>();
  /** Rooms of which that could not be found out: nothing of them is told until everything is read again. */
  const unknown = new Set<string>();
  /** Rooms being entered; true: something was told of it meanwhile. */
  const entering = new Map<string, boolean>();
  let detach: Unsubscribe = () => {};
  let closed = false;

  const listener: RoomListener = (room, _event, removalsRose) => {
    const before = checking.get(room.id);
    if (before === undefined && !removalsRose) {
      if (!unknown.has(room.id)) person.takeRoom(room);
      return;
    }
    // In order, and not before it is known; where it cannot be found out, the resync tells it later.
    const check = (before ?? Promise.resolve(true)).then((good) => (removalsRose ? stillIn(room.id) : good));
    checking.set(room.id, check);
    void check.then((good) => {
      if (checking.get(room.id) === check) checking.delete(room.id);
      if (good) person.takeRoom(room);
    });
  };

  async function load(): Promise<void> {
    // Attached first, then read, then merged by version: no hole between the first state and the live ones.
    detach = await bus.subscribe(userTopic<UserEvent>(user), take);
    if (closed) detach();
    await read();
  }

  /** Memberships, then rooms, then the roots that are read up to but have no position as far as is known. */
  async function read(): Promise<void> {
    const before = new Map([...person.rooms].map(([id, { membership }]) => [id, membership.rev]));
    const [memberships, badge] = await Promise.all([unread.memberships(user), unread.badge(user)]);
    const ids = memberships.map(({ room }) => room);
    try {
      await rooms.acquire(ids, listener);
      const positions = await unread.pendingPositions(memberships);
      person.takeBadge(badge.total, badge.rev);
      unknown.clear();
      for (const membership of memberships) join(membership, positions.get(membership.room) ?? null);
    } finally {
      ids.forEach(releaseUnused);
    }
    // Memberships that were known before this reading and are not in it any more.
    const still = new Set(ids);
    for (const [room, rev] of before) if (!still.has(room)) leave(room, lastRev(rev));
  }

  function take(event: UserEvent): void {
    if (event.type === 'left') leave(event.room, event.rev);
    else if (event.type === 'badge') person.takeBadge(event.total, event.rev);
    else if (event.type === 'posted') person.takePosted(event.room, event.t, rooms.get(event.room));
    else if (person.rooms.has(event.membership.room)) join(event.membership, null);
    else void enter(event.membership.room);
  }

  /** Refused as old news where the person has left since. */
  function join(membership: Membership, rootPosition: number | null): void {
    const room = rooms.get(membership.room);
    if (room !== undefined && !closed) person.takeMembership(membership, room, rootPosition);
  }

  function leave(room: string, rev: number): void {
    person.takeLeft(room, rev);
    if (entering.has(room)) entering.set(room, true);
    releaseUnused(room);
  }

  function releaseUnused(room: string): void {
    if (closed || !(person.rooms.has(room) || entering.has(room))) rooms.release(room, listener);
  }

  /**
   * A room that is news to this person: attach to it, then read it and the membership. What was told of the
   * membership is not enough to show the room, for it may be old: a consumer that starts anew repeats itself.
   * One at a time for each room; what is told of it meanwhile is looked at afterwards.
   */
  async function enter(room: string): Promise<void> {
    const underWay = entering.has(room);
    entering.set(room, underWay);
    if (underWay) return;
    try {
      do {
        entering.set(room, false);
        await rooms.acquire([room], listener);
        const item = await strongly(keys.membership(user, room));
        if (item === undefined) continue;
        const membership = membershipOf(user, room, item);
        const positions = await unread.pendingPositions([membership]);
        join(membership, positions.get(room) ?? null);
      } while (entering.get(room) === true && !closed);
    } catch (error) {
      log.warn({ err: error }, 'A joined room could not be read; trying again with all the others.');
      onTrouble();
    } finally {
      entering.delete(room);
      releaseUnused(room);
    }
  }

  /** Somebody has left the room: nothing of it is told before it is known that it was not this person. */
  async function stillIn(room: string): Promise<boolean> {
    try {
      if ((await strongly(keys.membership(user, room))) !== undefined) return true;
      const known = person.rooms.get(room)?.membership.rev;
      if (known !== undefined) leave(room, lastRev(known));
    } catch (error) {
      log.warn({ err: error }, 'A membership could not be checked; trying again with all the others.');
      unknown.add(room);
      onTrouble();
    }
    return false;
  }

  const ready = load();
  // Whoever waits for it hears of a failure; here it must only not be unhandled.
  ready.catch(() => {});

  return {
    person,
    ready,
    read,
    close() {
      closed = true;
      detach();
      [...person.rooms.keys()].forEach(releaseUnused);
    },
  };
}
