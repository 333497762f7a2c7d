/** What users see of the saved messages of others. */
import { newId } from '../../core/ids.ts';
import { PAGE_MAX } from '../../core/pages.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import type { ItemLoader } from '../../dynamo/itemLoader.ts';
import { keyOf, keys, parseKey, publicTags, ranges, savers } from '../../dynamo/keys.ts';
import { createSystemSecret } from '../../dynamo/systemSecret.ts';
import type { PageRead, PageRequest } from '../../graphql/connections.ts';
import { type CursorCipher, createCursorCipher } from '../../graphql/cursorCipher.ts';
import type { MessageKey } from '../../messages/message.ts';
import { isMember } from '../../rooms/access.ts';
import { MAX_ROOMS } from '../../users/user.ts';
import { isPublic } from '../counts.ts';
import { entryOf } from '../entry.ts';
import { type ListedEntry, loadRow } from '../pages.ts';
import { readRows, SAVED_POSITIONS, type SavedQuery, type SavedRow } from '../rows.ts';
import { type SavedTag, savedTagOf } from '../tag.ts';
import type { TagName } from '../tagName.ts';
import type { ListedTag } from '../tags.ts';
import { endsPage } from './pageEnd.ts';

/** At most this many rows are examined for a page of a public list. */
export const PUBLIC_EXAMINED_MAX = 200;
/**
 * At least this many rows are examined, if the list has them: enough for a page of rows that the viewer may all see.
 */
const PUBLIC_EXAMINED_MIN = PAGE_MAX + 1;
/** How many of the rooms that two users share are looked at, to find one that was not deleted. */
const SHARED_MAX = 50;

/** Between a position and what only makes it different. */
const SALT = '~';
/** The formats of positions in a user's public list of each order. */
export const PUBLIC_POSITIONS = {
  saved: withSalt(SAVED_POSITIONS.saved),
  message: withSalt(SAVED_POSITIONS.message),
};

/** A user's public list, with all messages or with a tag. */
type PublicQuery = Pick<SavedQuery, 'user' | 'by' | 'newestFirst'> & { readonly tag: TagName | undefined };
/** No tag has this id, so the list has no rows and takes the same time: ids have no upper case. */
const NO_TAG = 'NONE';

/** The viewer, and the page that they read. */
export interface PublicPage extends PageRequest {
  readonly viewer: string;
  readonly items: ItemLoader;
}

export type PublicSaved = ReturnType<typeof createPublicSaved>;

