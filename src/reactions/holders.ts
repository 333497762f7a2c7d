import type { Dynamo } from '../dynamo/dynamo.ts';
import { keyOf, keys, likers as likersIndex, parseKey, ranges } from '../dynamo/keys.ts';
import { type Message, messageOf } from '../messages/message.ts';
import { likeCountOf } from './likes/like.ts';
import { stampCountsOf, toMessageStamp } from './stamps/stamp.ts';

/** If a message has more, they are read for each reader. With the message they fit into one batch. */
const HOLDERS_MAX = 99;
/** For fewer readers, their own reactions fit into one or two batches. */
const READERS_MIN = 50;
/** How often it is tried while users go on liking the message. */
const ATTEMPTS = 2;

export type ReactionHolders = ReturnType<typeof createReactionHolders>;

/**
 * The users who have reacted to a message, read once for all readers of an event: one or two requests instead of a
 * key for each reader. What they return is exact or undefined, so that it may decide what a reader is shown. It is
 * undefined if it costs less to read each reader's own: if there are few readers, or more reactions than readers.
 */
export function createReactionHolders({ dynamo }: { readonly dynamo: Dynamo }) {
  /**
   * The index only names users, because it lags: their likes are read from the table, together with the message. If
   * their number is the message's `likeCount`, and its `rev` has not changed, they are complete. Every like and unlike
   * raises `rev`, and a like that is given again has another time.
   */
  async function readLikers(message: Message, readers: number): Promise<ReadonlySet<string> | undefined> {
    let before = message;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const count = likeCountOf(before);
      if (count === 0) return new Set();
      if (!isWorthReading(count, readers)) return undefined;
      const named = await dynamo.queryIndex(likersIndex.pk(message), { limit: count, reverse: true });
      const likes = named.items.map(({ gsi1sk }) => likersIndex.parts(gsi1sk as string));
      const [item, ...found] = await dynamo.batchGet([
        keys.message(message.room, message.t, message.c),
        ...likes.map(({ user }) => keys.like(user, message)),
      ]);
      if (item === undefined) return undefined;
      const now = messageOf(message, item);
      const users = likes.filter(({ at }, i) => found[i]?.at === at).map(({ user }) => user);
      if (now.rev === before.rev && users.length === count) return new Set(users);
      before = now;
    }
    return undefined;
  }

  /** By the stamp's key. One query: the stamps are under their message. */
  async function readStampers(message: Message, readers: number): Promise<StampHolders | undefined> {
    const total = Object.values(stampCountsOf(message)).reduce((sum, count) => sum + count, 0);
    if (!isWorthReading(total, readers)) return undefined;
    const { room, t, c } = message;
    const { items: found, more } = await dynamo.query(ranges.stamps(room, t, c), { limit: HOLDERS_MAX });
    if (more) return undefined;
    const holders = new Map<string, Set<string>>();
    for (const item of found) {
      const key = parseKey(keyOf(item));
      if (key.type !== 'stamp') continue;
      const { user, stampKey } = toMessageStamp(key, item);
      holders.set(stampKey, (holders.get(stampKey) ?? new Set()).add(user));
    }
    return holders;
  }

  const stampers = oncePer(readStampers);

  return {
    likers: oncePer(readLikers),
    async stampers({ message, stampKey }: StampOfMessage, readers: number) {
      const holders = await stampers(message, readers);
      return holders === undefined ? undefined : (holders.get(stampKey) ?? NONE);
    },
  };
}

const isWorthReading = (count: number, readers: number): boolean =>
  readers >= READERS_MIN && count <= Math.min(readers, HOLDERS_MAX);

interface StampOfMessage {
  readonly message: Message;
  readonly stampKey: string;
}

type StampHolders = ReadonlyMap<string, ReadonlySet<string>>;

const NONE: ReadonlySet<string> = new Set();

/** One reading for each message that was read: the readers of an event have the same object. */
function oncePer<T>(read: (message: Message, readers: number) => Promise<T>): typeof read {
  const readings = new WeakMap<Message, Promise<T>>();
  return (message, readers) => {
    const reading = readings.get(message) ?? read(message, readers);
    readings.set(message, reading);
    return reading;
  };
}

declare module '../graphql/context.ts' {
  interface Services {
    readonly reactionHolders: ReactionHolders;
  }
}
