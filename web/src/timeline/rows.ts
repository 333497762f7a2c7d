import type { Outgoing } from '../composer/outbox.ts';
import type { Message } from './message.ts';

/** What a list of messages is made of, from the oldest to the newest. */
export type Row =
  | { readonly kind: 'older' | 'newer' | 'start'; readonly key: string }
  | { readonly kind: 'day'; readonly key: string; readonly at: string }
  | { readonly kind: 'unread'; readonly key: string }
  | { readonly kind: 'message'; readonly key: string; readonly message: Message; readonly compact: boolean }
  | {
      readonly kind: 'outgoing';
      readonly key: string;
      readonly outgoing: Outgoing;
      readonly compact: boolean;
    };

export interface RowsOf {
  readonly messages: readonly Message[];
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

export function rowsOf({ messages, outgoing, viewerId, hasOlder, hasNewer, firstUnread }: RowsOf): Row[] {
  const rows: Row[] = [{ kind: hasOlder ? 'older' : 'start', key: 'top' }];
  let before: Before | undefined;
  const isCompact = (authorId: string, at: string) =>
    before !== undefined &&
    before.authorId === authorId &&
    Date.parse(at) - Date.parse(before.at) < TOGETHER_MS;

  for (const message of messages) {
    const { id, createdAt, author } = message;
    if (before === undefined || !isSameDay(before.at, createdAt)) {
      rows.push({ kind: 'day', key: `day ${dayKey(createdAt)}`, at: createdAt });
      before = undefined;
    }
    if (id === firstUnread) {
      rows.push({ kind: 'unread', key: 'unread' });
      before = undefined;
    }
    rows.push({ kind: 'message', key: id, message, compact: isCompact(author.id, createdAt) });
    before = { authorId: author.id, at: createdAt };
  }
  if (hasNewer) return [...rows, { kind: 'newer', key: 'bottom' }];
  for (const one of outgoing) {
    rows.push({ kind: 'outgoing', key: one.key, outgoing: one, compact: isCompact(viewerId, one.at) });
    before = { authorId: viewerId, at: one.at };
  }
  return rows;
}

/** Whether rows came or went at the beginning: then what is on the screen is to stay where it is. */
export function movedAtStart(before: readonly Row[], after: readonly Row[]): boolean {
  const first = firstMessage(before);
  const now = firstMessage(after);
  return first !== undefined && now !== undefined && first !== now;
}

const firstMessage = (rows: readonly Row[]) => rows.find(({ kind }) => kind === 'message')?.key;

const dayKey = (at: string) => new Date(at).toDateString();
const isSameDay = (one: string, other: string) => dayKey(one) === dayKey(other);