export function createPublicSaved({ dynamo }: { readonly dynamo: Dynamo }) {
  const secret = createSystemSecret(dynamo, 'cursors');
  let cipher: CursorCipher | undefined;
  /** The reads of a user's rooms that are under way, so that the fields of one operation share one. */
  const reading = new WeakMap<ItemLoader, Promise<ReadonlySet<string>>>();

  async function readRooms(user: string): Promise<ReadonlySet<string>> {
    const { items } = await dynamo.query(ranges.memberships(user), { limit: MAX_ROOMS });
    const rooms = items.flatMap((item) => {
      const key = parseKey(keyOf(item));
      return key.type === 'membership' ? [key.room] : [];
    });
    return new Set(rooms);
  }

  function roomsOf({ viewer, items }: Pick<PublicPage, 'viewer' | 'items'>): Promise<ReadonlySet<string>> {
    const known = reading.get(items);
    if (known !== undefined) return known;
    const rooms = readRooms(viewer).finally(() => reading.delete(items));
    reading.set(items, rooms);
    return rooms;
  }

  /**
   * A page of what a user has saved publicly: only entries whose message the viewer may see. Two round trips: the rows
   * and the viewer's rooms, then what the rows name and whether the viewer may still see it. A tag is found by its name
   * before that. All rows that the page may examine are read at once, so that its time does not say whether the viewer
   * may see the first of them. One row more than the page is looked for, so a list with fewer than PUBLIC_EXAMINED_MIN
   * rows says nothing about those that the viewer may not see, and a longer one only that there may be more (see
   * `endsPage`).
   */
  async function list({ tag, ...of }: PublicQuery, page: PublicPage): Promise<PageRead<ListedEntry>> {
    const read = (lists: readonly string[]) =>
      readPage({ ...of, visibility: 'PUBLIC', lists, start: undefined }, page);
    if (tag === undefined) return read(['ALL']);
    // Nothing is remembered of it: a tag that is private, or was deleted, would take another time than one that never
    // was.
    const reserved = await page.items.load(keys.savedTagName(of.user, tag.folded));
    return read([(reserved?.tag as string | undefined) ?? NO_TAG]);
  }

  async function readPage(
    query: SavedQuery,
    { viewer, items, ...page }: PublicPage,
  ): Promise<PageRead<ListedEntry>> {
    const from = page.from?.split(SALT)[0];
    const { rows, more, end } = await findRows(query, { ...page, from }, roomsOf({ viewer, items }));
    const entries = await Promise.all(
      rows.map(async (row) => {
        const { room, threadTs, ts } = row.key;
        const [entry, message, isInRoom] = await Promise.all([
          loadRow(row, query, { viewer, items }),
          items.load(keys.message(room, threadTs, ts)),
          isMember(room, viewer, items),
        ]);
        return message !== undefined && isInRoom ? entry : undefined;
      }),
    );
    return { nodes: entries.filter((entry) => entry !== undefined), more, end };
  }

  /** The rows of a page in the viewer's rooms. `end`: the position to continue after, if there may be more. */
  async function findRows(
    query: SavedQuery,
    { limit, from }: Pick<PageRequest, 'limit' | 'from'>,
    viewersRooms: Promise<ReadonlySet<string>>,
  ) {
    const [list = 'ALL'] = query.lists;
    const [key, { rows, more }, rooms] = await Promise.all([
      secret(),
      readRows(dynamo, query, { list, limit: PUBLIC_EXAMINED_MAX, backward: false, from }),
      viewersRooms,
    ]);
    const seen: SavedRow[] = [];
    for (const [i, row] of rows.entries()) {
      if (rooms.has(row.key.room)) seen.push(row);
      if (seen.length > limit) {
        const page = seen.slice(0, limit);
        return { rows: page, more: true, end: page.at(-1)?.position };
      }
      const isLast = !more && i + 1 === rows.length;
      // The viewer may not see the message there: its cursor differs each time, so it does not say whether it is
      // another.
      if (!isLast && isEnough(i + 1, row))
        return { rows: seen, more: true, end: `${row.position}${SALT}${newId()}` };
    }
    return { rows: seen, more: false, end: undefined };

    function isEnough(examined: number, row: SavedRow): boolean {
      if (examined < PUBLIC_EXAMINED_MIN) return false;
      return examined >= PUBLIC_EXAMINED_MAX || endsPage(key, query.user, row.key);
    }
  }

  /** How many users have saved a message publicly. One round trip, shared with those of the page's other messages. */
  async function count({ room, threadTs, ts }: MessageKey, items: ItemLoader): Promise<number> {
    const item = await items.load(keys.saves({ room, threadTs, ts }));
    return (item?.saves as number | undefined) ?? 0;
  }

  /**
   * What users have saved of a message publicly, the last one first, for viewers who may see the message. Two round
   * trips: the index, which lags, and the entries, which decide. The page may be short if some were removed or made
   * private a moment ago.
   */
  async function ofMessage(
    { room, threadTs, ts }: MessageKey,
    { limit, direction, from }: PageRequest,
    items: ItemLoader,
  ): Promise<PageRead<ListedEntry>> {
    const message = { room, threadTs, ts };
    const gsi1pk = savers.pk(message);
    const startKey = (position: string) => ({
      ...keys.saved(savers.user(position), message),
      gsi1pk,
      gsi1sk: position,
    });
    const page = await dynamo.queryIndex(gsi1pk, {
      limit,
      reverse: direction === 'forward',
      ...(from === undefined ? {} : { startKey: startKey(from) }),
    });
    const positions = page.items.map(({ gsi1sk }) => gsi1sk as string);
    const entries = await Promise.all(
      positions.map(async (position) => {
        const key = { user: savers.user(position), ...message };
        const entry = entryOf(key, await items.load(keys.saved(key.user, message)));
        const isListed =
          entry !== undefined && isPublic(entry) && savers.sk(entry.savedAt, key.user) === position;
        return isListed ? { ...entry, position } : undefined;
      }),
    );
    const nodes = entries.filter((entry) => entry !== undefined);
    const { more } = page;
    return { nodes: direction === 'forward' ? nodes : nodes.reverse(), more, end: positions.at(-1) };
  }

  /**
   * The tags of a user's public saved messages, by name, with the number of these messages; empty unless the viewer
   * shares a room with the user. Two round trips: the index, which lags, with the rooms of both; then the tags, and
   * rooms of both.
   */
  async function tags(
    user: string,
    { limit, from, viewer, items }: PublicPage,
  ): Promise<PageRead<ListedTag>> {
    const after = from === undefined ? {} : { between: publicTags.after(from) };
    const [page, others, own] = await Promise.all([
      dynamo.queryIndex(publicTags.pk(user), { limit, ...after }),
      user === viewer ? NO_ROOMS : readRooms(user),
      user === viewer ? NO_ROOMS : roomsOf({ viewer, items }),
    ]);
    const shared = [...own].filter((room) => others.has(room)).slice(0, SHARED_MAX);
    const listed = page.items.map(({ gsi1sk }) => gsi1sk as string);
    const [rooms, found] = await Promise.all([
      Promise.all(shared.map((room) => isMember(room, viewer, items))),
      Promise.all(listed.map((gsi1sk) => publicTagIn(user, gsi1sk, items))),
    ]);
    if (user !== viewer && !rooms.includes(true)) return { nodes: [], more: false };
    const nodes = found.filter((tag) => tag !== undefined);
    const last = listed.at(-1);
    return { nodes, more: page.more, end: last && publicTags.tagName(last) };
  }

  /** Resolves to the key of encrypted cursors. One read in the life of a process. */
  const cursorCipher = async (): Promise<CursorCipher> => {
    cipher ??= createCursorCipher(await secret());
    return cipher;
  };

  return { list, count, ofMessage, tags, cursorCipher };
}

function withSalt(position: RegExp): RegExp {
  return new RegExp(position.source.replace(/\$$/, `(${SALT}[0-9a-z]+)?$`));
}

const NO_ROOMS: ReadonlySet<string> = new Set();

/**
 * The tag of an entry in the index. Its position is its name alone: a tag that others do not see may keep its id, and
 * cursors with the id would say so when they see it again. Undefined if no public message has the tag any more, or if
 * it was renamed.
 */
async function publicTagIn(user: string, gsi1sk: string, items: ItemLoader): Promise<ListedTag | undefined> {
  const [id, position] = [publicTags.tag(gsi1sk), publicTags.tagName(gsi1sk)];
  const tag: SavedTag | undefined = savedTagOf(user, id, await items.load(keys.savedTag(user, id)));
  const isListed = tag !== undefined && tag.publicCount > 0 && tag.name.folded === position;
  return isListed ? { ...tag, position } : undefined;
}
