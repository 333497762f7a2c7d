import { defined } from '../core/defined.ts';
import type { Timestamp } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Item } from '../dynamo/item.ts';
import { createItemLoader, type ItemLoader } from '../dynamo/itemLoader.ts';
import { type KeyRange, keyOf, keys, parseKey, ranges } from '../dynamo/keys.ts';
import { withStoredBody } from '../messages/longBodies/body.ts';
import { readableBody } from '../messages/mentions.ts';
import { isRoot, type Message, messageOf } from '../messages/message.ts';
import { likesKind } from '../reactions/likes/kind.ts';
import { type MessageStamp, toMessageStamp } from '../reactions/stamps/stamp.ts';
import { countOf } from '../reactions/toggles/reaction.ts';
import { type User, userOf } from '../users/user.ts';

/** A like, with its user. */
export interface LikeEntry {
  readonly user: User;
  readonly at: Timestamp;
}

/** One message or stamp of a room, with its users. `body` has handles in place of mentions' ids. */
export type Entry =
  | {
      readonly type: 'root' | 'reply';
      readonly message: Message;
      readonly body: string | null;
      /** With ids of mentioned users; null if there are none. */
      readonly stored: string | null;
      readonly author: User;
      readonly mentions: readonly User[];
      /** The oldest first. Read when they are asked for, a page at a time. */
      readonly likes: () => AsyncGenerator<LikeEntry, void>;
    }
  | { readonly type: 'stamp'; readonly stamp: MessageStamp; readonly user: User };

export interface EntriesOptions {
  readonly dynamo: Dynamo;
  readonly room: string;
  /** Leaves out what was created later. */
  readonly until: Timestamp;
  readonly pageSize?: number;
}

/** Items in one query, and so in memory for each of the three ranges. */
const PAGE = 500;

/**
 * All of a room in nested order: a root, the stamps on it, then each reply and the stamps on that, then the next
 * root. It merges the room's three ranges, which have the same order, and holds one page of each, however large the
 * room is. Messages that are sent meanwhile are left out by their time, so no reply appears without its root.
 */
export async function* entriesOf(options: EntriesOptions): AsyncGenerator<Entry, void> {
  const { room } = options;
  const sources = [ranges.roots(room), ranges.allReplies(room), ranges.allStamps(room)].map((range) =>
    read(range, options),
  );
  const heads = await Promise.all(sources.map((source) => source.next()));
  for (;;) {
    const first = heads.reduce((least, head, i) => {
      const other = heads[least];
      if (head.done === true) return least;
      return other === undefined || other.done === true || sortKey(head.value) < sortKey(other.value)
        ? i
        : least;
    }, 0);
    const head = heads[first];
    const source = sources[first];
    if (head === undefined || source === undefined || head.done === true) return;
    yield head.value;
    heads[first] = await source.next();
  }
}

/**
 * Sorts by `threadTs`, `ts`, `stampedAt`. An entry without a part comes first. All parts have fixed widths, so text
 * compares right.
 */
const sortKey = (entry: Entry): string =>
  entry.type === 'stamp'
    ? `${entry.stamp.threadTs}#${entry.stamp.ts}#${entry.stamp.stampedAt}`
    : `${entry.message.threadTs}#${entry.message.ts}#`;

async function* read(range: KeyRange, options: EntriesOptions): AsyncGenerator<Entry, void> {
  const { dynamo, pageSize: limit = PAGE } = options;
  let after: string | undefined;
  for (let more = true; more; ) {
    const page = await dynamo.query(range, defined({ limit, after }));
    after = page.items.at(-1)?.sk as string | undefined;
    more = page.more && after !== undefined;
    // The users of a page are read together. Memory holds only those of one page.
    const items = createItemLoader(dynamo);
    yield* (await Promise.all(page.items.map((item) => entryOf(item, { ...options, items })))).flat();
  }
}

interface EntryOptions extends EntriesOptions {
  readonly items: ItemLoader;
}

async function entryOf(item: Record<string, unknown>, options: EntryOptions): Promise<Entry[]> {
  const { until, items } = options;
  const key = parseKey(keyOf(item));
  if (key.type === 'stamp') {
    const stamp = toMessageStamp(key, item);
    return stamp.stampedAt > until
      ? []
      : [{ type: 'stamp', stamp, user: await userOrPlaceholder(stamp.user, items) }];
  }
  if ((key.type !== 'root' && key.type !== 'reply') || key.ts > until) return [];
  // If it was edited since the page was read, all of the line is of the newer version.
  const { message, stored: text } = await withStoredBody(messageOf(key, item), items);
  const [author, mentions, body] = await Promise.all([
    userOrPlaceholder(message.author, items),
    Promise.all(message.mentions.map((user) => userOrPlaceholder(user, items))),
    text === null ? null : readableBody(text, items),
  ]);
  const stored = message.mentions.length === 0 ? null : text;
  const likes = () => likesOf(message, options);
  return [{ type: isRoot(message) ? 'root' : 'reply', message, body, stored, author, mentions, likes }];
}

/** The index names them, and the likes themselves decide: it may still have one that was taken back. */
async function* likesOf(
  message: Message,
  { dynamo, until, pageSize: limit = PAGE }: EntriesOptions,
): AsyncGenerator<LikeEntry, void> {
  if (countOf(likesKind, message) === 0) return;
  const { index, key } = likesKind;
  let startKey: Item | undefined;
  for (let more = true; more; ) {
    const page = await dynamo.queryIndex(index.pk(message), defined({ limit, startKey }));
    startKey = page.items.at(-1);
    more = page.more && startKey !== undefined;
    const named = page.items.map(({ gsi1sk }) => index.parts(gsi1sk as string));
    const items = createItemLoader(dynamo);
    const liked = await items.loadMany(named.map(({ user }) => key(user, message)));
    const current = named.filter(({ at }, i) => liked[i]?.at === at && at <= until);
    yield* await Promise.all(
      current.map(async ({ user, at }) => ({ user: await userOrPlaceholder(user, items), at })),
    );
  }
}

/** A missing profile must not stop the export, so it gets a placeholder name. */
export async function userOrPlaceholder(id: string, items: ItemLoader): Promise<User> {
  const item = (await items.load(keys.user(id))) ?? { displayName: 'Someone' };
  return userOf(id, item);
}
