import type { ListedMessageFragment, ListedSavedFragment } from '../generated/graphql.ts';
import type { SavedMark } from './marks.ts';
import type { RowStore, Rows } from './rowStore.ts';
import { isSameTag } from './tagNames.ts';

export const LISTS = ['all', 'public', 'private', 'untagged', 'reminders', 'liked'] as const;

/** Which list is open: one of these, or those with a tag. */
export type ListName = (typeof LISTS)[number] | { readonly tag: string };

/** A message in a list. `saved`: null if the viewer only likes it. */
export interface ListedRow {
  readonly key: string;
  /** Null if the viewer may not see it any more, and while it is away. */
  readonly message: Readonly<ListedMessageFragment> | null;
  readonly messageId: string | null;
  /** Whether the message was put away, because the row is far from the screen. */
  readonly isAway: boolean;
  readonly saved: Readonly<ListedSavedFragment> | null;
  readonly mark: SavedMark;
}

type Saved = NonNullable<ListedRow['saved']>;

export const rowOf = (saved: Saved): ListedRow => ({
  key: saved.id,
  message: saved.message,
  messageId: saved.message?.id ?? null,
  isAway: false,
  saved,
  mark: saved,
});

export interface ChangedList {
  readonly rows: RowStore<ListedRow>;
  readonly name: ListName;
  /** What was changed or saved. */
  readonly row: ListedRow;
  /** Whether there are rows after these, which are not known. */
  readonly hasMore: boolean;
}

/**
 * Shows the current value of a row: in its place, without it if it does not belong to the list any more, or where it
 * belongs by the order of the list if it is new or has moved. After the known rows, its page will have it.
 */
export function putRow({ rows, name, row, hasMore }: ChangedList): void {
  const at = rows.find(row.key);
  const known = rows.get().at(at)?.saved;
  const { saved } = row;
  if (
    saved !== null &&
    known != null &&
    belongsTo(name, saved) &&
    placeIn(name, known) === placeIn(name, saved)
  ) {
    rows.replace(new Map([[at, row]]));
    return;
  }
  rows.remove(at);
  if (saved === null || !belongsTo(name, saved)) return;
  const place = placeOf(name, saved, rows.get());
  if (place < rows.get().length || !hasMore) rows.insert(place, row);
}

/** Before the first row that comes after it. */
function placeOf(name: ListName, saved: Saved, rows: Rows<ListedRow>): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const other = rows.at(middle)?.saved;
    if (other != null && isBefore(name, saved, other)) high = middle;
    else low = middle + 1;
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

/** Reminders are in the order in which they are due, everything else is in that of saving, newest first. */
const isBefore = (name: ListName, one: Saved, other: Saved): boolean =>
  name === 'reminders'
    ? Date.parse(placeIn(name, one)) < Date.parse(placeIn(name, other))
    : Date.parse(placeIn(name, one)) > Date.parse(placeIn(name, other));

const placeIn = (name: ListName, { savedAt, remindAt }: Saved): string =>
  name === 'reminders' ? (remindAt ?? savedAt) : savedAt;
