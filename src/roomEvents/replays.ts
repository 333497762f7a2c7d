import type { Clock } from '../core/clock.ts';
import { createBriefCache } from '../live/briefCache.ts';
import type { RoomCache } from './roomCache.ts';
import { coalesce, type NumberedEntry, type RoomEvent, type RoomLogReader } from './roomLogReader.ts';

/** How many changes of a replay are read and held at a time. */
const PART = 50;

/** Changes of a replay that are read together. */
export interface ReplayPart {
  /** The number of the last change that is known after it. */
  readonly last: number;
  /** The events, with the current state of what they name. */
  read(): Promise<readonly RoomEvent[]>;
}

export interface Replays {
  /** `Synced` of a room at a number. */
  synced(room: string, cursor: number): RoomEvent;
  /** The changes numbered `from` to `to`, in parts. Null if the log does not have all of them. */
  replay(room: string, from: number, to: number): Promise<readonly ReplayPart[] | null>;
}

export interface ReplaysOptions {
  readonly log: RoomLogReader;
  readonly rooms: RoomCache;
  readonly clock?: Clock;
}

/**
 * What readers receive when they open a room. Those who arrive together (after a restart, for example) have missed the
 * same, so it is read once for all of them. They get the same event objects, so each event is executed once for all
 * with the same selection. A thousand readers who missed 20 messages would otherwise read them a thousand times.
 *
 * A reader may so get a state that was read a moment before they attached to the bus, but never one from before change
 * `to`: the first of them had read that number from the counter. What changes later has a higher number, and follows.
 */
export function createReplays({ log, rooms, clock }: ReplaysOptions): Replays {
  const synced = createBriefCache<string, RoomEvent>(clock);
  const replays = createBriefCache<string, Promise<readonly ReplayPart[] | null>>(clock);
  const parts = createBriefCache<readonly NumberedEntry[], Promise<readonly RoomEvent[]>>(clock);

  async function begin(room: string, from: number, to: number): Promise<readonly ReplayPart[] | null> {
    const missed = await log.changes(room, from, to);
    if (missed === null) return null;
    const changes = coalesce(missed);
    const starts = Array.from({ length: Math.ceil(changes.length / PART) }, (_, i) => i * PART);
    return starts.map((start): ReplayPart => {
      const part = changes.slice(start, start + PART);
      const last = start + PART < changes.length ? part.at(-1)?.number : to;
      return { last: last ?? to, read: () => parts(part, () => read(room, part)) };
    });
  }

  async function read(room: string, part: readonly NumberedEntry[]): Promise<readonly RoomEvent[]> {
    const ofRoom = part.some(({ entry }) => entry.type !== 'message');
    const [events] = await Promise.all([
      log.events(room, part),
      // The log may be ahead of the room that this server knows, because updates are still on the bus.
      ofRoom ? rooms.refresh([room]) : undefined,
    ]);
    return events;
  }

  return {
    synced: (room, cursor) =>
      synced(`${room}:${cursor}`, (): RoomEvent => ({ type: 'Synced', room, cursor })),
    replay: (room, from, to) => replays(`${room}:${from}:${to}`, () => begin(room, from, to)),
  };
}
