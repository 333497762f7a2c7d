import { createBoundedBuffer } from '../live/boundedBuffer.ts';
import type { RoomCache } from './roomCache.ts';
import { coalesce, type NumberedEntry, type RoomEvent, type RoomLogReader } from './roomLogReader.ts';
import type { RoomUpdate } from './roomUpdate.ts';

/** How many changes of a replay are read and held at a time. */
const REPLAY_PART = 50;
/** Changes that wait for a slow reader. If there are more, the reader is told to read the room again. */
const BUFFER_MAX = 256;

/**
 * Puts in order what one reader of a room receives:
 *
 *   the replay (missed changes, from the log) ── Synced, if it is due ── what has arrived
 *
 * Every change has its number. A known one is dropped; if a number is missing, the log has what is in between. For a
 * reader who does not drain it holds BUFFER_MAX changes by name, the numbers still to be replayed, and one part of the
 * messages.
 */
export interface RoomEventQueue {
  /** Prepares what came after number `after` (undefined: nothing) up to `now`, then Synced. */
  begin(after: number | undefined, now: number): Promise<void>;
  /** Something has happened. */
  add(update: RoomUpdate): void;
  /** Something may have happened without an update: compare with the room's counter. */
  compare(): void;
  /** The next event, if one is ready. */
  shift(): RoomEvent | undefined;
  /** Nothing is ready, and `work` has nothing to do. */
  readonly idle: boolean;
  /** One step towards an event; undefined if there is nothing to do. If it rejects, the queue has a gap and is of no use. */
  work(): Promise<void> | undefined;
  /** The number of the last change that was made ready, or need not be sent. */
  readonly last: number;
}

export interface RoomEventQueueOptions {
  readonly room: string;
  readonly rooms: RoomCache;
  readonly log: RoomLogReader;
}

export function createRoomEventQueue({ room, rooms, log }: RoomEventQueueOptions): RoomEventQueue {
  const arrived = createBoundedBuffer<RoomUpdate>({
    max: BUFFER_MAX,
    weightOf: ({ entries }) => entries.length,
  });
  const ready: RoomEvent[] = [];
  let replay: readonly NumberedEntry[] = [];
  /** What `last` will be after the replay. */
  let replayTo = 0;
  let syncedDue = false;
  let comparisonDue = false;
  let last = 0;

  /** Everything up to number `to` comes from the log. If the log does not have it, the reader is told. */
  async function catchUp(to: number): Promise<void> {
    if (to <= last) return;
    const missed = await log.changes(room, last + 1, to);
    if (missed === null) return skipTo(to);
    replay = coalesce(missed);
    replayTo = to;
  }

  /** The cursor stays the same, so a client that disconnects before it has read the room is told again. */
  function skipTo(to: number): void {
    ready.push({ type: 'ResyncRequired', room, cursor: last });
    last = to;
    syncedDue = true;
  }

  async function replayPart(): Promise<void> {
    const part = replay.slice(0, REPLAY_PART);
    const ofRoom = part.some(({ entry }) => entry.type !== 'message');
    const [events] = await Promise.all([
      log.events(room, part),
      // The log may be ahead of what this server knows of the room: that is still on the bus.
      ofRoom ? rooms.refresh([room]) : undefined,
    ]);
    ready.push(...events);
    replay = replay.slice(part.length);
    last = replay.length === 0 ? replayTo : (part.at(-1)?.number ?? last);
  }

  async function takeUpdate(update: RoomUpdate): Promise<void> {
    const before = update.lastSequence - update.entries.length;
    if (before > last) return catchUp(before);
    if (update.lastSequence > last) {
      const events = await log.eventsOf(update);
      for (const event of events) if (event.cursor > last) ready.push(event);
      last = update.lastSequence;
    }
    arrived.shift();
  }

  return {
    async begin(after, now) {
      last = after ?? now;
      syncedDue = true;
      await catchUp(now);
    },
    add(update) {
      if (update.entries.length > 0) arrived.add(update);
      // Published again after it was stored; when it was stored, it may not have been published.
      else if (update.lastSequence > last) comparisonDue = true;
    },
    compare() {
      comparisonDue = true;
    },
    shift() {
      const event = ready.shift();
      // Synced comes after the replay, and not if something was dropped meanwhile.
      if (event !== undefined || !syncedDue || replay.length > 0 || arrived.overflowed) return event;
      syncedDue = false;
      return { type: 'Synced', room, cursor: last };
    },
    get idle() {
      const waiting = ready.length > 0 || replay.length > 0 || arrived.first !== undefined;
      return !(waiting || syncedDue || arrived.overflowed || comparisonDue);
    },
    work() {
      if (replay.length > 0) return replayPart();
      if (arrived.overflowed) {
        // Before the counter is read, because what arrives during that may be newer.
        arrived.clear();
        return log.lastNumber(room).then(skipTo);
      }
      if (arrived.first !== undefined) return takeUpdate(arrived.first);
      if (!comparisonDue) return undefined;
      comparisonDue = false;
      return log.lastNumber(room).then(catchUp);
    },
    get last() {
      return last;
    },
  };
}
