import type { Bus, Unsubscribe } from '../bus/bus.ts';
import type { Timestamp } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { keys } from '../dynamo/keys.ts';
import { type RoomUpdate, roomTopic } from '../roomEvents/event.ts';
import { type Counter, counterOf, type Room, roomOf, type Seats, seatsOf } from '../rooms/room.ts';

/** What this server knows of a room that somebody here looks at: loaded once, then kept by the bus. */
export interface CachedRoom {
  readonly id: string;
  room: Room;
  seats: Seats;
  counter: Counter;
  /** Of the roots that got theirs lately; a membership may name one as read up to later than that. */
  readonly positions: Map<Timestamp, number>;
}

interface Entry {
  readonly listeners: Set<RoomListener>;
  /** Set once loaded. */
  open: CachedRoom | undefined;
  ready: Promise<void>;
  detach: Unsubscribe;
}

/** Called after the room has taken in an event, or a fresh reading (without an event). */
export type RoomListener = (room: CachedRoom, event: RoomUpdate | undefined, removalsRose: boolean) => void;

export interface RoomCache {
  /** Attaches to the rooms' topics, then loads those that are not open yet; gone rooms are left out. */
  acquire(ids: readonly string[], listener: RoomListener): Promise<void>;
  release(id: string, listener: RoomListener): void;
  get(id: string): CachedRoom | undefined;
  /** The room with its seats, for who shows it. */
  view(id: string): (Room & { readonly seats: Seats }) | undefined;
  /** Reads these open rooms again (absent: all) and tells the listeners of those that have changed. */
  refresh(ids?: readonly string[]): Promise<void>;
  readonly size: number;
}

/** Events that arrive while a room is being read; whole values, so the newest are enough. */
const EARLY_MAX = 64;
/** Positions remembered for each room: a membership that names a root is told at most seconds after it. */
const POSITIONS_MAX = 256;

/** Rooms read at the same time when all are: ten requests side by side. */
const REFRESH_PART = 330;
/** Three items a room, so a hundred keys, DynamoDB's bound on a batch, are 33 rooms. */
const itemsOf = (id: string) => [keys.room(id), keys.seats(id), keys.counter(id)];

export function createRoomCache({ dynamo, bus }: { readonly dynamo: Dynamo; readonly bus: Bus }): RoomCache {
  const entries = new Map<string, Entry>();

  async function acquire(ids: readonly string[], listener: RoomListener): Promise<void> {
    const fresh = ids.filter((id) => !entries.has(id));
    if (fresh.length > 0) {
      const opening = open(fresh);
      for (const id of fresh) {
        const entry = entries.get(id);
        if (entry !== undefined) entry.ready = opening;
      }
    }
    const wanted = ids.flatMap((id) => entries.get(id) ?? []);
    for (const entry of wanted) entry.listeners.add(listener);
    try {
      await Promise.all(wanted.map((entry) => entry.ready));
    } catch (error) {
      for (const id of ids) release(id, listener);
      throw error;
    }
  }

  async function open(ids: readonly string[]): Promise<void> {
    const opened = ids.map((id): Entry => {
      const entry: Entry = {
        listeners: new Set(),
        open: undefined,
        ready: Promise.resolve(),
        detach: () => {},
      };
      entries.set(id, entry);
      return entry;
    });
    // Attached before read: what happens in between arrives as an event, and the higher number wins.
    const early = new Map<string, RoomUpdate[]>();
    await Promise.all(
      ids.map(async (id, i) => {
        const entry = opened[i] as Entry;
        entry.detach = await bus.subscribe(roomTopic(id), (event) => {
          if (entry.open !== undefined) return take(entry, event);
          early.set(id, [...(early.get(id) ?? []).slice(1 - EARLY_MAX), event]);
        });
        // Released while it was attaching.
        if (entries.get(id) !== entry) entry.detach();
      }),
    );
    const loaded = await load(ids);
    ids.forEach((id, i) => {
      const entry = opened[i] as Entry;
      entry.open = loaded.get(id);
      for (const event of early.get(id) ?? []) take(entry, event);
    });
  }

  async function load(ids: readonly string[]): Promise<Map<string, CachedRoom>> {
    const items = await dynamo.batchGet(ids.flatMap(itemsOf));
    const rooms = new Map<string, CachedRoom>();
    ids.forEach((id, i) => {
      const [room, seats, counter] = items.slice(i * 3, i * 3 + 3);
      if (room === undefined || seats === undefined || counter === undefined) return;
      rooms.set(id, {
        id,
        room: roomOf(id, room),
        seats: seatsOf(seats),
        counter: counterOf(counter),
        positions: new Map(),
      });
    });
    return rooms;
  }

  function take({ open: room, listeners }: Entry, event: RoomUpdate): void {
    if (room === undefined) return;
    const removalsRose = event.removals > room.counter.removals;
    room.counter = {
      messageCount: Math.max(room.counter.messageCount, event.messageCount),
      changeCount: Math.max(room.counter.changeCount, event.changeCount),
      removals: Math.max(room.counter.removals, event.removals),
    };
    const { record, seats } = event;
    if (record !== undefined && record.rev > room.room.rev) room.room = { ...room.room, ...record };
    if (seats !== undefined && seats.rev > room.seats.rev) room.seats = { ...room.seats, ...seats };
    remember(room.positions, event);
    for (const listener of listeners) listener(room, event, removalsRose);
  }

  function release(id: string, listener: RoomListener): void {
    const entry = entries.get(id);
    if (entry === undefined) return;
    entry.listeners.delete(listener);
    if (entry.listeners.size > 0) return;
    entries.delete(id);
    entry.detach();
  }

  async function refresh(ids: readonly string[] = [...entries.keys()]): Promise<void> {
    for (let i = 0; i < ids.length; i += REFRESH_PART) await refreshPart(ids.slice(i, i + REFRESH_PART));
  }

  async function refreshPart(ids: readonly string[]): Promise<void> {
    const loaded = await load(ids);
    for (const id of ids) {
      const entry = entries.get(id);
      const now = loaded.get(id);
      const before = entry?.open;
      if (entry === undefined || now === undefined || before === undefined) continue;
      const removalsRose = now.counter.removals > before.counter.removals;
      const same =
        now.counter.changeCount <= before.counter.changeCount &&
        now.room.rev <= before.room.rev &&
        now.seats.rev <= before.seats.rev;
      if (same && !removalsRose) continue;
      if (now.room.rev > before.room.rev) before.room = now.room;
      if (now.seats.rev > before.seats.rev) before.seats = now.seats;
      if (now.counter.changeCount >= before.counter.changeCount) before.counter = now.counter;
      for (const listener of entry.listeners) listener(before, undefined, removalsRose);
    }
  }

  return {
    acquire,
    release,
    get: (id) => entries.get(id)?.open,
    view(id) {
      const open = entries.get(id)?.open;
      return open === undefined ? undefined : { ...open.room, seats: open.seats };
    },
    refresh,
    get size() {
      return entries.size;
    },
  };
}

function remember(positions: Map<Timestamp, number>, { entries }: RoomUpdate): void {
  for (const entry of entries) {
    if (entry.type === 'message' && entry.position !== undefined) positions.set(entry.t, entry.position);
  }
  for (const oldest of positions.keys()) {
    if (positions.size <= POSITIONS_MAX) break;
    positions.delete(oldest);
  }
}
