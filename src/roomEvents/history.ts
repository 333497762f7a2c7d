import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Item } from '../dynamo/item.ts';
import { type Key, keys, ranges } from '../dynamo/keys.ts';
import { messageOf } from '../messages/message.ts';
import { counterOf, memberOf } from '../rooms/room.ts';
import type { LogEntry, RoomUpdate } from './event.ts';
import type { RoomEvent } from './occurrence.ts';
import { createSharedSource } from './sharedSource.ts';

/** More missed changes than this are not told one by one. */
const REPLAY_MAX = 1_000;

export interface Numbered {
  readonly number: number;
  readonly entry: LogEntry;
}

export type History = ReturnType<typeof createHistory>;

export interface HistoryOptions {
  readonly dynamo: Dynamo;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** Reads a room's log, and the things as they are now that its entries name. */
export function createHistory({ dynamo, now = Date.now }: HistoryOptions) {
  /** The number of the room's last change, at this moment. */
  async function lastNumber(room: string): Promise<number> {
    const item = await dynamo.get(keys.counter(room));
    return item === undefined ? 0 : counterOf(item).changeCount;
  }

  /**
   * The changes numbered `from` to `to`, without a hole; null where the log cannot tell: it does not have them
   * all any more, a gap was left between them, or there are more than REPLAY_MAX. One query (an item holds up
   * to 50 entries).
   */
  async function changes(room: string, from: number, to: number): Promise<Numbered[] | null> {
    if (to < from) return [];
    if (to - from >= REPLAY_MAX) return null;
    const { items } = await dynamo.query(ranges.log(room, from, to), { limit: REPLAY_MAX });
    const found = items.flatMap(numbered).filter(({ number }) => number >= from && number <= to);
    return found.length === to - from + 1 ? found : null;
  }

  function numbered(item: Item): Numbered[] {
    // Items past their time may linger for days; what is gone for one reader is gone for all.
    if ((item.expiresAt as number) < now() / 1000) return [];
    const entries = item.entries as LogEntry[];
    const last = Number(item.sk);
    return entries.map((entry, i) => ({ number: last - entries.length + 1 + i, entry }));
  }

  /** What the changes have made of the things they name, as these are now. One batch of reads for up to 100. */
  async function occurrences(room: string, list: readonly Numbered[]): Promise<RoomEvent[]> {
    const items = await read(
      room,
      list.map(({ entry }) => entry),
    );
    const source = createSharedSource(dynamo);
    return list.flatMap((change) => occurrence(room, change, items)).map((one) => ({ ...one, source }));
  }

  /** An event is read once for all readers of this server who get it. */
  const shared = new WeakMap<RoomUpdate, Promise<RoomEvent[]>>();

  function occurrencesOf(event: RoomUpdate): Promise<RoomEvent[]> {
    const known = shared.get(event);
    if (known !== undefined) return known;
    const { room, entries, changeCount } = event;
    const list = entries.map((entry, i) => ({ number: changeCount - entries.length + 1 + i, entry }));
    const reading = occurrences(room, news(list));
    shared.set(event, reading);
    // A failed reading is not shared with who comes later.
    reading.catch(() => shared.delete(event));
    return reading;
  }

  async function read(room: string, entries: readonly LogEntry[]): Promise<Map<string, Item | undefined>> {
    const wanted = entries.flatMap((entry) => keyOf(room, entry) ?? []);
    const items = await dynamo.batchGet(wanted);
    return new Map(wanted.map(({ sk }, i) => [sk, items[i]]));
  }

  return { lastNumber, changes, occurrences, occurrencesOf };
}

function keyOf(room: string, entry: LogEntry): Key | undefined {
  if (entry.type === 'message') return keys.message(room, entry.t, entry.c);
  return entry.type === 'member' ? keys.member(room, entry.user) : undefined;
}

function occurrence(
  room: string,
  { number, entry }: Numbered,
  items: Map<string, Item | undefined>,
): RoomEvent[] {
  const at = { room, cursor: number };
  const key = keyOf(room, entry);
  const item = key === undefined ? undefined : items.get(key.sk);
  switch (entry.type) {
    case 'room':
      return [{ ...at, type: 'RoomChanged' }];
    case 'member': {
      const member = item === undefined ? null : memberOf(room, entry.user, item);
      return [{ ...at, type: 'MembershipChanged', user: entry.user, member }];
    }
    case 'message': {
      if (item === undefined) return [];
      const message = messageOf({ room, t: entry.t, c: entry.c }, item);
      return [{ ...at, type: entry.added === true ? 'MessageAdded' : 'MessageChanged', message }];
    }
  }
}

/**
 * What is worth telling of a stretch of the log: a message is told as it is now, so of its changes in the
 * stretch only the last says anything that its creation has not said. (The reader may see some twice.)
 */
export function news(changes: readonly Numbered[]): Numbered[] {
  const lastChange = new Map<string, number>();
  for (const { number, entry } of changes) {
    if (entry.type === 'message' && entry.added === undefined) {
      lastChange.set(`${entry.t}:${entry.c}`, number);
    }
  }
  return changes.filter(
    ({ number, entry }) =>
      entry.type !== 'message' ||
      entry.added !== undefined ||
      lastChange.get(`${entry.t}:${entry.c}`) === number,
  );
}
