/**
 * Reads the rows of a user's lists: a range of the table in the order of saving, one of the index in that of the
 * messages.
 */
import { defined } from '../core/defined.ts';
import type { Timestamp } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Item } from '../dynamo/item.ts';
import { keyOf, parseKey, ranges, type SavedList, savedLists } from '../dynamo/keys.ts';
import { POSITIONS } from '../graphql/connections.ts';
import { type SavedKey, type SavedVisibility, VISIBILITIES } from './entry.ts';

/** The format of a position in a list of each order. */
export const SAVED_POSITIONS = {
  saved: POSITIONS.timestampAndMessage,
  message: POSITIONS.timestampAndThread,
} as const;

/** Which saved messages of a user, and in which order. */
export interface SavedQuery {
  readonly user: string;
  /** Absent: both. */
  readonly visibility: SavedVisibility | undefined;
  /** The lists that each of them is in: `ALL`, `UNTAGGED`, or the ids of up to three tags. */
  readonly lists: readonly string[];
  /** The time by which they are sorted: that of saving, or that of the message. */
  readonly by: keyof typeof SAVED_POSITIONS;
  readonly newestFirst: boolean;
  /** The first of the list, in its order: at this millisecond, or the next. Absent: the whole list. */
  readonly start: Timestamp | undefined;
}

export interface SavedRow {
  readonly key: SavedKey & { readonly visibility: string; readonly savedAt: Timestamp };
  readonly position: string;
  /** The ids of the tags; of the index, as they were a moment ago. */
  readonly tags: readonly string[];
}

export interface RowsRead {
  readonly list: string;
  readonly limit: number;
  /** Against the order of the list. */
  readonly backward: boolean;
  /** The position to start after, in the direction of reading. */
  readonly from: string | undefined;
}

export interface Rows {
  /** In the direction of reading. */
  readonly rows: readonly SavedRow[];
  readonly more: boolean;
}

/** One list of a query. One round trip. Both visibilities are two lists, which are read side by side and merged. */
export async function readRows(
  dynamo: Dynamo,
  query: SavedQuery,
  { list, limit, backward, from }: RowsRead,
): Promise<Rows> {
  const reverse = query.newestFirst !== backward;
  const { user, visibility, by } = query;
  const read = by === 'saved' ? inOrderOfSaving : inOrderOfMessages;
  const pages = await Promise.all(
    (visibility === undefined ? VISIBILITIES : [visibility]).map((one) =>
      read(dynamo, { user, visibility: one, list }, { limit, reverse, from, ...boundsOf(query) }),
    ),
  );
  const rows = pages
    .flatMap((page) => page.rows)
    .sort((one, other) => (one.position < other.position === reverse ? 1 : -1));
  return { rows: rows.slice(0, limit), more: rows.length > limit || pages.some(({ more }) => more) };
}

/** A part of one list, from the first to the second time. */
interface Part {
  readonly limit: number;
  readonly reverse: boolean;
  readonly from: string | undefined;
  readonly first: Timestamp | undefined;
  readonly last: Timestamp | undefined;
}

/** `start` ends a list whose newest come first, with the last microsecond of its millisecond. */
const boundsOf = ({ newestFirst, start }: SavedQuery): Pick<Part, 'first' | 'last'> => ({
  first: newestFirst ? undefined : start,
  last: newestFirst && start !== undefined ? `${start.slice(0, -3)}999` : undefined,
});

async function inOrderOfSaving(
  dynamo: Dynamo,
  list: SavedList,
  { limit, reverse, from, first, last }: Part,
): Promise<Rows> {
  const range = ranges.savedList(list, first, last);
  // A cursor can be forged: DynamoDB refuses to begin outside the range.
  if (from !== undefined && (from < range.from || from > range.to)) return { rows: [], more: false };
  const { items, more } = await dynamo.query(range, { limit, reverse, ...defined({ after: from }) });
  return { rows: items.flatMap((item) => rowOf(item, ({ sk }) => sk as string)), more };
}

async function inOrderOfMessages(
  dynamo: Dynamo,
  list: SavedList,
  { limit, reverse, from, first, last }: Part,
): Promise<Rows> {
  const between = savedLists.between({ first, last, after: from, reverse });
  if (between.from > between.to) return { rows: [], more: false };
  const { items, more } = await dynamo.queryIndex(savedLists.pk(list), { limit, reverse, between });
  return {
    rows: items.flatMap((item) => rowOf(item, ({ gsi1sk }) => savedLists.position(gsi1sk as string))),
    more,
  };
}

function rowOf(item: Item, positionOf: (item: Item) => string): SavedRow[] {
  const key = parseKey(keyOf(item));
  if (key.type !== 'savedRow') return [];
  return [{ key, position: positionOf(item), tags: savedLists.tags(item.gsi1sk as string) }];
}
