import { LRUCache } from 'lru-cache';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import { keys } from '../../dynamo/keys.ts';
import { type Message, messageId, messageOf } from '../../messages/message.ts';
import { isWorthReading, NO_USERS, oncePerMessage } from '../holders.ts';
import { countOf, type ToggleStorage } from './reaction.ts';

/** How often it is tried while users react to the message. */
const ATTEMPTS = 3;
/** How many users are remembered, of all messages together: about 10 MB. */
const REMEMBERED_MAX = 100_000;

interface KnownReactors {
  /** The message's version when these users had reacted to it. */
  readonly version: number;
  readonly users: ReadonlySet<string>;
}

export interface ToggleHoldersOptions {
  readonly dynamo: Dynamo;
  readonly kind: ToggleStorage;
}

/**
 * The users who have reacted to a message, read once for all subscribers of an event: one or two requests instead of a
 * key for each subscriber. The result is exact or undefined. It is undefined if reading each subscriber's own reaction
 * is cheaper: with few subscribers, or with more reactions than subscribers.
 */
export function createToggleHolders({ dynamo, kind }: ToggleHoldersOptions) {
  const remembered = new LRUCache<string, KnownReactors>({
    maxSize: REMEMBERED_MAX,
    sizeCalculation: ({ users }) => users.size + 1,
  });

  /**
   * The index only names users, because it lags: their reactions are read from the table, together with the message.
   * If their number is the message's count, and its `rev` has not changed, they are complete. Every reaction that is
   * added or removed raises `rev`, and a reaction that is added again has another time.
   *
   * If the users at an earlier `rev` are known, and the count has risen by the same number as `rev`, then nothing
   * but reactions of this kind has happened since, and only those are read.
   */
  async function readHolders(message: Message, readers: number): Promise<ReadonlySet<string> | undefined> {
    let before = message;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const { version } = before;
      const count = countOf(kind, before);
      if (count === 0) return NO_USERS;
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

  /** The users at an earlier `rev`, if only reactions of this kind were added since. */
  function knownBefore(message: Message): KnownReactors | undefined {
    const known = remembered.get(messageId(message));
    if (known === undefined || known.version > message.version) return undefined;
    return countOf(kind, message) - known.users.size === message.version - known.version ? known : undefined;
  }

  /** The users whose reactions are the newest and still exist, and the message at about the same time. */
  async function readNewest(message: Message, limit: number) {
    const named = await dynamo.queryIndex(kind.index.pk(message), { limit, reverse: true });
    const reactions = named.items.map(({ gsi1sk }) => kind.index.parts(gsi1sk as string));
    const [item, ...found] = await dynamo.batchGet([
      keys.message(message.room, message.threadTs, message.ts),
      ...reactions.map(({ user }) => kind.key(user, message)),
    ]);
    const users = reactions.filter(({ at }, i) => found[i]?.at === at).map(({ user }) => user);
    return { now: item === undefined ? undefined : messageOf(message, item), users };
  }

  return oncePerMessage(readHolders);
}
