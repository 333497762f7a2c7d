import DataLoader from 'dataloader';
import pLimit from 'p-limit';
import type { Logger } from 'pino';
import { type Bus, resyncTopic, type Unsubscribe } from '../../bus/bus.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import type { Item } from '../../dynamo/item.ts';
import { type Key, keys } from '../../dynamo/keys.ts';
import type { OpenRooms, RoomListener } from '../../events/openRooms.ts';
import { lastRev, type Membership } from '../../rooms/room.ts';
import { type PersonEvent, personTopic } from '../../rooms/topics.ts';
import type { Unread } from '../unread.ts';
import { type BadgeChange, createBadge } from './badge.ts';
import { createPerson, type Person } from './person.ts';

/** How often the counters of the open rooms are compared with the table, whatever the bus says. */
const COMPARE_EVERY_MS = 30_000;
/** How long after a failed re-reading the next is tried. */
const RETRY_MS = 1_000;
const READERS_AT_ONCE = 8;

export interface HubOptions {
  readonly dynamo: Dynamo;
  readonly unread: Unread;
  readonly rooms: OpenRooms;
  readonly bus: Bus;
  readonly log: Logger;
  readonly onPush?: () => void;
  readonly onResync?: () => void;
}

export type Hub = ReturnType<typeof createHub>;

interface OpenPerson {
  readonly person: Person;
  readonly ready: Promise<void>;
  readonly listener: RoomListener;
  detach: Unsubscribe;
  badges: number;
}

/**
 * Holds the badges of the people whose websockets this server has. It hears one event per room and batch,
 * whoever is in the room, and one per change of a membership; no push reads from DynamoDB.
 */
