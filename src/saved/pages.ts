import type { Dynamo } from '../dynamo/dynamo.ts';
import type { ItemLoader } from '../dynamo/itemLoader.ts';
import { type Key, keys } from '../dynamo/keys.ts';
import type { PageRead, PageRequest } from '../graphql/connections.ts';
import { isMember } from '../rooms/access.ts';
import { entryOf, type SavedEntry } from './entry.ts';
import { readRows, type SavedQuery, type SavedRow } from './rows.ts';

/** A saved message in a list, with its position there. */
export type ListedEntry = SavedEntry & { readonly position: string };

/** Of a list that leaves rows out, at most this many are read for a page. */
export const EXAMINED_MAX = 500;
/** How many of them at first. */
const EXAMINED_AT_FIRST = 100;

/**
 * A page of a user's list for the user themselves. Two round trips, however long the list is: its rows, then what they
 * name. Only a list with other tags leaves rows out: it may read rows twice, EXAMINED_MAX at most, and the page may be
 * short although there are more. A row whose entry has changed in the meantime is left out, too.
 */
export async function listSaved(
  dynamo: Dynamo,
  query: SavedQuery,
  page: PageRequest,
  items: ItemLoader,
): Promise<PageRead<ListedEntry>> {
  const { rows, more, end } = await findRows(dynamo, query, page);
  const entries = await Promise.all(rows.map((row) => loadRow(row, query, { viewer: query.user, items })));
  const nodes = entries.filter((entry) => entry !== undefined);
  return { nodes: page.direction === 'forward' ? nodes : nodes.reverse(), more, end };
}

/** The rows of a page, in the direction of reading. `end`: the position of the last that was examined. */
async function findRows(dynamo: Dynamo, query: SavedQuery, { limit, direction, from }: PageRequest) {
  const found: SavedRow[] = [];
  const { others } = query;
  let end: string | undefined;
  for (let examined = 0; ; ) {
    const most = examined === 0 ? Math.max(limit, EXAMINED_AT_FIRST) : EXAMINED_MAX - examined;
    const { rows, more } = await readRows(dynamo, query, {
      limit: others.length === 0 ? limit : most,
      backward: direction === 'backward',
      from: end ?? from,
    });
    for (const [i, row] of rows.entries()) {
      end = row.position;
      if (others.every((tag) => row.tags.includes(tag))) found.push(row);
      if (found.length === limit) return { rows: found, more: more || i + 1 < rows.length, end };
    }
    examined += rows.length;
    if (!more || examined >= EXAMINED_MAX) return { rows: found, more, end };
  }
}

export interface RowReader {
  readonly viewer: string;
  readonly items: ItemLoader;
}

/**
 * The entry of a row, read together with what a client shows of it: the message, whether the viewer may see that, and the
 * tags. Undefined if the row is not one of the entry any more.
 */
export async function loadRow(
  { key, position, tags }: SavedRow,
  { user, list, others }: SavedQuery,
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
    (list === 'ALL' || (list === 'UNTAGGED' ? entry.tags.length === 0 : entry.tags.includes(list))) &&
    others.every((tag) => entry.tags.includes(tag));
  return isListed ? { ...entry, position } : undefined;
}
