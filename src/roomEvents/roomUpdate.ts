import { type Topic, topic } from '../bus/bus.ts';
import type { Timestamp } from '../core/timestamps.ts';

type MessageEntry = {
  readonly type: 'message';
  readonly threadTs: Timestamp;
  readonly ts: Timestamp;
  /** The message's version after this change. The position, which belongs to the creation, raises it once more. */
  readonly version: number;
  /** Set on the change that created it. */
  readonly added?: true;
  /** Set on the change that gave a root its position, which is the one that created it. */
  readonly position?: number;
  /** The message's author. Published, but not stored; servers of an earlier release do not publish it. */
  readonly author?: string;
  /** The user who made this change. Absent if unknown, or if it was the author. Published, but not stored. */
  readonly actor?: string;
};
type MemberEntry = {
  readonly type: 'member';
  readonly user: string;
  readonly left?: true;
  /** Set if they entered the room: when. */
  readonly joined?: Timestamp;
};
type RoomEntry = { readonly type: 'room'; readonly version: number };

/**
 * One numbered change of a room. It names what changed, not how: a reader looks at the current item, so an entry that
 * arrives twice or late does no harm.
 */
export type LogEntry = MessageEntry | MemberEntry | RoomEntry;

/** An entry as an item of the log stores it: its attributes have short names. */
export type StoredLogEntry =
  | (Omit<MessageEntry, 'threadTs' | 'ts' | 'version' | 'author' | 'actor'> & {
      readonly t: Timestamp;
      readonly c: Timestamp;
      readonly rev: number;
    })
  | MemberEntry
  | (Omit<RoomEntry, 'version'> & { readonly rev: number });

export function storedEntry(entry: LogEntry): StoredLogEntry {
  if (entry.type === 'member') return entry;
  if (entry.type === 'room') return { type: 'room', rev: entry.version };
  const { threadTs, ts, version, author: _, actor: __, ...others } = entry;
  return { t: threadTs, c: ts, rev: version, ...others };
}

export function entryFrom(entry: StoredLogEntry): LogEntry {
  if (entry.type === 'member') return entry;
  if (entry.type === 'room') return { type: 'room', version: entry.rev };
  const { t, c, rev, ...others } = entry;
  return { threadTs: t, ts: c, version: rev, ...others };
}

/**
 * What the consumer publishes about a room, once for each batch of changes: whole values of its counters, of which
 * receivers keep the highest, and the entries that are new.
 */
export type RoomUpdate = {
  readonly room: string;
  /** The number of the last change: everything up to it is stored. */
  readonly lastSequence: number;
  readonly lastPosition: number;
  /** If it is higher than what a server knew, someone has left: it checks its readers before it sends. */
  readonly membershipEpoch: number;
  /** The changes numbered `lastSequence - entries.length + 1` to `lastSequence`. */
  readonly entries: readonly LogEntry[];
  /** The room's own record, if it has changed. */
  readonly record?: { readonly name: string; readonly topic: string | null; readonly version: number };
  /** Its seats, if they have changed. */
  readonly seats?: {
    readonly taken: number;
    readonly capacity: number | null;
    readonly waiting: number;
    readonly version: number;
  };
};

/** Above the epoch of every room that exists: the room was deleted, so all its readers are checked. */
export const ENDED_EPOCH = Number.MAX_SAFE_INTEGER;

/** What is published when a room was deleted. */
export const endedUpdate = (room: string): RoomUpdate => ({
  room,
  lastSequence: 0,
  lastPosition: 0,
  membershipEpoch: ENDED_EPOCH,
  entries: [],
});

export const roomTopic = (room: string): Topic<RoomUpdate> => topic(`room:${room}`);
