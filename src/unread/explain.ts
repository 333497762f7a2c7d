import { microsOf, type Timestamp, toTimestamp } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { createItemLoader } from '../dynamo/itemLoader.ts';
import { keyOf, keys, parseKey, ranges } from '../dynamo/keys.ts';
import { type Message, messageOf } from '../messages/message.ts';
import { memberAccess } from '../rooms/access.ts';
import { currentReadPosition, unreadCount } from './readPosition.ts';

/** The most messages that it returns. */
const EXPLAIN_MAX = 50;
/** How far it searches in each direction, in pages, if the servers' clocks differ. */
const PAGES = 10;
const PAGE = 100;

/** Positions of a room's roots, both ends included. */
interface Wanted {
  readonly from: number;
  readonly to: number;
}

/** A search through the room's roots, from one of them towards newer or older ones. */
interface Search {
  readonly reverse: boolean;
  after: string;
  more: boolean;
}

/** Lists the messages that the number of unread messages counts. */
export function createExplain({ dynamo }: { readonly dynamo: Dynamo }) {
  /**
   * The first EXPLAIN_MAX unread roots, by position. Positions have no gaps, so the wanted positions are known before
   * the search. They are right after the last root that was read, so one query finds them even in a long room. If the
   * servers' clocks differ, positions and timestamps are not in the same order, and the search continues in both
   * directions. In a busy room whose servers' clocks differ a lot, it may then return fewer roots.
   */
  async function explain(user: string, room: string): Promise<Message[]> {
    const items = createItemLoader(dynamo);
    const { membership, counter } = await memberAccess(room, user, items);
    const current = await currentReadPosition(membership, dynamo);
    const count = Math.min(EXPLAIN_MAX, unreadCount(counter.lastPosition, current));
    if (count === 0) return [];
    return find(room, membership.lastReadTs, { from: current.position + 1, to: current.position + count });
  }

  async function find(room: string, near: Timestamp, { from, to }: Wanted): Promise<Message[]> {
    const found = new Map<number, Message>();
    const count = to - from + 1;
    const newer: Search = { reverse: false, after: keys.root(room, near).sk, more: true };
    const older: Search = {
      reverse: true,
      after: keys.root(room, toTimestamp(microsOf(near) + 1)).sk,
      more: true,
    };

    async function walk(search: Search, limit: number): Promise<void> {
      if (!search.more) return;
      const { reverse, after } = search;
      const { items, more } = await dynamo.query(ranges.roots(room), { limit, reverse, after });
      search.more = more;
      for (const item of items) {
        search.after = item.sk as string;
        const key = parseKey(keyOf(item));
        const position = item.position as number | undefined;
        if (key.type !== 'root' || position === undefined || position < from || position > to) continue;
        found.set(position, messageOf(key, item));
      }
    }

    await walk(newer, count);
    for (let page = 0; page < PAGES && found.size < count && (newer.more || older.more); page++) {
      await Promise.all([walk(newer, PAGE), walk(older, PAGE)]);
    }
    return [...found].sort(([a], [b]) => a - b).map(([, message]) => message);
  }

  return { explain };
}
