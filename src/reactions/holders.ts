import { LRUCache } from 'lru-cache';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { keyOf, keys, likers as likersIndex, parseKey, ranges } from '../dynamo/keys.ts';
import { type Message, messageId, messageOf } from '../messages/message.ts';
import { likeCountOf } from './likes/like.ts';
import { stampCountsOf, toMessageStamp } from './stamps/stamp.ts';
import { TOTAL_MAX } from './stamps/stamps.ts';

/** If a message has more reactions, they are read for each reader. */
const HOLDERS_MAX = 1_000;
/** For fewer readers, their own reactions fit into one or two batches. */
const READERS_MIN = 50;
/** How often it is tried while users go on liking the message. */
const ATTEMPTS = 3;
/** Of all messages whose likers are remembered: about 10 MB. */
const REMEMBERED_MAX = 100_000;

export type ReactionHolders = ReturnType<typeof createReactionHolders>;

interface KnownLikers {
  /** Of the message when these were its likers. */
  readonly version: number;
  readonly users: ReadonlySet<string>;
}

/**
 * The users who have reacted to a message, read once for all readers of an event: one or two requests instead of a
 * key for each reader. What they return is exact or undefined, so that it may decide what a reader is shown. It is
 * undefined if it costs less to read each reader's own: if there are few readers, or more reactions than readers.
 */
export function createReactionHolders({ dynamo }: { readonly dynamo: Dynamo }) {
  const remembered = new LRUCache<string, KnownLikers>({
    maxSize: REMEMBERED_MAX,
    sizeCalculation: ({ users }) => users.size + 1,
  });

  /**
   * The index only names users, because it lags: their likes are read from the table, together with the message. If
   * their number is the message's `likeCount`, and its `rev` has not changed, they are complete. Every like and unlike
   * raises `rev`, and a like that is given again has another time.
   *
   * If the likers at an earlier `rev` are known, and `likeCount` has risen by the same number as `rev`, then nothing
   * but likes has happened since, and only those are read.
   */
  async function readLikers(message: Message, readers: number): Promise<ReadonlySet<string> | undefined> {
    let before = message;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const { version } = before;
      const count = likeCountOf(before);
      if (count === 0) return NONE;
      const known = knownBefore(before);
      if (known?.version === version) return known.users;
      const added = count - (known?.users.size ?? 0);
      if (!isWorthReading(added, readers)) return undefined;
      const { now, users } = await readNewest(before, added);
      if (now === undefined) return undefined;
      const all = new Set([...(known?.users ?? []), ...users]);
      if (now.version === version && users.length === added && all.size === count) {
        remembered.set(messageId(message), { version, users: all });
        return all;
      }
      before = now;
    }
    return undefined;
  }

  /** The likers at an earlier `rev`, if only likes have happened since. */
  function knownBefore(message: Message): KnownLikers | undefined {
    const known = remembered.get(messageId(message));
    if (known === undefined || known.version > message.version) return undefined;
    return likeCountOf(message) - known.users.size === message.version - known.version ? known : undefined;
  }

  /** The users who gave the newest likes and still like the message, and the message at about the same time. */
  async function readNewest(message: Message, limit: number) {
    const named = await dynamo.queryIndex(likersIndex.pk(message), { limit, reverse: true });
    const likes = named.items.map(({ gsi1sk }) => likersIndex.parts(gsi1sk as string));
    const [item, ...found] = await dynamo.batchGet([
      keys.message(message.room, message.threadTs, message.ts),
      ...likes.map(({ user }) => keys.like(user, message)),
    ]);
    const users = likes.filter(({ at }, i) => found[i]?.at === at).map(({ user }) => user);
    return { now: item === undefined ? undefined : messageOf(message, item), users };
  }

  /** By the stamp's key. One query: the stamps are under their message. */
  async function readStampers(message: Message, readers: number): Promise<StampHolders | undefined> {
    const total = Object.values(stampCountsOf(message)).reduce((sum, count) => sum + count, 0);
    if (!isWorthReading(total, readers)) return undefined;
    const { room, threadTs, ts } = message;
    const { items: found, more } = await dynamo.query(ranges.stamps(room, threadTs, ts), {
      limit: TOTAL_MAX,
    });
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
