import type { Dynamo } from '../dynamo/dynamo.ts';
import type { ItemLoader } from '../dynamo/itemLoader.ts';
import { type Key, keys } from '../dynamo/keys.ts';
import type { PageRead, PageRequest } from '../graphql/connections.ts';
import { isMember } from '../rooms/access.ts';
import { entryOf, type SavedEntry } from './entry.ts';
import { type Rows, readRows, type SavedQuery, type SavedRow } from './rows.ts';

/** A saved message in a list, with its position there. */
export type ListedEntry = SavedEntry & { readonly position: string };

/** Of a list that leaves rows out, at most this many are read for a page. */
export const EXAMINED_MAX = 500;
/** How many of them at first, of each of the tags. */
const EXAMINED_AT_FIRST = 50;

/**
 * A page of a user's list for the user themselves. Two round trips, however long the list is: its rows, then what they
 * name. Only a list of several tags leaves rows out, so the page may be short although there are more. A row whose
 * entry has changed in the meantime is left out, too.
 */
export async function listSaved(
  dynamo: Dynamo,
  query: SavedQuery,
  page: PageRequest,
  items: ItemLoader,
): Promise<PageRead<ListedEntry>> {
  const [list = 'ALL', ...others] = query.lists;
  const { rows, more, end } =
    others.length === 0 ? await rowsOfOne(dynamo, query, list, page) : await rowsOfAll(dynamo, query, page);
  const entries = await Promise.all(rows.map((row) => loadRow(row, query, { viewer: query.user, items })));
  const nodes = entries.filter((entry) => entry !== undefined);
  return { nodes: page.direction === 'forward' ? nodes : nodes.reverse(), more, end };
}

/** Rows in the direction of reading. `end`: the position of the last that was examined. */
interface Found extends Rows {
  readonly end: string | undefined;
}

async function rowsOfOne(
  dynamo: Dynamo,
  query: SavedQuery,
  list: string,
  { limit, direction, from }: PageRequest,
): Promise<Found> {
  const read = await readRows(dynamo, query, { list, limit, backward: direction === 'backward', from });
  return { ...read, end: read.rows.at(-1)?.position };
}

/**
 * The rows that are in all lists of the query. Each list has all of them, in the same order, so all are read at the
 * same time, and the one that reaches the furthest is used: that of the tag that is the rarest there. If it has none,
 * the second round trip is not needed for entries, and examines more rows: up to the first to show, with which the next
 * page begins.
 */
async function rowsOfAll(
  dynamo: Dynamo,
  query: SavedQuery,
  { limit, direction, from }: PageRequest,
): Promise<Found> {
  const backward = direction === 'backward';
  const reverse = query.newestFirst !== backward;
  const first = Math.max(limit, EXAMINED_AT_FIRST);
  const windows = await Promise.all(
    query.lists.map(async (list) => {
      const read = await readRows(dynamo, query, { list, limit: first, backward, from });
      return { list, ...read, end: read.rows.at(-1)?.position };
    }),
  );
  const isFurther = (one: Found, other: Found) =>
    other.more && (!one.more || (one.end ?? '') < (other.end ?? '') === reverse);
  const { list, more, end, rows } = windows.reduce((best, one) => (isFurther(one, best) ? one : best));
  const isListed = (row: SavedRow) => query.lists.every((tag) => row.tags.includes(tag));
  const found = rows.filter(isListed);
  if (found.length > limit)
    return { rows: found.slice(0, limit), more: true, end: found[limit - 1]?.position };
  if (found.length > 0 || !more) return { rows: found, more, end };
  const rest = await readRows(dynamo, query, { list, limit: EXAMINED_MAX - first, backward, from: end });
  const next = rest.rows.findIndex(isListed);
  if (next === -1) return { rows: [], more: rest.more, end: rest.rows.at(-1)?.position ?? end };
  return { rows: [], more: true, end: rest.rows[next - 1]?.position ?? end };
}

export interface RowReader {
  readonly viewer: string;
  readonly items: ItemLoader;
}

/**
 * The entry of a row, read together with what a client shows of it: the message, whether the viewer may see that, and
 * the tags. Undefined if the row is not one of the entry any more.
 */
export async function loadRow(
  { key, position, tags }: SavedRow,
  { user, lists }: SavedQuery,
  { viewer, items }: RowReader,
): Promise<ListedEntry | undefined> {
  const { room, threadTs, ts } = key;
  const [item] = await Promise.all([
    items.load(keys.saved(user, key)),
    items.load(keys.message(room, threadTs, ts)),
    isMember(room, viewer, items),
    items.loadMany(tags.map((tag): Key => keys.savedTag(user, tag))),
  ]);
  const entry = entryOf(key, item);
  const isListed =
    entry !== undefined &&
    entry.savedAt === key.savedAt &&
    // An entry that moved while both lists were read may be in both.
    entry.visibility === key.visibility &&
    lists.every((list) => isIn(list, entry));
  return isListed ? { ...entry, position } : undefined;
}

const isIn = (list: string, { tags }: SavedEntry): boolean =>
  list === 'ALL' || (list === 'UNTAGGED' ? tags.length === 0 : tags.includes(list));
