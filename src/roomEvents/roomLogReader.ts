import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Item } from '../dynamo/item.ts';
import {
  createConsistentLoader,
  createItemLoader,
  type ItemSource,
  type KeptItems,
} from '../dynamo/itemLoader.ts';
import { type Key, keyName, keys, parseKey, ranges } from '../dynamo/keys.ts';
import { lastChangeOf, type MessageChange } from '../messages/lastChange.ts';
import { type Message, messageOf } from '../messages/message.ts';
import { counterOf, type Member, memberOf } from '../rooms/room.ts';
import { entryFrom, type LogEntry, type RoomUpdate, type StoredLogEntry } from './roomUpdate.ts';

/** If more changes than this were missed, the client reads the room again. */
const REPLAY_MAX = 1_000;

/** What a reader of a room receives. `cursor` is the number of the last change that they know of then. */
export type RoomEvent = {
  readonly room: string;
  readonly cursor: number;
  /** Reads what is shown with the event, together for all readers of the same event. */
  readonly source?: ItemSource;
  /** The events that were read together with this one, in order. */
  readonly batch?: readonly RoomEvent[];
} & (
  | { readonly type: 'Synced' | 'ResyncRequired' | 'RoomChanged' }
  | {
      readonly type: 'MessageAdded';
      readonly message: Message;
      /** The span that wrote it, if that is traced. */
      readonly trace?: string;
    }
  | {
      readonly type: 'MessageChanged';
      readonly message: Message;
      /** What led to this version of the message; null if it was more than one change, or is not known. */
      readonly cause: MessageChange | null;
    }
  | { readonly type: 'MembershipChanged'; readonly user: string; readonly member: Member | null }
  | { readonly type: 'TypingChanged'; readonly users: readonly string[] }
);

export interface NumberedEntry {
  readonly number: number;
  readonly entry: LogEntry;
  /** Earlier changes of the same message were left out in favour of this one. */
  readonly combined?: true;
}

export interface FirstSent {
  /** The time of the message, in milliseconds since 1970. */
  readonly at: number;
  readonly ageMs: number;
  readonly trace: string | undefined;
}

export type RoomLogReader = ReturnType<typeof createRoomLogReader>;