export function createHub({ dynamo, unread, rooms, bus, log, onPush, onResync }: HubOptions) {
  const people = new Map<string, OpenPerson>();
  /** All who have to be checked at one moment are read together; nothing is remembered. */
  const strongly = new DataLoader<Key, Item | undefined>((wanted) => dynamo.batchGet(wanted), {
    cache: false,
  });
  let stops: Unsubscribe[] = [];
  let compare: NodeJS.Timeout | undefined;
  let retry: NodeJS.Timeout | undefined;
  let resyncing: Promise<void> | undefined;
  let again = false;

  /** The viewer's badge: the whole state first, then what changes. Nothing falls between the two. */
  async function watch(user: string): Promise<AsyncIterableIterator<BadgeChange>> {
    const open = people.get(user) ?? openPerson(user);
    open.badges++;
    const release = () => {
      open.badges--;
      if (open.badges === 0) closePerson(open);
    };
    try {
      await open.ready;
    } catch (error) {
      release();
      throw error;
    }
    return createBadge({
      person: open.person,
      rooms,
      onClose: release,
      ...(onPush === undefined ? {} : { onPush }),
    });
  }

  function openPerson(user: string): OpenPerson {
    const person = createPerson(user);
    /** Rooms in which somebody has left and it is not known yet whether it was this person. */
    const checking = new Map<string, Promise<boolean>>();
    const listener: RoomListener = (room, event, removalsRose) => {
      const before = checking.get(room.id);
      if (before === undefined && !removalsRose) {
        person.takeRoom(room, event);
        return;
      }
      // In order, and not before it is known; where it cannot be found out, the resync tells it later.
      const check = (before ?? Promise.resolve(true)).then((good) =>
        removalsRose ? stillIn(open, room.id) : good,
      );
      checking.set(room.id, check);
      void check.then((good) => {
        if (checking.get(room.id) === check) checking.delete(room.id);
        if (good) person.takeRoom(room, event);
      });
    };
    const ready = load();
    const open: OpenPerson = { person, ready, listener, detach: () => {}, badges: 0 };
    people.set(user, open);
    // Whoever waits for it hears of a failure; here it must only not be unhandled.
    ready.catch(() => {});
    return open;

    async function load(): Promise<void> {
      // Attached first, then read, then merged by version: no hole between the first state and the live ones.
      const detach = await bus.subscribe(personTopic(user), (event) => take(open, event));
      open.detach = detach;
      if (people.get(user) !== open) detach();
      await read(open);
    }
  }

  function closePerson(open: OpenPerson): void {
    const { user, rooms: mine } = open.person;
    if (people.get(user) === open) people.delete(user);
    open.detach();
    for (const room of mine.keys()) rooms.release(room, open.listener);
  }

  /** Memberships, then rooms, then the roots that are read up to but have no position as far as is known. */
  async function read(open: OpenPerson): Promise<void> {
    const { person, listener } = open;
    const before = new Map([...person.rooms].map(([id, { membership }]) => [id, membership.rev]));
    const [memberships, badge] = await Promise.all([
      unread.memberships(person.user),
      unread.badge(person.user),
    ]);
    const ids = memberships.map(({ room }) => room);
    try {
      await rooms.acquire(ids, listener);
      const positions = await unread.pendingPositions(memberships);
      person.takeBadge(badge.total, badge.rev);
      for (const membership of memberships) join(open, membership, positions.get(membership.room) ?? null);
    } finally {
      const closed = people.get(person.user) !== open;
      for (const id of ids) if (closed || !person.rooms.has(id)) rooms.release(id, listener);
    }
    // Memberships that were known before this reading and are not in it any more.
    const still = new Set(ids);
    for (const [room, rev] of before) if (!still.has(room)) leave(open, room, lastRev(rev));
  }

  function join(open: OpenPerson, membership: Membership, rootPosition: number | null): void {
    const { person, listener } = open;
    const room = rooms.get(membership.room);
    const taken = room !== undefined && person.takeMembership(membership, room, rootPosition);
    // Refused as old news: the person has left since.
    if (!taken && !person.rooms.has(membership.room)) rooms.release(membership.room, listener);
  }

  function leave({ person, listener }: OpenPerson, room: string, rev: number): void {
    person.takeLeft(room, rev);
    if (!person.rooms.has(room)) rooms.release(room, listener);
  }

  function take(open: OpenPerson, event: PersonEvent): void {
    if (event.type === 'left') leave(open, event.room, event.rev);
    else if (event.type === 'badge') open.person.takeBadge(event.total, event.rev);
    else if (open.person.rooms.has(event.membership.room)) join(open, event.membership, null);
    else void enter(open, event.membership);
  }

  /** A room just joined: attach to it and read it first. */
  async function enter(open: OpenPerson, membership: Membership): Promise<void> {
    try {
      await rooms.acquire([membership.room], open.listener);
      if (people.get(open.person.user) === open) join(open, membership, null);
      else rooms.release(membership.room, open.listener);
    } catch (error) {
      log.warn({ err: error }, 'A joined room could not be read; trying again with all the others.');
      void resync();
    }
  }

  /** Somebody has left the room: nothing of it is told before it is known that it was not this person. */
  async function stillIn(open: OpenPerson, room: string): Promise<boolean> {
    const { person } = open;
    try {
      const item = await strongly.load(keys.membership(person.user, room));
      if (item !== undefined) return true;
      const known = person.rooms.get(room)?.membership.rev;
      if (known !== undefined) leave(open, room, lastRev(known));
    } catch (error) {
      log.warn({ err: error }, 'A membership could not be checked; trying again with all the others.');
      void resync();
    }
    return false;
  }

  /** Reads again whatever is open here. One at a time; asked for in between, once more afterwards. */
  function resync(): Promise<void> {
    if (resyncing !== undefined) {
      again = true;
      return resyncing;
    }
    onResync?.();
    resyncing = readAll()
      .catch((error: unknown) => {
        log.warn({ err: error }, 'The open badges could not be read again; trying once more.');
        clearTimeout(retry);
        retry = setTimeout(() => void resync(), RETRY_MS);
      })
      .finally(() => {
        resyncing = undefined;
        if (again) {
          again = false;
          void resync();
        }
      });
    return resyncing;
  }

  async function readAll(): Promise<void> {
    await rooms.refresh();
    await pLimit(READERS_AT_ONCE).map([...people.values()], (open) => open.ready.then(() => read(open)));
  }

  /** For what the bus has lost without noticing: the counters, and roots read up to that nobody told us of. */
  async function compareAll(): Promise<void> {
    await rooms.refresh();
    const unsettled = [...people.values()].filter(({ person }) => person.unsettled);
    await pLimit(READERS_AT_ONCE).map(unsettled, read);
  }

  async function start(): Promise<void> {
    stops = [bus.onGap(() => void resync()), await bus.subscribe(resyncTopic, () => void resync())];
    compare = setInterval(() => {
      compareAll().catch((err: unknown) => log.warn({ err }, 'The open rooms could not be compared.'));
    }, COMPARE_EVERY_MS);
    compare.unref();
  }

  function stop(): void {
    for (const end of stops) end();
    clearInterval(compare);
    clearTimeout(retry);
    for (const open of people.values()) closePerson(open);
  }

  return {
    watch,
    resync,
    start,
    stop,
    get openPeople() {
      return people.size;
    },
    get openRooms() {
      return rooms.size;
    },
  };
}
