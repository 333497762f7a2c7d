import type { Outgoing } from '../composer/outbox.ts';
import type { Message } from './message.ts';

/** What a list of messages is made of, from the oldest to the newest. */
export type Row = StartRow | MessageRow | OutgoingRow;

/** Where the list begins. */
export interface StartRow {
  readonly kind: 'start';
  readonly key: string;
}

export interface MessageRow extends Placed {
  readonly kind: 'message';
  readonly message: Message;
}

export interface OutgoingRow extends Placed {
  readonly kind: 'outgoing';
  readonly outgoing: Outgoing;
}

interface Placed {
  readonly key: string;
  /** It stands under the name of the one above. */
  readonly compact: boolean;
  /** The day that begins with it: RFC 3339. */
  readonly day: string | undefined;
  /** The line above the first unread message is above it. */
  readonly unread: boolean;
}

export interface RowsOf {
  readonly messages: readonly Message[];
  /** Their place is after the newest; where that is not loaded, `Unsent` shows them below the list. */
  readonly outgoing: readonly Outgoing[];
  readonly viewerId: string;
  readonly hasOlder: boolean;
  readonly hasNewer: boolean;
  readonly firstUnread?: string | undefined;
}

/** Within this time somebody's messages stand under one name. */
const TOGETHER_MS = 5 * 60_000;

interface Before {
  readonly authorId: string;
  readonly at: string;
}

/**
 * How a row looks depends on the one before it, so the oldest message that is loaded only tells that for the
 * next: it is shown itself once the one before it is known. No row changes its height when older ones come.
 */
export function rowsOf({ messages, outgoing, viewerId, hasOlder, hasNewer, firstUnread }: RowsOf): Row[] {
  let before: Before | undefined;
  const place = (key: string, authorId: string, at: string): Placed => {
    const day = before === undefined || !isSameDay(before.at, at) ? at : undefined;
    const unread = key === firstUnread;
    const isNear = before?.authorId === authorId && Date.parse(at) - Date.parse(before.at) < TOGETHER_MS;
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
const isSameDay = (one: string, other: string) => dayOf(one) === dayOf(other);