export interface RoomLogReaderOptions {
  readonly dynamo: Dynamo;
  /** Keeps the profiles that were read for an event. Absent: the next event reads them again. */
  readonly profiles?: KeptItems | undefined;
  /** Called when a reader is so far behind that they have to read the room again. */
  readonly onBehind?: (() => void) | undefined;
  /** Called when a new message was sent to the first of its readers. */
  readonly onFirstSent?: ((sent: FirstSent) => void) | undefined;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** Reads a room's log, and the current state of the things that its entries name. */
export function createRoomLogReader(options: RoomLogReaderOptions) {
  const { dynamo, profiles, now = Date.now, onFirstSent, onBehind } = options;

  /** The number of the room's last change at this moment. */
  async function lastNumber(room: string): Promise<number> {
    const item = await dynamo.get(keys.counter(room));
    return item === undefined ? 0 : counterOf(item).lastSequence;
  }

  /**
   * The changes numbered `from` to `to`, without a gap. Null if the log does not have all of them: they have expired,
   * a gap was left between them, or there are more than REPLAY_MAX. One query (an item holds up to 50 entries).
   */
  async function changes(room: string, from: number, to: number): Promise<NumberedEntry[] | null> {
    if (to < from) return [];
    if (to - from >= REPLAY_MAX) return null;
    const { items } = await dynamo.query(ranges.log(room, from, to), { limit: REPLAY_MAX });
    const found = items.flatMap(numbered).filter(({ number }) => number >= from && number <= to);
    return found.length === to - from + 1 ? found : null;
  }

  function numbered(item: Item): NumberedEntry[] {
    // DynamoDB may keep expired items for days; what has expired for one reader has expired for all.
    if ((item.expiresAt as number) < now() / 1000) return [];
    return numberedIn(item);
  }

  /**
   * The events of these changes, with the current state of what they name: one round trip. `others` are read at the
   * same time, because readers are probably shown them.
   */
  async function events(
    room: string,
    list: readonly NumberedEntry[],
    others: readonly Key[] = [],
  ): Promise<RoomEvent[]> {
    const wanted = [...list.flatMap(({ entry }) => keyOf(room, entry) ?? []), ...others];
    const found = await createItemLoader(dynamo, profiles).loadMany(wanted);
    const items = new Map(wanted.map((key, i) => [keyName(key), found[i]]));
    const source = createSharedSource(dynamo, { profiles, items });
    const batch: RoomEvent[] = [];
    for (const change of list) {
      for (const event of eventOf(room, change, items)) batch.push({ source, batch, ...event });
    }
    return batch;
  }

  /** The roots of replies, and the profiles that this server does not keep yet: `profiles` keeps what is read. */
  function shownWith(room: string, list: readonly NumberedEntry[]): Key[] {
    const users = profiles === undefined ? [] : new Set(list.flatMap(({ entry }) => usersIn(entry)));
    const roots = new Set(list.flatMap(({ entry }) => (isOfReply(entry) ? [entry.threadTs] : [])));
    return [
      ...[...roots].map((threadTs) => keys.root(room, threadTs)),
      ...[...users].map((user) => keys.user(user)).filter((key) => profiles?.get(key) === undefined),
    ];
  }

  /** Each update is read once for all readers on this server who receive it. */
  const shared = new WeakMap<RoomUpdate, Promise<RoomEvent[]>>();
  /** New messages that no reader on this server has received yet. */
  const unsent = new WeakSet<RoomEvent>();
  let lastSent: RoomEvent | undefined;

  function eventsOf(update: RoomUpdate): Promise<RoomEvent[]> {
    const known = shared.get(update);
    if (known !== undefined) return known;
    const { room, entries, lastSequence } = update;
    const list = entries.map((entry, i) => ({ number: lastSequence - entries.length + 1 + i, entry }));
    const changed = coalesce(list);
    const reading = events(room, changed, shownWith(room, changed)).then((made) => {
      for (const event of made) if (event.type === 'MessageAdded') unsent.add(event);
      return made;
    });
    shared.set(update, reading);
    // A failed reading is not shared with later readers.
    reading.catch(() => shared.delete(update));
    return reading;
  }

  /** Called when an event was sent to a reader. */
  function sent(event: RoomEvent): void {
    // Most of a thousand readers are not the first.
    if (event === lastSent) return;
    lastSent = event;
    if (event.type !== 'MessageAdded' || !unsent.delete(event)) return;
    const at = Number(event.message.ts) / 1_000;
    onFirstSent?.({ at, ageMs: Math.max(0, now() - at), trace: event.trace });
  }

  return { lastNumber, changes, events, eventsOf, sent, behind: () => onBehind?.() };
}

/** The entries of an item of the log. */
export function numberedIn(item: Item): NumberedEntry[] {
  const entries = (item.entries as StoredLogEntry[]).map(entryFrom);
  const last = Number(item.sk);
  return entries.map((entry, i) => ({ number: last - entries.length + 1 + i, entry }));
}

function keyOf(room: string, entry: LogEntry): Key | undefined {
  if (entry.type === 'message') return keys.message(room, entry.threadTs, entry.ts);
  return entry.type === 'member' ? keys.member(room, entry.user) : undefined;
}

const isOfReply = (entry: LogEntry): entry is LogEntry & { readonly type: 'message' } =>
  entry.type === 'message' && entry.ts !== entry.threadTs;

function usersIn(entry: LogEntry): string[] {
  if (entry.type === 'member') return [entry.user];
  return entry.type === 'message' ? [entry.author, entry.actor].filter((user) => user !== undefined) : [];
}

function eventOf(
  room: string,
  { number: cursor, entry, combined }: NumberedEntry,
  items: ReadonlyMap<string, Item | undefined>,
): RoomEvent[] {
  const key = keyOf(room, entry);
  const item = key === undefined ? undefined : items.get(keyName(key));
  switch (entry.type) {
    case 'room':
      return [{ type: 'RoomChanged', room, cursor }];
    case 'member': {
      const member = item === undefined ? null : memberOf(room, entry.user, item);
      return [{ type: 'MembershipChanged', room, cursor, user: entry.user, member }];
    }
    case 'message': {
      if (item === undefined) return [];
      const message = messageOf({ room, threadTs: entry.threadTs, ts: entry.ts }, item);
      if (entry.added === true) {
        const trace = typeof item.trace === 'string' ? { trace: item.trace } : {};
        return [{ type: 'MessageAdded', room, cursor, message, ...trace }];
      }
      // The message may have changed again since this entry: then it is shown as it is after several changes.
      const cause = combined === true || message.version !== entry.version ? null : lastChangeOf(item);
      return [{ type: 'MessageChanged', room, cursor, message, cause }];
    }
  }
}

/**
 * The changes of a stretch of the log that are worth sending. A message is sent in its current state, so of its
 * changes in the stretch only the last one adds anything to its creation. (A reader may receive some twice.)
 */
export function coalesce(changes: readonly NumberedEntry[]): NumberedEntry[] {
  const ofMessage = new Map<string, { count: number; last: number }>();
  for (const { number, entry } of changes) {
    if (entry.type !== 'message' || entry.added !== undefined) continue;
    const name = `${entry.threadTs}:${entry.ts}`;
    ofMessage.set(name, { count: (ofMessage.get(name)?.count ?? 0) + 1, last: number });
  }
  return changes.flatMap((change): NumberedEntry[] => {
    const { number, entry } = change;
    if (entry.type !== 'message' || entry.added !== undefined) return [change];
    const known = ofMessage.get(`${entry.threadTs}:${entry.ts}`);
    if (known?.last !== number) return [];
    return [known.count > 1 ? { ...change, combined: true } : change];
  });
}

/** What is the same for all members of the room: users' profiles and the room's messages. Memberships are not. */
const COMMON = new Set(['user', 'root', 'reply', 'body']);
/**
 * Shown as they were when the event was read: they have versions. Profiles have none, and may have changed since then.
 */
const MESSAGES = new Set(['root', 'reply']);

interface Read {
  readonly profiles: KeptItems | undefined;
  /** What was read for the event, by the names of the keys. */
  readonly items: ReadonlyMap<string, Item | undefined>;
}

/**
 * Reads what the readers of one event show with it. The messages that were read for the event are not read again. The
 * first reader's read of anything else that is common is used for all, so an event costs the table the same for one
 * reader as for a thousand. What depends on the viewer (whether they like it, their membership) is read for each and
 * not kept, but all that is asked for in one turn goes out in one request for each 100 keys.
 */
function createSharedSource(dynamo: ItemSource, { profiles, items }: Read): ItemSource {
  const common = createItemLoader(dynamo, profiles);
  const each = createConsistentLoader(dynamo);
  const load = (key: Key) => {
    const { type } = parseKey(key);
    if (!COMMON.has(type)) return each.load(key);
    return (MESSAGES.has(type) ? items.get(keyName(key)) : undefined) ?? common.load(key);
  };
  return { batchGet: (keys) => Promise.all(keys.map(load)) };
}
