/** Rows far from the screen keep their place, but not their message: a list may have a million rows. */
import type { ListedRow } from './listed.ts';
import type { RowStore, Rows } from './rowStore.ts';

/** Rows farther than this from the screen have no message. */
export const KEPT = 500;
/** Messages are read again for rows that are nearer than this. */
const NEAR = 150;

/** Which rows are on the screen, by their places in the list. */
export interface OnScreen {
  readonly first: number;
  readonly last: number;
}

/** Unloads the messages of the rows that are farther from the screen than this many rows. */
export function unloadFar(rows: RowStore<ListedRow>, { first, last }: OnScreen, kept = KEPT): void {
  rows.replaceOutside(first - kept, last + kept, (row) => (row.isUnloaded ? row : withoutMessage(row)));
}

/** Unloads the messages of some rows, wherever they are. */
export function unloadWhere(rows: RowStore<ListedRow>, isMeant: (row: ListedRow) => boolean): void {
  const changes = new Map<number, ListedRow>();
  let place = 0;
  for (const row of rows.get()) {
    if (!row.isUnloaded && isMeant(row)) changes.set(place, withoutMessage(row));
    place++;
  }
  rows.replace(changes);
}

function withoutMessage(row: ListedRow): ListedRow {
  const saved = row.saved && { ...row.saved, message: null };
  // The mark of a saved message is that saved message, with its message.
  return { ...row, message: null, isUnloaded: true, saved, mark: saved ?? row.mark };
}

/** The keys of the rows near the screen whose messages were unloaded, at most `most`. */
export const unloadedNear = (
  rows: Rows<ListedRow>,
  { first, last }: OnScreen,
  most: number,
): readonly string[] =>
  rows
    .slice(first - NEAR, last + NEAR + 1)
    .flatMap(({ key, isUnloaded }) => (isUnloaded ? [key] : []))
    .slice(0, most);

/** Shows the messages that were read again. What the viewer may not see any more has none. */
export function restore(
  rows: RowStore<ListedRow>,
  keys: readonly string[],
  found: ReadonlyMap<string, ListedRow>,
): void {
  const changes = new Map<number, ListedRow>();
  for (const key of keys) {
    const place = rows.find(key);
    const row = rows.get().at(place);
    if (row?.isUnloaded) changes.set(place, newerOf(row, found.get(key)));
  }
  rows.replace(changes);
}

/** Shows rows that were read again, unless they have changed meanwhile. `before`: as they were shown. */
export function renew(
  rows: RowStore<ListedRow>,
  before: readonly ListedRow[],
  found: ReadonlyMap<string, ListedRow>,
): void {
  const changes = new Map<number, ListedRow>();
  for (const row of before) {
    const place = rows.find(row.key);
    if (rows.get().at(place) === row) changes.set(place, newerOf(withoutMessage(row), found.get(row.key)));
  }
  rows.replace(changes);
}

/** The viewer may have changed a row while it was read. */
function newerOf(row: ListedRow, found: ListedRow | undefined): ListedRow {
  if (found === undefined) return { ...row, isUnloaded: false };
  const { saved } = row;
  const sentAt = found.sentAt ?? row.sentAt;
  if (saved === null || (saved.version ?? 0) <= (found.saved?.version ?? 0)) return { ...found, sentAt };
  return { ...found, sentAt, saved: { ...saved, message: found.message }, mark: row.mark };
}
