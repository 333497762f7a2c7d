/** Rows far from the screen keep their place, but not their message: a list may have a million rows. */
import type { ListedRow } from './listed.ts';

/** Rows farther than this from the screen have no message. */
export const KEPT = 500;
/** Messages are read again for rows that are nearer than this. */
const NEAR = 150;

/** Which rows are on the screen, by their places in the list. */
export interface OnScreen {
  readonly first: number;
  readonly last: number;
}

/** The rows without the messages of those that are far from the screen. The same if there are none. */
export function putAway(rows: readonly ListedRow[], { first, last }: OnScreen): readonly ListedRow[] {
  const isFar = (row: ListedRow, at: number) => !row.isAway && (at < first - KEPT || at > last + KEPT);
  if (!rows.some(isFar)) return rows;
  return rows.map((row, at) =>
    isFar(row, at)
      ? { ...row, message: null, saved: row.saved && { ...row.saved, message: null }, isAway: true }
      : row,
  );
}

/** The keys of the rows near the screen whose messages were put away, at most `most`. */
export const awayNear = (
  rows: readonly ListedRow[],
  { first, last }: OnScreen,
  most: number,
): readonly string[] =>
  rows
    .slice(Math.max(0, first - NEAR), last + NEAR + 1)
    .flatMap(({ key, isAway }) => (isAway ? [key] : []))
    .slice(0, most);

/** The rows with the messages that were read again. What the viewer may not see any more has none. */
export function broughtBack(
  rows: readonly ListedRow[],
  keys: readonly string[],
  found: ReadonlyMap<string, ListedRow>,
): readonly ListedRow[] {
  const asked = new Set(keys);
  return rows.map((row) => (row.isAway && asked.has(row.key) ? newerOf(row, found.get(row.key)) : row));
}

/** The viewer may have changed a row while it was read. */
function newerOf(row: ListedRow, found: ListedRow | undefined): ListedRow {
  if (found === undefined) return { ...row, isAway: false };
  const { saved } = row;
  if (saved === null || (saved.version ?? 0) <= (found.saved?.version ?? 0)) return found;
  return { ...found, saved: { ...saved, message: found.message }, mark: row.mark };
}
