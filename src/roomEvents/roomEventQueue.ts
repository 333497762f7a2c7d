import { type BoundedBuffer, type BoundedBufferOptions, createBoundedBuffer } from '../live/boundedBuffer.ts';
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
  /** The room has changed. `events`: what `log.eventsOf` returns for the update, if it was read already. */
  add(update: RoomUpdate, events?: readonly RoomEvent[]): void;
  /** An update may have been lost: compares with the room's counter. */
  compare(): void;
  /** The next event, if one is ready. */
  shift(): RoomEvent | undefined;
  /** An event that `shift` returned and that was not sent is the next one again. */
  putBack(event: RoomEvent): void;
  /** Nothing is ready, and `work` has nothing to do. */
  readonly idle: boolean;
  /**
   * One step towards the next event; undefined if there is nothing to do. If it rejects, the queue has a gap and cannot
   * be used.
   */
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
  /** Undefined before the first update that had to wait: most readers never have one. */
  #arrived: BoundedBuffer<RoomUpdate> | undefined = undefined;
  /** The number of the last change that has arrived. */
  #arrivedTo = 0;
  /** `work` is reading: what is ready then is not known yet. */
  #isWorking = false;
  /** Those from `#at` on are ready. Perhaps the events of an update that other readers have, too. */
  #ready: readonly RoomEvent[] = NONE;
  #at = 0;
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
    const hasArrived = this.#arrived?.first !== undefined || this.#arrived?.overflowed === true;
    const isReady = this.#at < this.#ready.length || this.#replay.length > 0;
    return !(hasArrived || isReady || this.#isWorking || this.#syncedDue || this.#comparisonDue);
  }

  async begin(after: number | undefined, now: number): Promise<void> {
    this.#last = after ?? now;
    this.#syncedDue = true;
    await this.#catchUp(now);
  }

  add(update: RoomUpdate, events?: readonly RoomEvent[]): void {
    const { entries, lastSequence } = update;
    if (entries.length === 0) {
      // A repeated update. The first one may have been lost after its entries were stored.
      if (lastSequence > this.#last) this.#comparisonDue = true;
    } else if (events !== undefined && this.idle && lastSequence - entries.length === this.#last) {
      this.#setReady(events);
      this.#last = lastSequence;
    } else if (!this.#has(lastSequence)) {
      this.#arrived ??= createBoundedBuffer(BUFFER);
      this.#arrived.add(update);
      this.#arrivedTo = lastSequence;
    }
  }

  compare(): void {
    this.#comparisonDue = true;
  }

  shift(): RoomEvent | undefined {
    const event = this.#ready[this.#at];
    if (event !== undefined && ++this.#at === this.#ready.length) this.#setReady(NONE);
    // Synced comes after the replay, but not if updates were dropped meanwhile.
    const wait = !this.#syncedDue || this.#replay.length > 0 || this.#arrived?.overflowed === true;
    if (event !== undefined || wait) return event;
    this.#syncedDue = false;
    return this.#options.replays.synced(this.#options.room, this.#last);
  }

  putBack(event: RoomEvent): void {
    this.#setReady([event, ...this.#rest()]);
  }

  work(): Promise<void> | undefined {
    const step = this.#step();
    if (step === undefined) return undefined;
    this.#isWorking = true;
    return step.finally(() => {
      this.#isWorking = false;
    });
  }

  /** Whether the changes up to this number are ready, were sent or wait. */
  #has(sequence: number): boolean {
    const isWaiting = this.#arrived?.first !== undefined;
    return sequence <= this.#last || (isWaiting && sequence <= this.#arrivedTo);
  }

  #step(): Promise<void> | undefined {
    const [part] = this.#replay;
    if (part !== undefined) return this.#replayPart(part);
    const { room, log } = this.#options;
    if (this.#arrived?.overflowed === true) {
      // Before the counter is read, because updates that arrive during the read may be newer.
      this.#arrived.clear();
      log.behind();
      return log.lastNumber(room).then((last) => this.#skipTo(last));
    }
    const first = this.#arrived?.first;
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
    const event = { type: 'ResyncRequired', room: this.#options.room, cursor: this.#last } as const;
    this.#setReady([...this.#rest(), event]);
    this.#last = to;
    this.#syncedDue = true;
  }

  async #replayPart(part: ReplayPart): Promise<void> {
    const events = await part.read();
    this.#setReady([...this.#rest(), ...events]);
    this.#replay = this.#replay.slice(1);
    this.#last = part.last;
  }

  async #takeUpdate(update: RoomUpdate): Promise<void> {
    const before = update.lastSequence - update.entries.length;
    if (before > this.#last) return this.#catchUp(before);
    if (update.lastSequence > this.#last) {
      const events = await this.#options.log.eventsOf(update);
      const { last } = this;
      this.#setReady([...this.#rest(), ...events.filter(({ cursor }) => cursor > last)]);
      this.#last = update.lastSequence;
    }
    this.#arrived?.shift();
  }

  #setReady(events: readonly RoomEvent[]): void {
    this.#ready = events;
    this.#at = 0;
  }

  /** What is ready and was not taken. */
  #rest(): readonly RoomEvent[] {
    return this.#ready.slice(this.#at);
  }
}

const NONE: readonly RoomEvent[] = [];

const BUFFER: BoundedBufferOptions<RoomUpdate> = {
  max: BUFFER_MAX,
  weightOf: ({ entries }) => entries.length,
};
