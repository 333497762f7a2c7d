import { defined } from '../core/defined.ts';
import { DAY_S, secondsOf, type Timestamp } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { TransactionConflicted } from '../dynamo/errors.ts';
import type { Item } from '../dynamo/item.ts';
import { keyOf, keys, LOG_ENTRIES_MAX, parseKey, ranges } from '../dynamo/keys.ts';
import { AGAIN, type Again } from '../dynamo/optimistic.ts';
import { FIRST_SHAPE } from '../dynamo/shapes.ts';
import type { Write } from '../dynamo/write.ts';
import { BoundedMap } from '../live/boundedMap.ts';
import { type Counter, counterOf } from '../rooms/room.ts';
import { compareSequences } from '../stream/records.ts';
import { MarksPlaced, markWrite, type PlacedMark, type ReadMark } from './readMarks.ts';
import { type LogEntry, type RoomUpdate, storedEntry } from './roomUpdate.ts';

/** A change of a room, on its way into the log; or a member's mark, which only gets a position. */
export type PendingEntry = ({ readonly entry: LogEntry } | { readonly mark: ReadMark }) & {
  /** The stream record that it comes from, if the shard is known. A rebuild has none. */
  readonly source?: StreamPosition;
  /** Set if a handler waits for the position of this root. */
  readonly isAwaited?: true;
};

/**
 * One transaction: the positions of this many roots, one log item, the counter, and at most LOG_ENTRIES_MAX marks:
 * below DynamoDB's 100 items.
 */
const ROOTS_MAX = 25;
/** Replies and likes write these roots as well: after this many conflicts the batch is halved. */
const CONFLICTS = 4;
/** Rooms whose counter is not read before each append. A busy room is always among them. */
const REMEMBERED_MAX = 1_000;
const LOG_S = 30 * DAY_S;

export interface RoomLogOptions {
  readonly dynamo: Dynamo;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Whether a handler does something when messages change a room's counter. Default: yes. */
  readonly isFollowed?: (counter: Item) => boolean;
}

export type RoomLog = ReturnType<typeof createRoomLog>;

/**
 * The numbered log of each room, and the positions of its thread roots.
 *
 * Both are derived from the stream, which delivers every record at least once. It becomes exactly once because the
 * counter keeps, for each shard, the last record that is in the log (`HighWaterMarks`), and because log, positions and
 * counter change in one transaction, on the condition that the counter is the one they were made from: two consumers
 * that both believe they own a shard cannot both append. A change without a source is entered each time it arrives.
 * No root ever gets a second position, because that is a condition of its own, and no mark is replaced twice.
 */
