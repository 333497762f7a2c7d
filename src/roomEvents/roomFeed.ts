import { type Clock, inTime } from '../core/clock.ts';
import type { SharedResults } from '../live/subscription.ts';
import type { RoomCache, RoomListener } from './roomCache.ts';
import type { RoomEvent, RoomLogReader } from './roomLogReader.ts';
import type { RoomUpdate } from './roomUpdate.ts';

/**
 * How many changes a group keeps while it reads. If there are more, its readers get all of them unread: each keeps up
 * to 256.
 */
const WAITING_MAX = 128;
/**
 * They also get them unread if reading takes longer than this, in milliseconds, so that one slow result does not stop
 * the room.
 */
const READ_WITHIN_MS = 1_000;

/** Someone who receives the changes of a room. Its methods must not throw. */
export interface RoomReader {
  /** The results that this reader shares with others. Undefined: none, or none yet. */
  readonly results: SharedResults<RoomEvent> | undefined;
  /** Someone has left the room, maybe this user. Called at once, before the update that says so. */
  recheck(): void;
  /** An update may have been lost. */
  compare(): void;
  /** The room has changed. `events`: what the update means, if that was read already. */
  receive(update: RoomUpdate, events?: readonly RoomEvent[]): void;
}

/** What has changed in the rooms that this server shows, for each of their readers. */
export interface RoomFeeds {
  /** Resolves when nothing is missed from now on. Rejects like `RoomCache.subscribe`; then the reader has left. */
  join(room: string, reader: RoomReader): Promise<void>;
  /** From now on the reader shares `results`, and gets updates with their events. */
  share(room: string, reader: RoomReader, results: SharedResults<RoomEvent>): void;
  leave(room: string, reader: RoomReader): void;
}

type GroupOptions = Pick<Options, 'log' | 'clock'>;

interface Options {
  readonly clock: Clock;
  readonly rooms: Pick<RoomCache, 'subscribe' | 'unsubscribe'>;
  readonly log: Pick<RoomLogReader, 'eventsOf'>;
}

/**
 * Hands the updates of a room to its readers. Those who share results get an update when its events were read and the
 * results were made: then each of a thousand readers takes one step from the update to the socket, without a promise,
 * and the memory of each is visited once. Each group waits for its own results only.
 *
 *   update ──▶ group: read events ── make results ──▶ all its readers, in one turn
 *          └─▶ readers without a group: at once, and each reads the events itself
 *
 * It neither orders nor checks anything. `roomEventQueue.ts` drops what a reader has, and each reader asks its gate
 * before it sends.
 */
export function createRoomFeeds({ rooms, log, clock }: Options): RoomFeeds {
  const feeds = new Map<string, Feed>();

  function leave(room: string, reader: RoomReader): void {
    const feed = feeds.get(room);
    if (feed === undefined) return;
    feed.remove(reader);
    if (feed.isUsed) return;
    feeds.delete(room);
    rooms.unsubscribe(room, feed.listener);
  }

  return {
    async join(room, reader) {
      let feed = feeds.get(room);
      if (feed === undefined) {
        feed = new Feed({ log, clock });
        feeds.set(room, feed);
        feed.opened = rooms.subscribe([room], feed.listener);
      }
      feed.add(reader);
      try {
        await feed.opened;
      } catch (error) {
        leave(room, reader);
        throw error;
      }
    },
    share: (room, reader, results) => feeds.get(room)?.share(reader, results),
    leave,
  };
}

/** The readers of one room. */
class Feed {
  /** Resolves when its listener is called for every update. */
  opened: Promise<void> = Promise.resolve();
  readonly #options: GroupOptions;
  readonly #alone = new Set<RoomReader>();
  readonly #groups = new Map<string, Group>();

  constructor(options: GroupOptions) {
    this.#options = options;
  }

  get isUsed(): boolean {
    return this.#alone.size > 0 || this.#groups.size > 0;
  }

  readonly listener: RoomListener = (_room, update, { epochRose }) => {
    if (epochRose) for (const reader of this.#readers()) reader.recheck();
    if (update === undefined) {
      for (const reader of this.#readers()) reader.compare();
      return;
    }
    for (const group of this.#groups.values()) group.add(update);
    for (const reader of this.#alone) reader.receive(update);
  };

  add(reader: RoomReader): void {
    this.#alone.add(reader);
  }

  /** Until now the reader has received everything at once. It receives again what the group has not handed over yet. */
  share(reader: RoomReader, { key }: SharedResults<RoomEvent>): void {
    if (!this.#alone.delete(reader)) return;
    const group = this.#groups.get(key) ?? new Group(this.#options);
    this.#groups.set(key, group);
    group.readers.add(reader);
  }

  remove(reader: RoomReader): void {
    this.#alone.delete(reader);
    const key = reader.results?.key;
    const group = key === undefined ? undefined : this.#groups.get(key);
    if (key === undefined || group === undefined) return;
    group.readers.delete(reader);
    if (group.readers.size === 0) this.#groups.delete(key);
  }

  *#readers(): Iterable<RoomReader> {
    yield* this.#alone;
    for (const { readers } of this.#groups.values()) yield* readers;
  }
}

/** Readers of one room who share results. */
class Group {
  readonly readers = new Set<RoomReader>();
  readonly #options: GroupOptions;
  /** In order. The first ones are being read. */
  #waiting: readonly RoomUpdate[] = [];
  #isReading = false;

  constructor(options: GroupOptions) {
    this.#options = options;
  }

  add(update: RoomUpdate): void {
    this.#waiting = [...this.#waiting, update];
    if (changesIn(this.#waiting) > WAITING_MAX) this.#handOver(this.#waiting);
    else if (!this.#isReading) void this.#readAll();
  }

  /** Never rejects. */
  async #readAll(): Promise<void> {
    const { clock } = this.#options;
    this.#isReading = true;
    try {
      while (this.#waiting.length > 0) {
        const updates = this.#waiting;
        const [first] = updates;
        const events = await inTime(clock, READ_WITHIN_MS, this.#read(updates), []);
        // Otherwise there were too many meanwhile, and the readers have them already.
        if (this.#waiting[0] === first) this.#handOver(updates, events);
      }
    } finally {
      this.#isReading = false;
    }
  }

  /**
   * The events of each update, after their results are made. Undefined if they could not be read; each reader then
   * tries it.
   */
  async #read(updates: readonly RoomUpdate[]): Promise<ReadonlyArray<readonly RoomEvent[] | undefined>> {
    const events = await Promise.all(
      updates.map((update) =>
        update.entries.length === 0 ? undefined : this.#options.log.eventsOf(update).catch(() => undefined),
      ),
    );
    const [reader] = this.readers;
    const all = events.flatMap((ofUpdate) => ofUpdate ?? []);
    await reader?.results?.prepare(all, this.readers.size);
    return events;
  }

  #handOver(
    updates: readonly RoomUpdate[],
    events: ReadonlyArray<readonly RoomEvent[] | undefined> = [],
  ): void {
    this.#waiting = this.#waiting.slice(updates.length);
    for (const reader of this.readers) {
      for (const [at, update] of updates.entries()) reader.receive(update, events[at]);
    }
  }
}

/** An update without entries counts as one. */
const changesIn = (updates: readonly RoomUpdate[]): number =>
  updates.reduce((sum, { entries }) => sum + Math.max(1, entries.length), 0);
