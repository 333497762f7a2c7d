import { type BoundedBufferOptions, createBoundedBuffer } from '../live/boundedBuffer.ts';
import type { ReplayPart, Replays } from './replays.ts';
import type { RoomEvent, RoomLogReader } from './roomLogReader.ts';
import type { RoomUpdate } from './roomUpdate.ts';

/** Changes that wait for a slow reader. If there are more, the reader gets ResyncRequired. */
const BUFFER_MAX = 256;

/**
 * Puts in order what one reader of a room receives:
 *
 *   the replay (missed changes, from the log) ── Synced, if it is due ── what has arrived
 *
 * Every change has a number. A known one is dropped. If numbers are missing, those changes are read from the log. For a
 * client that does not read, the queue holds at most BUFFER_MAX changes without their messages, the numbers still to be
 * replayed, and one part with messages.
 */
export interface RoomEventQueue {
  /** Prepares what came after number `after` (undefined: nothing) up to `now`, then Synced. */
  begin(after: number | undefined, now: number): Promise<void>;
  /** The room has changed. */
  add(update: RoomUpdate): void;
  /** An update may have been lost: compares with the room's counter. */
  compare(): void;
  /** The next event, if one is ready. */
  shift(): RoomEvent | undefined;
  /** An event that `shift` returned and that was not sent is the next one again. */
  putBack(event: RoomEvent): void;
  /** Nothing is ready, and `work` has nothing to do. */
  readonly idle: boolean;
  /** One step towards the next event; undefined if there is nothing to do. If it rejects, the queue has a gap and cannot be used. */
  work(): Promise<void> | undefined;
  /** The number of the last change that is ready, was sent, or need not be sent. */
  readonly last: number;
}

export interface RoomEventQueueOptions {
  readonly room: string;
  readonly replays: Replays;
  readonly log: RoomLogReader;
}

export function createRoomEventQueue(options: RoomEventQueueOptions): RoomEventQueue {
  return new Queue(options);
}

/** A class, because a server holds one for each socket: as closures, its functions alone take 1 KB. */
class Queue implements RoomEventQueue {
  readonly #options: RoomEventQueueOptions;
  readonly #arrived = createBoundedBuffer<RoomUpdate>(BUFFER);
  #ready: RoomEvent[] = [];
  #replay: readonly ReplayPart[] = [];
  #syncedDue = false;
  #comparisonDue = false;
  #last = 0;

  constructor(options: RoomEventQueueOptions) {
    this.#options = options;
  }

  get last(): number {
    return this.#last;
  }

  get idle(): boolean {
    const { first, overflowed } = this.#arrived;
    const waiting = this.#ready.length > 0 || this.#replay.length > 0 || first !== undefined;
    return !(waiting || this.#syncedDue || overflowed || this.#comparisonDue);
  }

  async begin(after: number | undefined, now: number): Promise<void> {
    this.#last = after ?? now;
    this.#syncedDue = true;
    await this.#catchUp(now);
  }

  add(update: RoomUpdate): void {
    if (update.entries.length > 0) this.#arrived.add(update);
    // A repeated update, without entries. The first one may have been lost after its entries were stored.
    else if (update.lastSequence > this.#last) this.#comparisonDue = true;
  }

  compare(): void {
    this.#comparisonDue = true;
  }

  shift(): RoomEvent | undefined {
    const event = this.#ready.shift();
    // Synced comes after the replay, but not if updates were dropped meanwhile.
    const wait = !this.#syncedDue || this.#replay.length > 0 || this.#arrived.overflowed;
    if (event !== undefined || wait) return event;
    this.#syncedDue = false;
    return this.#options.replays.synced(this.#options.room, this.#last);
  }

  putBack(event: RoomEvent): void {
    this.#ready.unshift(event);
  }

  work(): Promise<void> | undefined {
    const [part] = this.#replay;
    if (part !== undefined) return this.#replayPart(part);
    const { room, log } = this.#options;
    if (this.#arrived.overflowed) {
      // Before the counter is read, because updates that arrive during the read may be newer.
      this.#arrived.clear();
      log.behind();
      return log.lastNumber(room).then((last) => this.#skipTo(last));
    }
    const { first } = this.#arrived;
    if (first !== undefined) return this.#takeUpdate(first);
    if (!this.#comparisonDue) return undefined;
    this.#comparisonDue = false;
    return log.lastNumber(room).then((last) => this.#catchUp(last));
  }

  /** Everything up to number `to` comes from the log. If the log does not have it, the reader gets ResyncRequired. */
  async #catchUp(to: number): Promise<void> {
    if (to <= this.#last) return;
    const { room, replays } = this.#options;
    const parts = await replays.replay(room, this.#last + 1, to);
    if (parts === null) return this.#skipTo(to);
    this.#replay = parts;
  }

  /** The cursor stays the same, so a client that disconnects before it has read the room gets ResyncRequired again. */
  #skipTo(to: number): void {
    this.#ready.push({ type: 'ResyncRequired', room: this.#options.room, cursor: this.#last });
    this.#last = to;
    this.#syncedDue = true;
  }

  async #replayPart(part: ReplayPart): Promise<void> {
    const events = await part.read();
    this.#ready.push(...events);
    this.#replay = this.#replay.slice(1);
    this.#last = part.last;
  }

  async #takeUpdate(update: RoomUpdate): Promise<void> {
    const before = update.lastSequence - update.entries.length;
    if (before > this.#last) return this.#catchUp(before);
    if (update.lastSequence > this.#last) {
      const events = await this.#options.log.eventsOf(update);
      for (const event of events) if (event.cursor > this.#last) this.#ready.push(event);
      this.#last = update.lastSequence;
    }
    this.#arrived.shift();
  }
}

const BUFFER: BoundedBufferOptions<RoomUpdate> = {
  max: BUFFER_MAX,
  weightOf: ({ entries }) => entries.length,
};