export function createRoomLog({ dynamo, now = Date.now, isFollowed = () => true }: RoomLogOptions) {
  /** How this process has left rooms' counters, so that the next append need not read them. */
  const remembered = new BoundedMap<string, LogState>(REMEMBERED_MAX);

  const stateOf = (item: Item): LogState => ({
    counter: counterOf(item),
    logged: highWaterMarksOf(item),
    isFollowed: isFollowed(item),
  });

  /**
   * Appends what is not in the log yet, in the given order. Resolves to one update for each transaction; to one
   * without entries if everything was in the log already (it may not have been published). Throws `ContentionError`
   * if other consumers keep appending in between.
   */
  async function append(room: string, pending: readonly PendingEntry[]): Promise<RoomUpdate[]> {
    const updates: RoomUpdate[] = [];
    let rest: readonly PendingEntry[] = pending;
    let maxEntries = LOG_ENTRIES_MAX;
    /**
     * Roots that have a position although their record is not in the log (a rebuild gave it to them), and, with null,
     * those that do not exist.
     */
    const positioned = new Map<Timestamp, number | null>();
    const marksPlaced = new MarksPlaced();

    let state = remembered.get(room);
    remembered.delete(room);
    let fresh = false;
    let shared = false;

    async function read(): Promise<LogState | undefined> {
      const item = await dynamo.get(keys.counter(room));
      fresh = true;
      return item && stateOf(item);
    }

    /** One transaction. Resolves to whether there may be more to append. */
    async function appendPart(): Promise<boolean | Again> {
      state ??= await read();
      rest = withoutLogged(rest, state);
      const part = firstPart(rest, maxEntries);
      // What is published without a transaction must not be older than the change that it is about.
      if (part.length === 0 && updates.length === 0 && !fresh) state = await read();
      // The room does not exist: no one can be subscribed to it.
      if (state === undefined) return false;
      if (part.length === 0) {
        if (updates.length === 0) updates.push(updateOf(room, state.counter, []));
        if (!shared) remembered.set(room, state);
        return false;
      }
      if (part.some(isNewRoot) && state.counter.lastPosition > 0 && state.counter.newestRoot === undefined) {
        state = { ...state, counter: { ...state.counter, ...(await newestPositionedRoot(room)) } };
      }
      const { writes, roots, marks, entries, after } = transactionOf({
        room,
        part,
        state,
        positioned,
        marksPlaced,
      });
      if (entries.length + marks.length === 0) {
        rest = rest.slice(part.length);
        return true;
      }
      try {
        const isAwaited = state.isFollowed || !part.every(isOfMessage);
        const failed = await dynamo.tryTransact(writes, { attempts: CONFLICTS, isAwaited });
        if (failed === undefined) {
          if (entries.length > 0) updates.push(updateOf(room, after.counter, entries));
          fresh = true;
          rest = rest.slice(part.length);
          // If other processes write the counter too, the next append reads it.
          if (!shared) remembered.set(room, after);
          state = after;
          return rest.length > 0 || updates.length === 0;
        }
        if (failed.counter !== undefined) {
          const { item } = failed.counter;
          state = item && stateOf(item);
          fresh = true;
          shared = true;
        }
        marks.forEach((mark, i) => {
          const refused = failed.marks?.[i];
          if (refused !== undefined)
            marksPlaced.failed(mark, refused.item?.readMark, refused.item?.readPosition);
        });
        roots.forEach((root, i) => {
          const position = failed.positions?.[i];
          if (position === undefined) return;
          // The root was deleted by hand. Log it without a position, so that the log continues.
          if (position.item === undefined) positioned.set(root, null);
          else if (typeof position.item.position === 'number') positioned.set(root, position.item.position);
        });
      } catch (error) {
        state = undefined;
        // One change that keeps meeting others is repeated by the dispatcher, for longer.
        if (!(error instanceof TransactionConflicted) || part.length === 1) throw error;
        maxEntries = Math.ceil(part.length / 2);
      }
      return AGAIN;
    }

    for (let more = true; more; ) more = await dynamo.optimistic(appendPart);
    return updates;
  }

  /** The latest root that has a position, if one of the newest has one. Asked once for a room of an earlier release. */
  async function newestPositionedRoot(room: string): Promise<Pick<Counter, 'newestRoot'>> {
    const { items } = await dynamo.query(ranges.roots(room), { limit: ROOTS_MAX, reverse: true });
    const newest = items.find((item) => item.position !== undefined);
    const key = newest === undefined ? undefined : parseKey(keyOf(newest));
    return key?.type === 'root' ? { newestRoot: key.threadTs } : {};
  }

  interface Part {
    readonly room: string;
    readonly part: readonly PendingEntry[];
    readonly state: LogState;
    readonly positioned: ReadonlyMap<Timestamp, number | null>;
    readonly marksPlaced: MarksPlaced;
  }

  function transactionOf({ room, part, state, positioned, marksPlaced }: Part) {
    const { counter, logged } = state;
    let { lastPosition, newestRoot } = counter;
    // Without a root before it, the first one is the newest.
    const isKnown = newestRoot !== undefined || lastPosition === 0;
    const roots: Timestamp[] = [];
    const positions: Write[] = [];
    const placed: PlacedMark[] = [];
    const entryOf = (entry: LogEntry): LogEntry => {
      if (!addsRoot(entry)) return entry;
      const known = positioned.get(entry.threadTs);
      if (known === null) return entry;
      if (isKnown && (newestRoot === undefined || newestRoot < entry.threadTs)) newestRoot = entry.threadTs;
      if (known !== undefined) return { ...entry, position: known };
      const position = ++lastPosition;
      roots.push(entry.threadTs);
      positions.push(positionWrite(room, entry.threadTs, position));
      return { ...entry, position };
    };
    const entries = part.flatMap((change): LogEntry[] => {
      if ('entry' in change) return [entryOf(change.entry)];
      placed.push({ ...change.mark, position: lastPosition });
      return [];
    });
    const marks = marksPlaced.place(placed);
    const markWrites = marks.map((mark) => markWrite(room, mark));
    // The update that is published has the epoch as well: it must not be from before a member has left.
    const unchanged = {
      condition: 'changeCount = :before AND removals = :removals',
      values: { ':before': counter.lastSequence, ':removals': counter.membershipEpoch },
    };
    if (entries.length === 0) {
      const check = { check: keys.counter(room), ...unchanged };
      const writes = { positions, marks: markWrites, counter: check, log: undefined };
      return { writes, entries, roots, marks, after: state };
    }
    const lastSequence = counter.lastSequence + entries.length;
    const newestJoin = newestJoinIn(entries, counter.lastSequence);
    const source = part.findLast((change) => change.source !== undefined)?.source;
    const after: LogState = {
      ...state,
      counter: { ...counter, lastPosition, lastSequence, ...defined({ newestRoot, newestJoin }) },
      logged: source === undefined ? logged : withMark(logged, source),
    };
    const writes = {
      positions,
      marks: markWrites,
      counter: {
        key: keys.counter(room),
        update: `SET messageCount = :messages, changeCount = :changes, logged = :logged${
          newestRoot === undefined ? '' : ', newestRoot = :newest, newestRootOf = :messages'
        }${newestJoin === undefined ? '' : ', newestJoin = :join'}`,
        condition: unchanged.condition,
        values: {
          ':messages': lastPosition,
          ':changes': lastSequence,
          ':logged': after.logged,
          ...unchanged.values,
          ...defined({ ':newest': newestRoot, ':join': newestJoin }),
        },
      },
      log: {
        put: {
          v: FIRST_SHAPE,
          entries: entries.map(storedEntry),
          expiresAt: secondsOf(now()) + LOG_S,
          ...keys.log(room, lastSequence),
        },
      },
    };
    return { writes, entries, roots, marks, after };
  }

  /**
   * Skips one number of the room's log, because something has happened in the room that its log will never have. A
   * subscription that replays the log across the gap, or reaches it live, gets a `ResyncRequired`, so its client reads
   * everything that happened before the gap. Two gaps have the same effect as one. A room that does not exist needs
   * none.
   *
   * Unlike an append it has no condition on the number before: an append that it overtakes fails, and reads again.
   * A transaction, because that is retried if it conflicts with an append's.
   */
  async function leaveGap(room: string): Promise<void> {
    const update = 'SET changeCount = changeCount + :one';
    const condition = 'attribute_exists(pk)';
    const counter = { key: keys.counter(room), update, condition, values: { ':one': 1 } };
    await dynamo.tryTransact({ counter });
  }

  /**
   * Remembers whether the room's counter is followed now. Other writers may have changed that, and no append's
   * condition finds out.
   */
  function learn(room: string, counter: Item): void {
    const state = remembered.get(room);
    const followed = isFollowed(counter);
    if (state !== undefined && state.isFollowed !== followed)
      remembered.set(room, { ...state, isFollowed: followed });
  }

  return { append, leaveGap, learn };
}

