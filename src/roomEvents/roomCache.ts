import type { Bus } from '../bus/bus.ts';
import type { Timestamp } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { keys } from '../dynamo/keys.ts';
import { BoundedMap } from '../live/boundedMap.ts';
import { createLiveCache, type LiveCache, type LiveListener } from '../live/liveCache.ts';
import { type Counter, counterOf, type Room, roomOf, type Seats, seatsOf } from '../rooms/room.ts';
import { ENDED_EPOCH, type RoomUpdate, roomTopic } from './roomUpdate.ts';

/** A room that at least one client of this server shows. */
export interface CachedRoom {
  readonly id: string;
  room: Room;
  seats: Seats;
  counter: Counter;
  /** Recently assigned positions, by root. A membership's `pendingReadRoot` may arrive after its root's position. */
  readonly positions: Map<Timestamp, number>;
}

export interface RoomChange {
  /** A member has left: the readers' memberships must be checked before anything is sent to them. */
  readonly epochRose: boolean;
}

export type RoomListener = LiveListener<CachedRoom, RoomUpdate, RoomChange>;

export interface RoomCache extends LiveCache<CachedRoom, RoomUpdate, RoomChange> {
  /** The room with its seats, as the API shows it. */
  getRoom(id: string): (Room & { readonly seats: Seats }) | undefined;
}

/** Positions kept for each room. A membership that first names a root arrives at most seconds after its position. */
const POSITIONS_MAX = 256;
/** A room has three items, so one batch of 100 keys reads 33 rooms: ten requests in parallel. */
const PART_SIZE = 330;
const itemsOf = (id: string) => [keys.room(id), keys.seats(id), keys.counter(id)];

const ROSE: RoomChange = { epochRose: true };
const SAME: RoomChange = { epochRose: false };

/** The rooms that this server shows, kept current by the rooms' topics. */
export function createRoomCache({ dynamo, bus }: { readonly dynamo: Dynamo; readonly bus: Bus }): RoomCache {
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
        positions: new BoundedMap(POSITIONS_MAX),
      });
    });
    return rooms;
  }

  const cache = createLiveCache<CachedRoom, RoomUpdate, RoomChange>({
    name: 'rooms',
    bus,
    load,
    apply,
    merge,
    gone,
    topicOf: roomTopic,
    partSize: PART_SIZE,
  });

  return Object.assign(cache, {
    getRoom(id: string) {
      const cached = cache.get(id);
      return cached === undefined ? undefined : { ...cached.room, seats: cached.seats };
    },
  });
}

function apply(room: CachedRoom, update: RoomUpdate): RoomChange {
  const { counter } = room;
  const epochRose = update.membershipEpoch > counter.membershipEpoch;
  // Each of the counters only rises, so the higher one is the newer one.
  room.counter = {
    lastPosition: Math.max(counter.lastPosition, update.lastPosition),
    lastSequence: Math.max(counter.lastSequence, update.lastSequence),
    membershipEpoch: Math.max(counter.membershipEpoch, update.membershipEpoch),
  };
  const { record, seats, entries } = update;
  if (record !== undefined && record.version > room.room.version) room.room = { ...room.room, ...record };
  if (seats !== undefined && seats.version > room.seats.version) room.seats = { ...room.seats, ...seats };
  for (const entry of entries) {
    if (entry.type === 'message' && entry.position !== undefined)
      room.positions.set(entry.threadTs, entry.position);
  }
  return epochRose ? ROSE : SAME;
}

/** The room was deleted, and the update that says so has not arrived. */
function gone(room: CachedRoom): RoomChange | undefined {
  if (room.counter.membershipEpoch === ENDED_EPOCH) return undefined;
  room.counter = { ...room.counter, membershipEpoch: ENDED_EPOCH };
  return ROSE;
}

/**
 * Applies a fresh read. Unlike an update, it may have a lower `lastPosition`, because `verify` can correct it
 * downwards.
 */
function merge(room: CachedRoom, fresh: CachedRoom): RoomChange | undefined {
  const { counter } = room;
  const epochRose = fresh.counter.membershipEpoch > counter.membershipEpoch;
  const newCounter = fresh.counter.lastSequence > counter.lastSequence;
  const newRecord = fresh.room.version > room.room.version;
  const newSeats = fresh.seats.version > room.seats.version;
  if (!(epochRose || newCounter || newRecord || newSeats)) return undefined;
  if (newCounter) room.counter = { ...fresh.counter, membershipEpoch: counter.membershipEpoch };
  if (epochRose) room.counter = { ...room.counter, membershipEpoch: fresh.counter.membershipEpoch };
  if (newRecord) room.room = fresh.room;
  if (newSeats) room.seats = fresh.seats;
  return epochRose ? ROSE : SAME;
}
