import type { Outgoing } from '../composer/outbox.ts';
import type { Message } from './message.ts';

/** A row of a list of messages, which runs from the oldest to the newest. */
export type Row = StartRow | MessageRow | OutgoingRow;

/** The beginning of the list. */
export interface StartRow {
  readonly kind: 'start';
  readonly key: string;
}

export interface MessageRow extends PlacedRow {
  readonly kind: 'message';
  readonly message: Message;
}

export interface OutgoingRow extends PlacedRow {
  readonly kind: 'outgoing';
  readonly outgoing: Outgoing;
}

interface PlacedRow {
  readonly key: string;
  /** Shown without a name, below a row by the same author. */
  readonly compact: boolean;
  /** A time of the day that begins with this row: RFC 3339. */
  readonly day: string | undefined;
  /** Whether the line for the first unread message is above it. */
  readonly unread: boolean;
}

export interface RowsOf {
  readonly messages: readonly Message[];
  /** Shown after the newest message. If that is not loaded, `Unsent` shows them below the list. */
  readonly outgoing: readonly Outgoing[];
  readonly viewerId: string;
  readonly hasOlder: boolean;
  readonly hasNewer: boolean;
  readonly firstUnread?: string | undefined;
}

/** Messages of one author within this time are shown under one name. */
const GROUPED_MS = 5 * 60_000;

interface Before {
  readonly authorId: string;
  readonly at: string;
}

/**
 * How a row looks depends on the message before it. So the oldest loaded message is only used for the next one, and is
 * shown once the message before it is loaded. No row changes its height when older messages are added.
 */
export function rowsOf({ messages, outgoing, viewerId, hasOlder, hasNewer, firstUnread }: RowsOf): Row[] {
  let before: Before | undefined;
  const place = (key: string, authorId: string, at: string): PlacedRow => {
    const day = before === undefined || !isSameDay(before.at, at) ? at : undefined;
    const unread = key === firstUnread;
    const isNear = before?.authorId === authorId && Date.parse(at) - Date.parse(before.at) < GROUPED_MS;
    before = { authorId, at };
    return { key, day, unread, compact: isNear && day === undefined && !unread };
  };

  const shown = messages.map((message): Row => {
    const { id, createdAt, author } = message;
    return { kind: 'message', message, ...place(id, author.id, createdAt) };
  });
  const rows: Row[] = hasOlder ? shown.slice(1) : [{ kind: 'start', key: 'start' }, ...shown];
  if (hasNewer) return rows;
  const waiting = outgoing.map((one): Row => {
    return { kind: 'outgoing', outgoing: one, ...place(one.key, viewerId, one.at) };
  });
  return [...rows, ...waiting];
}

const dayOf = (at: string) => new Date(at).toDateString();
export const isSameDay = (one: string, other: string) => dayOf(one) === dayOf(other);

/**
 * The keys of the rows that are not new to a user who follows the end of the list: those up to the last one on the
 * screen, and those of the last look (`before`). Without a last look, or after a gap, all of them.
 */
export function knownRows(
  before: ReadonlySet<string> | undefined,
  rows: readonly Row[],
  last: number,
): ReadonlySet<string> {
  const known = rows.filter(({ key }, at) => before === undefined || at <= last || before.has(key));
  return new Set(known.map(({ key }) => key));
}

/**
 * The rows above the first one on the screen that have come since the last look, while the user followed the end:
 * faster than the screen shows them, or among those above it, because their servers had the earlier times. Not those
 * that an older page has added.
 */
export function passedSince(known: ReadonlySet<string>, rows: readonly Row[], first: number): Row[] {
  const oldest = rows.findIndex(({ key }) => known.has(key));
  return oldest === -1 ? [] : rows.slice(oldest, first).filter(({ key }) => !known.has(key));
}