const positionWrite = (room: string, threadTs: Timestamp, position: number): Write => ({
  key: keys.root(room, threadTs),
  update: 'SET #position = :position, rev = rev + :one',
  condition: 'attribute_exists(pk) AND attribute_not_exists(#position)',
  names: { '#position': 'position' },
  values: { ':position': position, ':one': 1 },
});

const addsRoot = (entry: LogEntry): entry is Extract<LogEntry, { readonly type: 'message' }> =>
  entry.type === 'message' && entry.added !== undefined && entry.threadTs === entry.ts;

/** `before`: the number of the last change before these. */
function newestJoinIn(entries: readonly LogEntry[], before: number): Counter['newestJoin'] {
  const last = entries.findLastIndex((entry) => entry.type === 'member' && entry.joined !== undefined);
  const entry = entries[last];
  return entry?.type === 'member' && entry.joined !== undefined
    ? { change: before + last + 1, at: entry.joined }
    : undefined;
}

/** Of a message, and nothing that a handler waits for. */
const isOfMessage = (change: PendingEntry): boolean =>
  !('mark' in change) && change.entry.type === 'message' && change.isAwaited === undefined;

const isNewRoot = (change: PendingEntry): boolean => !('mark' in change) && addsRoot(change.entry);

/** As much as fits into one transaction, which may not touch an item twice. */
function firstPart(pending: readonly PendingEntry[], maxEntries: number): readonly PendingEntry[] {
  const roots = new Set<Timestamp>();
  const end = pending.findIndex((change, i) => {
    if (i >= maxEntries) return true;
    if ('mark' in change) return false;
    const { entry } = change;
    const added = addsRoot(entry);
    const again = added && roots.has(entry.threadTs);
    if (added) roots.add(entry.threadTs);
    return roots.size > ROOTS_MAX || again;
  });
  return end === -1 ? pending : pending.slice(0, end);
}

