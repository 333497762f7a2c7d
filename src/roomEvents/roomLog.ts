import { DAY_S, secondsOf } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { TransactionConflicted } from '../dynamo/errors.ts';
import type { Item } from '../dynamo/item.ts';
import { keyOf, keys, LOG_ENTRIES_MAX, parseKey, ranges } from '../dynamo/keys.ts';
import type { FailedConditions } from '../dynamo/namedWrites.ts';
import { AGAIN, type Again } from '../dynamo/optimistic.ts';
import { BoundedMap } from '../live/boundedMap.ts';
import { type Counter, counterOf } from '../rooms/room.ts';
import { highWaterMarksOf, isLogged } from './highWaterMarks.ts';
import {
  AppendFindings,
  firstPart,
  isNewRoot,
  type LogState,
  logTransaction,
  type PendingEntry,
  ROOTS_MAX,
} from './logTransaction.ts';
import type { LogEntry, RoomUpdate } from './roomUpdate.ts';

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
    const findings = new AppendFindings();
    let rest: readonly PendingEntry[] = pending;
    let maxEntries = LOG_ENTRIES_MAX;
    let state = remembered.get(room);
    remembered.delete(room);
    /** Whether this append has read or written the state, so it is that of the table. */
    let fresh = false;
    /** Whether other processes write the counter, too. Then the next append has to read it. */
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
      const expiresAt = secondsOf(now()) + LOG_S;
      const transaction = logTransaction({ room, part, state, findings, expiresAt });
      const { writes, entries, marks, after } = transaction;
      if (entries.length + marks.length === 0) {
        rest = rest.slice(part.length);
        return true;
      }
      const isAwaited = state.isFollowed || !part.every(isOfMessage);
      let failed: FailedConditions<typeof writes> | undefined;
      try {
        failed = await dynamo.tryTransact(writes, { attempts: CONFLICTS, isAwaited });
      } catch (error) {
        state = undefined;
        // One change that keeps meeting others is repeated by the dispatcher, for longer.
        if (!(error instanceof TransactionConflicted) || part.length === 1) throw error;
        maxEntries = Math.ceil(part.length / 2);
        return AGAIN;
      }
      if (failed !== undefined) {
        findings.learn(transaction, failed);
        if (failed.counter !== undefined) {
          state = failed.counter.item && stateOf(failed.counter.item);
          fresh = true;
          shared = true;
        }
        return AGAIN;
      }
      if (entries.length > 0) updates.push(updateOf(room, after.counter, entries));
      fresh = true;
      rest = rest.slice(part.length);
      if (!shared) remembered.set(room, after);
      state = after;
      return rest.length > 0 || updates.length === 0;
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

/** Of a message, and nothing that a handler waits for. */
const isOfMessage = (change: PendingEntry): boolean =>
  !('mark' in change) && change.entry.type === 'message' && change.isAwaited === undefined;

const withoutLogged = (
  pending: readonly PendingEntry[],
  state: LogState | undefined,
): readonly PendingEntry[] =>
  pending.filter(
    ({ source }) => source === undefined || state === undefined || !isLogged(state.logged, source),
  );

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
