import { unavailable } from '../core/errors.ts';
import type { Timestamp } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { ConditionsFailed, TransactionConflicted } from '../dynamo/errors.ts';
import { keys, LOG_ENTRIES_MAX } from '../dynamo/keys.ts';
import { SCHEMA_VERSION } from '../dynamo/table.ts';
import type { Write } from '../dynamo/write.ts';
import { type Counter, counterOf } from '../rooms/room.ts';
import type { LogEntry, RoomUpdate } from './event.ts';
import { isLogged, type Logged, loggedOf, marked, type Source } from './logged.ts';

/** A change of a room, on its way into the log. */
export interface Pending {
  readonly entry: LogEntry;
  /** The stream record it comes from, where the shard is known. A repair has none. */
  readonly source?: Source;
}

/** One transaction: these roots' positions, one log item, the counter. Far below DynamoDB's 100 items and 4 MB. */
const ROOTS_MAX = 25;
/** Somebody else appended in between: read again and go on from there. */
const ATTEMPTS = 50;
/** Others write these roots (replies, likes): after this many conflicts the batch is halved. */
const CONFLICTS = 4;
const LOG_S = 30 * 24 * 3600;

export interface RoomLogOptions {
  readonly dynamo: Dynamo;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

export type RoomLog = ReturnType<typeof createRoomLog>;

/**
 * The numbered log of each room, and the positions of its thread roots.
 *
 * Both are derived from the stream, which tells everything at least once. What makes it exactly once is
 * that the counter keeps, by shard, the last record that is in the log (see `logged.ts`), and that log,
 * positions and counter change in one transaction, conditioned on the counter they were made from: two
 * consumers that both believe they own a shard cannot both append. A change without a source is entered each
 * time it is told. No root gets a second position in any case, for that is a condition of its own.
 */
export function createRoomLog({ dynamo, now = Date.now }: RoomLogOptions) {
  /**
   * Appends what is not in the log yet, in the order given. Resolves to one event per transaction made; to
   * one event without entries when everything was there already (it may not have been published, though).
   */
  async function append(room: string, pending: readonly Pending[]): Promise<RoomUpdate[]> {
    const events: RoomUpdate[] = [];
    let rest: readonly Pending[] = pending;
    let most = LOG_ENTRIES_MAX;
    /**
     * Roots that have a position although their record is not in the log (a repair was here), and, with null,
     * those that are not there at all.
     */
    const positioned = new Map<Timestamp, number | null>();
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const state = await dynamo.get(keys.counter(room));
      // The room is gone, or from before its counter: nobody can be listening.
      if (state === undefined) return events;
      const logged = loggedOf(state);
      rest = rest.filter(({ source }) => source === undefined || !isLogged(logged, source));
      const part = firstPart(rest, most);
      const counter = counterOf(state);
      if (part.length === 0) {
        return events.length > 0 ? events : [eventOf(room, counter, [])];
      }
      const made = transactionOf({ room, part, counter, logged, positioned });
      try {
        await dynamo.transact(made.writes, { attempts: CONFLICTS });
        events.push(eventOf(room, made.after, made.entries));
        rest = rest.slice(part.length);
        attempt = -1;
        if (rest.length === 0) return events;
      } catch (error) {
        if (error instanceof TransactionConflicted && part.length > 1) {
          most = Math.ceil(part.length / 2);
        } else if (error instanceof ConditionsFailed) {
          made.roots.forEach((t, i) => {
            const failed = error.failed[i];
            if (failed === undefined) return;
            // Taken away by hand: nothing that waits for it may wait for ever.
            if (failed.item === undefined) positioned.set(t, null);
            else if (typeof failed.item.position === 'number') positioned.set(t, failed.item.position);
          });
        } else {
          throw error;
        }
      }
    }
    throw unavailable();
  }

  interface Part {
    readonly room: string;
    readonly part: readonly Pending[];
    readonly counter: Counter;
    readonly logged: Logged;
    readonly positioned: ReadonlyMap<Timestamp, number | null>;
  }

  function transactionOf({ room, part, counter, logged, positioned }: Part) {
    let { messageCount } = counter;
    const roots: Timestamp[] = [];
    const positions: Write[] = [];
    const entries = part.map(({ entry }): LogEntry => {
      if (entry.type !== 'message' || entry.added === undefined || entry.t !== entry.c) return entry;
      const known = positioned.get(entry.t);
      if (known === null) return entry;
      if (known !== undefined) return { ...entry, position: known };
      const position = ++messageCount;
      roots.push(entry.t);
      positions.push(positionWrite(room, entry.t, position));
      return { ...entry, position };
    });
    const after: Counter = { ...counter, messageCount, changeCount: counter.changeCount + entries.length };
    const source = part.findLast((change) => change.source !== undefined)?.source;
    const writes: Write[] = [
      ...positions,
      {
        key: keys.counter(room),
        update: 'SET messageCount = :messages, changeCount = :changes, logged = :logged',
        condition: 'changeCount = :before',
        values: {
          ':messages': messageCount,
          ':changes': after.changeCount,
          ':before': counter.changeCount,
          ':logged': source === undefined ? logged : marked(logged, source),
        },
      },
      {
        put: {
          ...keys.log(room, after.changeCount),
          v: SCHEMA_VERSION,
          entries,
          expiresAt: Math.floor(now() / 1000) + LOG_S,
        },
      },
    ];
    return { writes, entries, roots, after };
  }

  /**
   * Leaves out one number of the room's log: for when something has happened in the room that its log will
   * never tell. Who replays the log over the gap, or meets it live, is told to read the room again, and so
   * sees all that had happened by the time the gap was left. Two gaps say no more than one. A room that is
   * not there needs none.
   *
   * Not conditioned on the number before, as an append is: an append that this overtakes is refused, and
   * reads again. A transaction, because it is tried again where it meets an append's.
   */
  async function leaveGap(room: string): Promise<void> {
    const update = 'SET changeCount = changeCount + :one';
    const condition = 'attribute_exists(pk)';
    try {
      await dynamo.transact([{ key: keys.counter(room), update, condition, values: { ':one': 1 } }]);
    } catch (error) {
      if (!(error instanceof ConditionsFailed)) throw error;
    }
  }

  return { append, leaveGap };
}

const positionWrite = (room: string, t: Timestamp, position: number): Write => ({
  key: keys.root(room, t),
  update: 'SET #position = :position, rev = rev + :one',
  condition: 'attribute_exists(pk) AND attribute_not_exists(#position)',
  names: { '#position': 'position' },
  values: { ':position': position, ':one': 1 },
});

/** As much as fits into one transaction, which may touch no item twice. */
function firstPart(pending: readonly Pending[], most: number): readonly Pending[] {
  const roots = new Set<Timestamp>();
  const end = pending.findIndex(({ entry }, i) => {
    const isNewRoot = entry.type === 'message' && entry.added !== undefined && entry.t === entry.c;
    const again = isNewRoot && roots.has(entry.t);
    if (isNewRoot) roots.add(entry.t);
    return i >= most || roots.size > ROOTS_MAX || again;
  });
  return end === -1 ? pending : pending.slice(0, end);
}

const eventOf = (
  room: string,
  { changeCount, messageCount, removals }: Counter,
  entries: readonly LogEntry[],
): RoomUpdate => ({
  room,
  changeCount,
  messageCount,
  removals,
  entries,
});
