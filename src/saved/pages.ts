import { defined } from '../core/defined.ts';
import type { Timestamp } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Item } from '../dynamo/item.ts';
import type { ItemLoader } from '../dynamo/itemLoader.ts';
import { type Key, keyOf, keys, parseKey, ranges, savedLists } from '../dynamo/keys.ts';
import type { PageRead } from '../graphql/connections.ts';
import { isMember } from '../rooms/access.ts';
import { entryOf, type SavedEntry, type SavedKey, type SavedVisibility, VISIBILITIES } from './entry.ts';

/** Which saved messages of a user, and in which order. */
export interface SavedQuery {
  readonly user: string;
  /** Absent: both. */
  readonly visibility: SavedVisibility | undefined;
  /** `ALL`, `UNTAGGED`, or the id of a tag. */
  readonly list: string;
  readonly newestFirst: boolean;
  /** The first of the list, in its order: saved at this millisecond, or the next. Absent: the whole list. */
  readonly start: Timestamp | undefined;
}

export interface SavedPage {
  readonly limit: number;
  readonly direction: 'forward' | 'backward';
  /** The position to start after, in the given direction. */
  readonly from: string | undefined;
}

/** A saved message in a list, with its position there. */
export type ListedEntry = SavedEntry & { readonly position: string };

interface Row {
  readonly key: SavedKey & { readonly savedAt: Timestamp };
  readonly position: string;
  readonly tags: readonly string[];
}

/**
 * A page of a user's list for the user themselves, in the order of saving. Two round trips, however long the list is: its
 * rows, then what they name. Both visibilities are two lists, which are read side by side and merged. A row whose entry
 * has changed in the meantime is left out.
 */
export async function listSaved(
  dynamo: Dynamo,
  query: SavedQuery,
  { limit, direction, from }: SavedPage,
  items: ItemLoader,
): Promise<PageRead<ListedEntry>> {
  const { user, visibility, list, newestFirst } = query;
  const reverse = newestFirst === (direction === 'forward');
  const pages = await Promise.all(
    (visibility === undefined ? VISIBILITIES : [visibility]).map((one) =>
      dynamo.query(rangeOf({ user, visibility: one, list }, query), {
        limit,
        reverse,
        ...defined({ after: from }),
      }),
    ),
  );
  const rows = pages
    .flatMap((page) => page.items.flatMap(rowOf))
    .sort((one, other) => (one.position < other.position === reverse ? 1 : -1));
  const shown = rows.slice(0, limit);
  const entries = await Promise.all(shown.map((row) => loadRow(row, query, items)));
  const nodes = entries.filter((entry) => entry !== undefined);
  return {
    nodes: direction === 'forward' ? nodes : nodes.reverse(),
    more: rows.length > limit || pages.some(({ more }) => more),
    end: shown.at(-1)?.position,
  };
}

/** `start` ends a list whose newest come first. */
const rangeOf = (
  list: Parameters<typeof ranges.savedList>[0],
  { newestFirst, start }: Pick<SavedQuery, 'newestFirst' | 'start'>,
) =>
  newestFirst
    ? ranges.savedList(list, '0', start === undefined ? '' : lastOf(start))
    : ranges.savedList(list, start);

/** The last microsecond of a millisecond. */
const lastOf = (start: Timestamp): Timestamp => `${start.slice(0, -3)}999`;

function rowOf(item: Item): Row[] {
  const stored = keyOf(item);
  const key = parseKey(stored);
  if (key.type !== 'savedRow') return [];
  return [{ key, position: stored.sk, tags: savedLists.tags(item.gsi1sk as string) }];
}

/**
 * The entry of a row, read together with what a client shows of it: the message, whether the user may see that, and the
 * tags. Undefined if the row is not one of the entry any more.
 */
async function loadRow(
  { key, position, tags }: Row,
  { user, visibility, list }: SavedQuery,
  items: ItemLoader,
): Promise<ListedEntry | undefined> {
  const { room, threadTs, ts } = key;
  const [item] = await Promise.all([
    items.load(keys.saved(user, key)),
    items.load(keys.message(room, threadTs, ts)),
    isMember(room, user, items),
    items.loadMany(tags.map((tag): Key => keys.savedTag(user, tag))),
  ]);
  const entry = entryOf(key, item);
  const isListed =
    entry !== undefined &&
    entry.savedAt === key.savedAt &&
    (visibility === undefined || entry.visibility === visibility) &&
    (list === 'ALL' || (list === 'UNTAGGED' ? entry.tags.length === 0 : entry.tags.includes(list)));
  return isListed ? { ...entry, position } : undefined;
}
