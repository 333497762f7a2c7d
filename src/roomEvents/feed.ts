import type { RoomCache } from '../live/roomCache.ts';
import type { RoomUpdate } from './event.ts';
import { type History, type Numbered, news } from './history.ts';
import { createInbox } from './inbox.ts';
import type { RoomEvent } from './occurrence.ts';

/** Of the changes that are told from the log, so many things are read and held at a time. */
const REPLAY_PART = 50;

/**
 * What one reader of a room is told, put in order:
 *
 *   the replay (changes that were missed, from the log) ── Synced, where it is due ── what has arrived
 *
 * Every change has its number. One that is known already is dropped; where a number is missing, the log has
 * what lies between. Pulled, not pushed: for a reader who does not drain it holds the inbox (BUFFER_MAX
 * changes by name), the numbers still to be replayed, and one part of the messages.
 */
export interface Feed {
  /** Tells what came after number `after` (absent: nothing) up to `now`, then Synced. */
  begin(after: number | undefined, now: number): Promise<void>;
  /** Something has happened. */
  take(event: RoomUpdate): void;
  /** Something may have happened that nobody told of: compare with the room's counter. */
  compare(): void;
  /** The next thing to tell, if it is ready. */
  shift(): RoomEvent | undefined;
  /** Nothing is ready, and `work` has nothing to do. */
  readonly idle: boolean;
  /** One step towards something to tell. Where it rejects, the feed has a hole and is of no more use. */
  work(): Promise<void>;
  /** The number of the last change that was made ready, or needs not to be told. */
  readonly last: number;
}

export interface FeedOptions {
  readonly room: string;
  readonly rooms: RoomCache;
  readonly history: History;
}

export function createFeed({ room, rooms, history }: FeedOptions): Feed {
  const inbox = createInbox();
  const ready: RoomEvent[] = [];
  let replay: readonly Numbered[] = [];
  /** What `last` will be when the replay is through. */
  let replayTo = 0;
  let syncedDue = false;
  let comparisonDue = false;
  let last = 0;

  /** Lets everything up to number `to` be told from the log; where the log cannot, that is said. */
  async function catchUp(to: number): Promise<void> {
    if (to <= last) return;
    const missed = await history.changes(room, last + 1, to);
    if (missed === null) return skipTo(to);
    replay = news(missed);
    replayTo = to;
  }

  /** The cursor stays what it was: whoever loses the connection before they have read the room is told again. */
  function skipTo(to: number): void {
    ready.push({ type: 'ResyncRequired', room, cursor: last });
    last = to;
    syncedDue = true;
  }

  async function tellReplay(): Promise<void> {
    const part = replay.slice(0, REPLAY_PART);
    const ofRoom = part.some(({ entry }) => entry.type !== 'message');
    const [occurrences] = await Promise.all([
      history.occurrences(room, part),
      // The log may be ahead of what this server knows of the room: that is still on the bus.
      ofRoom ? rooms.refresh([room]) : undefined,
    ]);
    ready.push(...occurrences);
    replay = replay.slice(part.length);
    last = replay.length === 0 ? replayTo : (part.at(-1)?.number ?? last);
  }

  async function tell(event: RoomUpdate): Promise<void> {
    const before = event.changeCount - event.entries.length;
    if (before > last) return catchUp(before);
    if (event.changeCount > last) {
      const occurrences = await history.occurrencesOf(event);
      ready.push(...occurrences.filter(({ cursor }) => cursor > last));
      last = event.changeCount;
    }
    inbox.shift();
  }

  return {
    async begin(after, now) {
      last = after ?? now;
      syncedDue = true;
      await catchUp(now);
    },
    take(event) {
      if (event.entries.length > 0) inbox.add(event);
      // Told again after it was stored; when it was stored, it may not have been told.
      else if (event.changeCount > last) comparisonDue = true;
    },
    compare() {
      comparisonDue = true;
    },
    shift: () => ready.shift(),
    get idle() {
      const inHand = ready.length > 0 || replay.length > 0 || inbox.first !== undefined;
      return !(inHand || syncedDue || inbox.overflown || comparisonDue);
    },
    async work() {
      if (replay.length > 0) return tellReplay();
      if (inbox.overflown) {
        // Before Synced, which nobody is told of whom something was thrown away; and before the counter is
        // read, for what arrives during that may be newer.
        inbox.clear();
        skipTo(await history.lastNumber(room));
      } else if (syncedDue) {
        syncedDue = false;
        ready.push({ type: 'Synced', room, cursor: last });
      } else if (inbox.first !== undefined) {
        await tell(inbox.first);
      } else if (comparisonDue) {
        comparisonDue = false;
        await catchUp(await history.lastNumber(room));
      }
    },
    get last() {
      return last;
    },
  };
}
