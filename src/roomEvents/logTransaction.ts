import { defined } from '../core/defined.ts';
import type { Timestamp } from '../core/timestamps.ts';
import { keys } from '../dynamo/keys.ts';
import type { FailedConditions } from '../dynamo/namedWrites.ts';
import { FIRST_SHAPE } from '../dynamo/shapes.ts';
import type { Write } from '../dynamo/write.ts';
import type { Counter } from '../rooms/room.ts';
import { type HighWaterMarks, type StreamPosition, withRecord } from './highWaterMarks.ts';
import { MarksPlaced, markWrite, type PlacedMark, type ReadMark } from './readMarks.ts';
import { type LogEntry, storedEntry } from './roomUpdate.ts';

/** A change of a room, on its way into the log; or a member's mark, which only gets a position. */
export type PendingEntry = ({ readonly entry: LogEntry } | { readonly mark: ReadMark }) & {
  /** The stream record that it comes from, if the shard is known. A rebuild has none. */
  readonly source?: StreamPosition;
  /** Set if a handler waits for the position of this root. */
  readonly isAwaited?: true;
};

/** What a transaction is computed from, and on the condition that it is still so. */
export interface LogState {
  readonly counter: Counter;
  readonly logged: HighWaterMarks;
  /** See `RoomLogOptions`. Other writers of the counter may have changed it since: see `learn`. */
  readonly isFollowed: boolean;
}

/**
 * One transaction: the positions of this many roots, one log item, the counter, and at most LOG_ENTRIES_MAX marks:
 * below DynamoDB's 100 items.
 */
export const ROOTS_MAX = 25;

export interface LogTransaction {
  readonly writes: {
    readonly positions: readonly Write[];
    readonly marks: readonly Write[];
    readonly counter: Write;
    /** Undefined: there are only marks. */
    readonly log: Write | undefined;
  };
  /** The roots that get a position, in the order of `writes.positions`. */
  readonly roots: readonly Timestamp[];
  /** In the order of `writes.marks`. */
  readonly marks: readonly PlacedMark[];
  /** As they will be in the log, with their positions. */
  readonly entries: readonly LogEntry[];
  /** The state that the transaction leaves behind. */
  readonly after: LogState;
}

/** What one append has learned about its roots and marks from its transactions that failed. */
export class AppendFindings {
  /**
   * Roots that have a position although their record is not in the log (a rebuild gave it to them), and, with null,
   * those that do not exist.
   */
  readonly positioned = new Map<Timestamp, number | null>();
  readonly marks = new MarksPlaced();

  learn({ marks, roots }: LogTransaction, failed: FailedConditions<LogTransaction['writes']>): void {
    marks.forEach((mark, i) => {
      const refused = failed.marks?.[i];
      if (refused !== undefined) this.marks.failed(mark, refused.item?.readMark, refused.item?.readPosition);
    });
    roots.forEach((root, i) => {
      const refused = failed.positions?.[i];
      if (refused === undefined) return;
      // The root was deleted by hand. Log it without a position, so that the log continues.
      if (refused.item === undefined) this.positioned.set(root, null);
      else if (typeof refused.item.position === 'number') this.positioned.set(root, refused.item.position);
    });
  }
}

export interface LogPart {
  readonly room: string;
  /** See `firstPart`. */
  readonly part: readonly PendingEntry[];
  readonly state: LogState;
  readonly findings: AppendFindings;
  /** When the log's item expires, in seconds since 1970. */
  readonly expiresAt: number;
}

/**
 * The transaction that appends a part to the log, on the condition that the room's counter is as in `state`. Without
 * entries and marks (all of them were refused before) there is nothing to write.
 */
export function logTransaction({ room, part, state, findings, expiresAt }: LogPart): LogTransaction {
  const { counter, logged } = state;
  const { entries, roots, placed, lastPosition, newestRoot } = numbered(part, counter, findings.positioned);
  const positions = roots.map((root, i) => positionWrite(room, root, counter.lastPosition + 1 + i));
  const marks = findings.marks.place(placed);
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
    logged: source === undefined ? logged : withRecord(logged, source),
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
      put: { v: FIRST_SHAPE, entries: entries.map(storedEntry), expiresAt, ...keys.log(room, lastSequence) },
    },
  };
  return { writes, entries, roots, marks, after };
}

/**
 * Gives the next positions to the part's new roots, in their order, and to each mark that of the last root before it.
 * `roots`: those that get one, without those that have one already (`positioned`).
 */
function numbered(part: readonly PendingEntry[], counter: Counter, positioned: AppendFindings['positioned']) {
  let { lastPosition, newestRoot } = counter;
  // Without a root before it, the first one is the newest.
  const isKnown = newestRoot !== undefined || lastPosition === 0;
  const entries: LogEntry[] = [];
  const roots: Timestamp[] = [];
  const placed: PlacedMark[] = [];
  for (const change of part) {
    if ('mark' in change) {
      placed.push({ ...change.mark, position: lastPosition });
      continue;
    }
    const { entry } = change;
    const found = addsRoot(entry) ? positioned.get(entry.threadTs) : null;
    if (!addsRoot(entry) || found === null) {
      entries.push(entry);
      continue;
    }
    if (isKnown && (newestRoot === undefined || newestRoot < entry.threadTs)) newestRoot = entry.threadTs;
    if (found === undefined) roots.push(entry.threadTs);
    entries.push({ ...entry, position: found ?? ++lastPosition });
  }
  return { entries, roots, placed, lastPosition, newestRoot };
}

/** As much as fits into one transaction, which may not touch an item twice. */
export function firstPart(pending: readonly PendingEntry[], maxEntries: number): readonly PendingEntry[] {
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

const positionWrite = (room: string, threadTs: Timestamp, position: number): Write => ({
  key: keys.root(room, threadTs),
  update: 'SET #position = :position, rev = rev + :one',
  condition: 'attribute_exists(pk) AND attribute_not_exists(#position)',
  names: { '#position': 'position' },
  values: { ':position': position, ':one': 1 },
});

const addsRoot = (entry: LogEntry): entry is Extract<LogEntry, { readonly type: 'message' }> =>
  entry.type === 'message' && entry.added !== undefined && entry.threadTs === entry.ts;

export const isNewRoot = (change: PendingEntry): boolean => !('mark' in change) && addsRoot(change.entry);

/** `before`: the number of the last change before these. */
function newestJoinIn(entries: readonly LogEntry[], before: number): Counter['newestJoin'] {
  const last = entries.findLastIndex((entry) => entry.type === 'member' && entry.joined !== undefined);
  const entry = entries[last];
  return entry?.type === 'member' && entry.joined !== undefined
    ? { change: before + last + 1, at: entry.joined }
    : undefined;
}
