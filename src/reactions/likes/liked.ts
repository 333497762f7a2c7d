import type { Timestamp } from '../../core/timestamps.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import type { ItemLoader } from '../../dynamo/itemLoader.ts';
import { isId, keyOf, keys, likedList, parseKey, ranges } from '../../dynamo/keys.ts';
import type { PageRequest } from '../../graphql/connections.ts';
import { type Message, type MessageKey, messageOf } from '../../messages/message.ts';
import { accessTo } from '../../rooms/access.ts';

export interface LikedPage extends PageRequest {
  /** Absent: all rooms. */
  readonly room: string | undefined;
}

export interface LikedMessage {
  readonly message: Message;
  /** Its place in the list. */
  readonly position: string;
}

export interface LikedRead {
  readonly nodes: readonly LikedMessage[];
  readonly more: boolean;
  /** The place of the last row that was read, of a page that was read forwards. */
  readonly end: string | undefined;
}

/** A row of the list. */
interface Row {
  readonly key: MessageKey;
  readonly at: Timestamp;
  readonly position: string;
}

/** Messages may be left out: at most this many pages without any message are read. */
const EMPTY_PAGES_MAX = 5;

export type LikedMessages = ReturnType<typeof createLikedMessages>;

/** Reads what a user likes. */
export function createLikedMessages({ dynamo }: { readonly dynamo: Dynamo }) {
  /**
   * A page: of all rooms the newest like first, of one room the oldest message first. Two round trips: the rows, and
   * what decides whether the user still likes each message and may see it. The rows of a room are in the index, which
   * lags. Several pages if no message of the first ones is returned.
   */
  async function list(user: string, page: LikedPage, items: ItemLoader): Promise<LikedRead> {
    if (page.room !== undefined && !isId(page.room)) return { nodes: [], more: false, end: undefined };
    const isForward = page.direction === 'forward';
    let { from } = page;
    for (let empty = 0; ; empty++) {
      const { rows, more } =
        page.room === undefined
          ? await ofAllRooms(user, { ...page, from })
          : await ofRoom(user, page.room, { ...page, from });
      const found = await Promise.all(rows.map((row) => load(user, row, items)));
      const nodes = found.filter((one) => one !== null);
      from = rows.at(-1)?.position ?? from;
      if (nodes.length > 0 || !more || empty >= EMPTY_PAGES_MAX) {
        if (isForward) return { nodes, more, end: from };
        return { nodes: nodes.reverse(), more: more && nodes.length > 0, end: undefined };
      }
    }
  }

  /** Rows in the direction of reading. */
  async function ofAllRooms(user: string, { limit, direction, from }: PageRequest) {
    const { items, more } = await dynamo.query(ranges.liked(user), {
      // The newest like, which is first in the list, has the largest key.
      limit,
      reverse: direction === 'forward',
      ...(from === undefined ? {} : { after: keys.liked(user, ...partsOf(from)).sk }),
    });
    const rows = items.flatMap((item): Row[] => {
      const key = parseKey(keyOf(item));
      if (key.type !== 'liked') return [];
      const { at, room, threadTs, ts } = key;
      return [{ key: { room, threadTs, ts }, at, position: likedPosition(at, { room, threadTs, ts }) }];
    });
    return { rows, more };
  }

  async function ofRoom(user: string, room: string, { limit, direction, from }: PageRequest) {
    const gsi1pk = likedList.pk(user, room);
    const startKey = (position: string) => {
      const { at, ...message } = likedList.parts(position);
      return { ...keys.liked(user, at, { room, ...message }), gsi1pk, gsi1sk: position };
    };
    const { items, more } = await dynamo.queryIndex(gsi1pk, {
      limit,
      reverse: direction === 'backward',
      ...(from === undefined ? {} : { startKey: startKey(from) }),
    });
    const rows = items.map(({ gsi1sk }): Row => {
      const position = gsi1sk as string;
      const { at, threadTs, ts } = likedList.parts(position);
      return { key: { room, threadTs, ts }, at, position };
    });
    return { rows, more };
  }

  /** Null if the user does not like it any more, or may not see it. */
  async function load(user: string, row: Row, items: ItemLoader): Promise<LikedMessage | null> {
    const { key, at, position } = row;
    const { room, threadTs, ts } = key;
    const [access, [like, item]] = await Promise.all([
      accessTo(room, user, items),
      items.loadMany([keys.like(user, key), keys.message(room, threadTs, ts)]),
    ]);
    const isLiked = like?.at === at && item !== undefined && item.deletedAt === undefined;
    return access?.membership == null || !isLiked ? null : { message: messageOf(key, item), position };
  }

  return { list };
}

/** The place of a message in the list of all rooms. */
export const likedPosition = (at: Timestamp, { room, threadTs, ts }: MessageKey): string =>
  [at, room, threadTs, ts].join('#');

function partsOf(position: string): [Timestamp, MessageKey] {
  const [at = '', room = '', threadTs = '', ts = ''] = position.split('#');
  return [at, { room, threadTs, ts }];
}
