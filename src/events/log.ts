import type { Dynamo, Write } from '../dynamo/dynamo.ts';
import { TransactionConflicted, TransactionRefused } from '../dynamo/errors.ts';
import type { Item } from '../dynamo/item.ts';
import { keys, LOG_ENTRIES_MAX, type Stamp } from '../dynamo/keys.ts';
import { SHAPE } from '../dynamo/table.ts';
import { unavailable } from '../errors.ts';
import { type Counter, counterOf } from '../rooms/room.ts';
import type { LogEntry, RoomEvent } from './event.ts';

/** A change of a room, on its way into the log. */
export interface Pending {
  readonly entry: LogEntry;
  /** The stream record it comes from; a repair has none. */
  readonly record?: { readonly stream: string; readonly sequence: string };
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
 * that the counter keeps the sequence number of the last record that is in the log (`logged`), and that
 * log, positions and counter change in one transaction, conditioned on the counter they were made from.
 * All records of a room come from one shard lineage, in ascending order; so a record at or below `logged`
 * is in the log already, and two consumers that both believe they own the shard cannot both append.
 */
export function createRoomLog({ dynamo, now = Date.now }: RoomLogOptions) {
  /**
   * Appends what is not in the log yet, in the order given. Resolves to one event per transaction made; to
   * one event without entries when everything was there already (it may not have been published, though).
   */
  async function append(room: string, pending: readonly Pending[]): Promise<RoomEvent[]> {
    const events: RoomEvent[] = [];
    let rest: readonly Pending[] = pending;
    let most = LOG_ENTRIES_MAX;
    /** Roots that were found to have a position although their record is not in the log: a repair was here. */
    const positioned = new Map<Stamp, number>();
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const state = await dynamo.get(keys.counter(room));
      // The room is gone, or from before its counter: nobody can be listening.
      if (state === undefined) return events;
      rest = rest.filter((change) => !isLogged(change, state));
      const part = firstPart(rest, most);
      const counter = counterOf(state);
      if (part.length === 0) {
        return events.length > 0 ? events : [eventOf(room, counter, [])];
      }
      const made = transactionOf({ room, part, counter, positioned });
      try {
        await dynamo.transact(made.writes, { attempts: CONFLICTS });
        events.push(eventOf(room, made.after, made.entries));
        rest = rest.slice(part.length);
        attempt = -1;
        if (rest.length === 0) return events;
      } catch (error) {
        if (error instanceof TransactionConflicted && part.length > 1) {
          most = Math.ceil(part.length / 2);
        } else if (error instanceof TransactionRefused) {
          made.roots.forEach((t, i) => {
            const position = error.failed[i]?.item?.position;
            if (typeof position === 'number') positioned.set(t, position);
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
    readonly positioned: ReadonlyMap<Stamp, number>;
  }

  function transactionOf({ room, part, counter, positioned }: Part) {
    let { messageCount } = counter;
    const roots: Stamp[] = [];
    const positions: Write[] = [];
    const entries = part.map(({ entry }): LogEntry => {
      if (entry.type !== 'message' || entry.added === undefined || entry.t !== entry.c) return entry;
      const known = positioned.get(entry.t);
      if (known !== undefined) return { ...entry, position: known };
      const position = ++messageCount;
      roots.push(entry.t);
      positions.push(positionWrite(room, entry.t, position));
      return { ...entry, rev: entry.rev + 1, position };
    });
    const after: Counter = { ...counter, messageCount, changeCount: counter.changeCount + entries.length };
    // What has no record proves itself by its conditions; it moves the mark no further.
    const last = part.findLast(({ record }) => record !== undefined)?.record;
    const writes: Write[] = [
      ...positions,
      {
        key: keys.counter(room),
        update:
          'SET messageCount = :messages, changeCount = :changes, logged = :logged, loggedStream = :stream',
        condition: 'changeCount = :before',
        values: {
          ':messages': messageCount,
          ':changes': after.changeCount,
          ':before': counter.changeCount,
          ...(last === undefined ? {} : { ':logged': last.sequence, ':stream': last.stream }),
        },
      },
      {
        put: {
          ...keys.log(room, after.changeCount),
          v: SHAPE,
          entries,
          expiresAt: Math.floor(now() / 1000) + LOG_S,
        },
      },
    ];
    return { writes, entries, roots, after };
  }

  return { append };
}

const positionWrite = (room: string, t: Stamp, position: number): Write => ({
  key: keys.root(room, t),
  update: 'SET #position = :position, rev = rev + :one',
  condition: 'attribute_exists(pk) AND attribute_not_exists(#position)',
  names: { '#position': 'position' },
  values: { ':position': position, ':one': 1 },
});

function isLogged({ record }: Pending, { logged, loggedStream }: Item): boolean {
  if (record === undefined || typeof logged !== 'string' || loggedStream !== record.stream) return false;
  return BigInt(record.sequence) <= BigInt(logged);
}

function firstPart(pending: readonly Pending[], most: number): readonly Pending[] {
  let roots = 0;
  const end = pending.findIndex(({ entry }, i) => {
    if (entry.type === 'message' && entry.added !== undefined && entry.t === entry.c) roots++;
    return i >= most || roots > ROOTS_MAX;
  });
  return end === -1 ? pending : pending.slice(0, end);
}

const eventOf = (
  room: string,
  { changeCount, messageCount, removals }: Counter,
  entries: readonly LogEntry[],
): RoomEvent => ({
  room,
  changeCount,
  messageCount,
  removals,
  entries,
});