const updateOf = (
  room: string,
  { lastSequence, lastPosition, membershipEpoch }: Counter,
  entries: readonly LogEntry[],
): RoomUpdate => ({
  room,
  lastSequence,
  lastPosition,
  membershipEpoch,
  entries,
});

/** The stream record that a change comes from. */
export interface StreamPosition {
  readonly stream: string;
  readonly shard: string;
  readonly sequence: string;
}

/**
 * For each shard, the last of its records that is in a room's log. Records of one shard arrive in ascending order, so
 * a record that is not higher is in the log already.
 *
 * One mark for the whole room is not enough. Only a small room is on one partition, and so in one shard at a time:
 * DynamoDB splits a large or busy one by sort key. Then its records arrive from several shards that are read side by
 * side, and the mark of the faster one would hide records of the slower one. A child shard begins after all records of
 * its parent, so it does not need the parent's mark.
 */
export type HighWaterMarks = Readonly<Record<string, string>>;

/** If a mark is dropped, a record that is delivered again is only entered again. */
const SHARDS_MAX = 4;

const nameOf = ({ stream, shard }: StreamPosition): string => `${stream} ${shard}`;

/** What a transaction is computed from, and on the condition that it is still so. */
interface LogState {
  readonly counter: Counter;
  readonly logged: HighWaterMarks;
  /** See `RoomLogOptions`. Other writers of the counter may have changed it since: see `learn`. */
  readonly isFollowed: boolean;
}

const withoutLogged = (
  pending: readonly PendingEntry[],
  state: LogState | undefined,
): readonly PendingEntry[] =>
  pending.filter(
    ({ source }) => source === undefined || state === undefined || !isLogged(state.logged, source),
  );

const highWaterMarksOf = ({ logged }: Item): HighWaterMarks =>
  typeof logged === 'object' && logged !== null ? (logged as HighWaterMarks) : {};

function isLogged(logged: HighWaterMarks, source: StreamPosition): boolean {
  const last = logged[nameOf(source)];
  return last !== undefined && compareSequences(source.sequence, last) <= 0;
}

/** Sets the mark of the record's shard, and keeps the SHARDS_MAX - 1 highest marks of other shards. */
function withMark(logged: HighWaterMarks, source: StreamPosition): HighWaterMarks {
  const name = nameOf(source);
  const others = Object.entries(logged)
    .filter(([other]) => other !== name && other.startsWith(`${source.stream} `))
    .sort(([, a], [, b]) => compareSequences(b, a))
    .slice(0, SHARDS_MAX - 1);
  return { ...Object.fromEntries(others), [name]: source.sequence };
}
