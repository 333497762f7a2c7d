import { microsOf, type Timestamp, toTimestamp } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { createItemLoader } from '../dynamo/itemLoader.ts';
import { keys, parseKey, ranges } from '../dynamo/keys.ts';
import { type Message, messageOf } from '../messages/message.ts';
import { memberAccess } from '../rooms/access.ts';
import { currentMark, unreadCount } from './readPosition.ts';

/** So many messages are told. */
const EXPLAIN_MAX = 50;
/** How far is looked for them, in pages each way, where the clocks of the servers do not agree. */
const PAGES = 10;
const PAGE = 100;

/** Positions of a room's roots, both ends included. */
interface Wanted {
  readonly from: number;
  readonly to: number;
}

/** A way through the room's roots, from one of them towards newer or older ones. */
interface Way {
  readonly reverse: boolean;
  after: string;
  more: boolean;
}

/** What is behind the number of unread messages. */
export function createExplain({ dynamo }: { readonly dynamo: Dynamo }) {
  /**
   * The first EXPLAIN_MAX unread roots, by position. Positions have no gaps, so it is known which they are and
   * when all are found; they lie right behind what was read last, so one query has them, however long the room
   * is. Where positions and time stamps are not in the same order, because the servers' clocks differ, it is
   * looked further both ways; of a busy room and clocks far apart the answer may then have fewer.
   */
  async function explain(user: string, room: string): Promise<Message[]> {
    const items = createItemLoader(dynamo);
    const { membership, counter } = await memberAccess(room, user, items);
    const mark = await currentMark(membership, items);
    const count = Math.min(EXPLAIN_MAX, unreadCount(counter.messageCount, mark));
    if (count === 0) return [];
    return find(room, membership.readAt, { from: mark.position + 1, to: mark.position + count });
  }

  async function find(room: string, near: Timestamp, { from, to }: Wanted): Promise<Message[]> {
    const found = new Map<number, Message>();
    const count = to - from + 1;
    const newer: Way = { reverse: false, after: keys.root(room, near).sk, more: true };
    const older: Way = {
      reverse: true,
      after: keys.root(room, toTimestamp(microsOf(near) + 1)).sk,
      more: true,
    };

    async function walk(way: Way, limit: number): Promise<void> {
      if (!way.more) return;
      const { reverse, after } = way;
      const { items, more } = await dynamo.query(ranges.roots(room), { limit, reverse, after });
      way.more = more;
      for (const item of items) {
        way.after = item.sk as string;
        const key = parseKey(item as { pk: string; sk: string });
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
