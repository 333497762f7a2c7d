import type { Dynamo } from '../../dynamo/dynamo.ts';
import type { Item } from '../../dynamo/item.ts';
import type { ItemLoader } from '../../dynamo/itemLoader.ts';
import { keys, threadList } from '../../dynamo/keys.ts';
import { type Message, messageOf } from '../../messages/message.ts';
import { accessTo } from '../../rooms/access.ts';
import type { Notifications } from '../read/list.ts';
import { type FollowedThread, listedSince, newestListedReply } from './followedThread.ts';

export interface FollowedThreadListOptions {
  readonly dynamo: Dynamo;
  readonly notifications: Pick<Notifications, 'getMany'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface FollowedThreadsPage {
  /** How many entries are read at once, and the most that are returned. */
  readonly limit: number;
  /** The cursor after which the page begins; undefined: the thread with the newest reply. */
  readonly from: string | undefined;
  readonly unreadOnly: boolean;
}

/** The root of a followed thread, with its place in the list. */
export interface ListedThread {
  readonly root: Message;
  readonly cursor: string;
}

export interface FollowedThreadsRead {
  readonly nodes: readonly ListedThread[];
  readonly more: boolean;
  /** The cursor of the last entry that was read, even if it is not in `nodes`: the next page begins after it. */
  readonly end: string | undefined;
}

/** Entries may be left out: at most this many pages without any thread are read. */
const EMPTY_PAGES_MAX = 5;

export type FollowedThreadList = ReturnType<typeof createFollowedThreadList>;

/** Reads the threads that a user follows. */
export function createFollowedThreadList({ dynamo, notifications, now }: FollowedThreadListOptions) {
  /**
   * A page, the newest reply first. Two round trips, and two more with `unreadOnly`: the index, then what decides
   * whether the viewer may see each thread and follows it. The index lags, so it only names the threads. Several pages
   * if no entry of the first ones is returned.
   */
  async function list(
    user: string,
    { limit, from: start, unreadOnly }: FollowedThreadsPage,
    items: ItemLoader,
  ): Promise<FollowedThreadsRead> {
    const since = listedSince(now());
    let from = start;
    for (let empty = 0; ; empty++) {
      const page = await entriesOf(user, { limit, from });
      const listed = page.cursors.filter((cursor) => threadList.parts(cursor).newestReply > since);
      const found = await Promise.all(
        listed.map((cursor, i) => {
          const thread = { user, ...threadList.parts(cursor) };
          // An entry that moves may be in the index twice: the newer one counts, which is first.
          const isFirst = listed.findIndex((other) => isSame(other, cursor)) === i;
          return isFirst ? load(thread, { unreadOnly, cursor }, items) : null;
        }),
      );
      const nodes = found.filter((one) => one !== null);
      const more = page.more && listed.length === page.cursors.length;
      from = listed.at(-1) ?? from;
      if (nodes.length > 0 || !more || empty >= EMPTY_PAGES_MAX) return { nodes, more, end: from };
    }
  }

  async function entriesOf(user: string, { limit, from }: Pick<FollowedThreadsPage, 'limit' | 'from'>) {
    const gsi1pk = threadList.pk(user);
    const { items, more } = await dynamo.queryIndex(gsi1pk, {
      limit,
      reverse: true,
      ...exclusiveStartKey(user, gsi1pk, from),
    });
    return { cursors: items.map((item) => item.gsi1sk as string), more };
  }

  /**
   * A thread as it is in the user's list, or will be when the index has it; null if it is in no list. One round trip.
   * It does not matter whether they have read it.
   */
  async function find(thread: FollowedThread, items: ItemLoader): Promise<ListedThread | null> {
    const found = await load(thread, { unreadOnly: false }, items);
    return found === null || threadList.parts(found.cursor).newestReply <= listedSince(now()) ? null : found;
  }

  /**
   * Null if the thread is not in the user's list, even if the index names it. `cursor`: its place according to the
   * index; absent: the place of its newest reply.
   */
  async function load(
    thread: FollowedThread,
    { unreadOnly, cursor }: { readonly unreadOnly: boolean; readonly cursor?: string },
    items: ItemLoader,
  ): Promise<ListedThread | null> {
    const { user, room, threadTs } = thread;
    const [access, membership, root, follow, isUnread] = await Promise.all([
      accessTo(room, user, items),
      items.load(keys.membership(user, room)),
      items.load(keys.root(room, threadTs)),
      items.load(keys.follow(room, threadTs, user)),
      unreadOnly ? hasUnread(thread, items) : true,
    ]);
    if (access === null || root === undefined || !isUnread) return null;
    const newest = newestListedReply({ user, root, follow, membership });
    if (newest === null) return null;
    return {
      root: messageOf({ room, threadTs, ts: threadTs }, root),
      cursor: cursor ?? threadList.sk(newest, room, threadTs),
    };
  }

  /**
   * Whether the user has an unread REPLY notification of the thread: one that the badge counts. Two round trips, shared
   * with those of the page's other threads.
   */
  async function hasUnread({ user, room, threadTs }: FollowedThread, items: ItemLoader): Promise<boolean> {
    const pointer = await items.load(keys.pointer(user, { kind: 'REPLY', room, threadTs, ts: threadTs }));
    if (pointer === undefined) return false;
    const { notifications: found } = await notifications.getMany(user, [pointer.id as string], items);
    return found.some((one) => one !== null && one.readAt === null);
  }

  return { list, find, hasUnread };
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [threadList.parts(one), threadList.parts(other)];
  return a.room === b.room && a.threadTs === b.threadTs;
}

function exclusiveStartKey(user: string, gsi1pk: string, from: string | undefined): { startKey?: Item } {
  if (from === undefined) return {};
  const { room, threadTs } = threadList.parts(from);
  return { startKey: { ...keys.followedThread(user, room, threadTs), gsi1pk, gsi1sk: from } };
}
