import type { ListedMessageFragment, ListedSavedFragment, SavedOrder } from '../generated/graphql.ts';
import type { SavedMark } from './marks.ts';
import type { RowStore, Rows } from './rowStore.ts';
import { isSameTag } from './tagNames.ts';

export const LISTS = ['all', 'public', 'private', 'untagged', 'reminders', 'liked'] as const;

/** Which list is open: one of these, or those with a tag. */
export type ListName = (typeof LISTS)[number] | { readonly tag: string };

/** An open list, as it is shown. */
export interface ListView {
  readonly name: ListName;
  /** Reminders and liked messages have their own. */
  readonly order: SavedOrder;
  /**
   * The time at which the list begins, in the direction of its order, in milliseconds since 1970. Undefined: all of it.
   */
  readonly from: number | undefined;
}

export const wholeList = (name: ListName, order: SavedOrder = 'SAVED_NEWEST'): ListView => ({
  name,
  order,
  from: undefined,
});

/** A message in a list. `saved`: null if the viewer only likes it. */
export interface ListedRow {
  readonly key: string;
  /** Null if the viewer may not see it any more, and while it is unloaded. */
  readonly message: Readonly<ListedMessageFragment> | null;
  readonly messageId: string | null;
  /** When the message was sent, also while the message is unloaded. Null if that is not known. */
  readonly sentAt: string | null;
  /** Whether the message is not loaded any more, because the row is far from the screen. */
  readonly isUnloaded: boolean;
  readonly saved: Readonly<ListedSavedFragment> | null;
  readonly mark: SavedMark;
}

type Saved = NonNullable<ListedRow['saved']>;

export const rowOf = (saved: Saved): ListedRow => ({
  key: saved.id,
  message: saved.message,
  messageId: saved.message?.id ?? null,
  sentAt: saved.message?.createdAt ?? null,
  isUnloaded: false,
  saved,
  mark: saved,
});

export interface ChangedList {
  readonly rows: RowStore<ListedRow>;
  readonly view: ListView;
  /** What was changed or saved. */
  readonly row: ListedRow;
  /** Whether there are rows after these, which are not known. */
  readonly hasMore: boolean;
}

/**
 * Shows the current value of a row: in its place, without it if it does not belong to the list any more, or where it
 * belongs by the order of the list if it is new or has moved. After the known rows, its page will have it.
 */
export function putRow({ rows, view, row, hasMore }: ChangedList): void {
  const at = rows.find(row.key);
  const known = rows.get().at(at);
  const next = { ...row, sentAt: row.sentAt ?? known?.sentAt ?? null };
  const { saved } = next;
  const isListed = saved !== null && belongsTo(view.name, saved);
  if (isListed && known?.saved != null && timeIn(view, known) === timeIn(view, next)) {
    rows.replace(new Map([[at, next]]));
    return;
  }
  rows.remove(at);
  const time = timeIn(view, next);
  // A message that the viewer may not see has no place in the order of messages.
  if (!isListed || time === undefined || (view.from !== undefined && isBefore(view, time, view.from))) return;
  const place = placeOf(view, time, rows.get());
  if (place < rows.get().length || !hasMore) rows.insert(place, next);
}

/** Before the first row that comes after it. */
function placeOf(view: ListView, time: number, rows: Rows<ListedRow>): number {
  const timeAt = (place: number) => {
    const row = rows.at(place);
    return row && timeIn(view, row);
  };
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    // Rows whose time is not known may come before it or after it.
    let known = middle;
    while (known < high && timeAt(known) === undefined) known++;
    const other = known < high ? timeAt(known) : undefined;
    if (other === undefined || isBefore(view, time, other)) high = middle;
    else low = known + 1;
  }
  return low;
}

function belongsTo(name: ListName, { visibility, tags, remindAt }: Saved): boolean {
  if (typeof name === 'object') return tags.some((tag) => isSameTag(tag, name.tag));
  if (name === 'public' || name === 'private') return visibility.toLowerCase() === name;
  if (name === 'untagged') return tags.length === 0;
  if (name === 'reminders') return remindAt !== null;
  return name === 'all';
}

/** Reminders are in the order in which they are due. */
const isAscending = ({ name, order }: ListView): boolean =>
  name === 'reminders' || order === 'SAVED_OLDEST' || order === 'MESSAGE_OLDEST';

const isBefore = (view: ListView, one: number, other: number): boolean =>
  isAscending(view) ? one < other : one > other;

/** The time by which a row is sorted. */
function timeIn({ name, order }: ListView, { saved, sentAt }: ListedRow): number | undefined {
  if (saved === null) return undefined;
  if (name === 'reminders') return Date.parse(saved.remindAt ?? saved.savedAt);
  if (order === 'SAVED_NEWEST' || order === 'SAVED_OLDEST') return Date.parse(saved.savedAt);
  return sentAt === null ? undefined : Date.parse(sentAt);
}
