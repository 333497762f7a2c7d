import { defined } from '../../core/defined.ts';
import { notFound } from '../../core/errors.ts';
import { createKeyedMutex } from '../../core/keyedMutex.ts';
import { microsOf, type Timestamp, type Timestamps } from '../../core/timestamps.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import { createItemLoader } from '../../dynamo/itemLoader.ts';
import { keys } from '../../dynamo/keys.ts';
import { AGAIN } from '../../dynamo/optimistic.ts';
import type { Write } from '../../dynamo/write.ts';
import { deletedConflict } from '../../messages/change.ts';
import { versionRaisedBy } from '../../messages/lastChange.ts';
import { type Message, type MessageKey, messageId, messageOf } from '../../messages/message.ts';
import { memberAccess } from '../../rooms/access.ts';
import { createToggleHolders } from './holders.ts';
import { countOf, deleteReactionWrites, reactionItem, type ToggleStorage } from './reaction.ts';
import { type ReactorsPage, reactorsOf } from './reactors.ts';

/** A message, and whether the viewer has reacted to it. */
export interface ReactedMessage {
  readonly message: Message;
  readonly reacted: boolean;
}

export interface TogglesOptions {
  readonly dynamo: Dynamo;
  readonly timestamps: Timestamps;
  readonly kind: ToggleStorage;
}

export type Toggles = ReturnType<typeof createToggles>;

/** Reactions of one kind: each is an item that exists or does not, and the message has their number. */
export function createToggles({ dynamo, timestamps, kind }: TogglesOptions) {
  /** Every reaction writes the message: the reactions of one process are written one after another. */
  const messages = createKeyedMutex();

  /**
   * Resolves to the message as it is afterwards. Idempotent. One read and one transaction of three items, and the
   * list's if the kind has one; one read and one transaction more if the message changed in between. Throws NOT_FOUND
   * and FORBIDDEN, and CONFLICT for a deleted message.
   */
  const add = (user: string, key: MessageKey): Promise<ReactedMessage> =>
    messages.run(messageId(key), () => change(user, key, true));

  /** The reverse, at the same cost. A deleted message has no reactions: nothing is removed, and nothing is thrown. */
  const remove = (user: string, key: MessageKey): Promise<ReactedMessage> =>
    messages.run(messageId(key), () => change(user, key, false));

  const change = (user: string, key: MessageKey, wanted: boolean): Promise<ReactedMessage> =>
    dynamo.optimistic(async (number) => {
      const { message, reacted, since } = await readWithTime(user, key);
      if (message.deletedAt !== null) {
        if (wanted) throw deletedConflict();
        return { message, reacted };
      }
      // The two were read at about the same time. A message that is read after the reaction counts it.
      if (reacted === wanted) return read(user, key);
      // The first attempt requires an unchanged message, so the result is known without another read. A message
      // to which many users react at once never stays unchanged: later attempts accept any, and read it afterwards.
      const unchanged = number === 0;
      const by = wanted ? 1 : -1;
      const failed = await dynamo.tryTransact({
        membership: { check: keys.membership(user, key.room), condition: 'attribute_exists(pk)' },
        reaction: since === undefined ? putReaction(user, message) : deleteReaction(user, message, since),
        count: countReaction(message, { user, by, unchanged }),
      });
      if (failed !== undefined) return AGAIN;
      return unchanged ? { message: counted(message, by), reacted: wanted } : read(user, key);
    });

  async function read(user: string, key: MessageKey): Promise<ReactedMessage> {
    const { message, reacted } = await readWithTime(user, key);
    return { message, reacted };
  }

  /** For members. One round trip. `since`: when the user reacted, also to a message that was deleted afterwards. */
  async function readWithTime(user: string, key: MessageKey) {
    const { room, threadTs, ts } = key;
    const items = createItemLoader(dynamo);
    const [membership, item, reaction] = await items.loadMany([
      keys.membership(user, room),
      keys.message(room, threadTs, ts),
      kind.key(user, key),
    ]);
    if (membership === undefined) await memberAccess(room, user, items);
    if (item === undefined) throw notFound();
    const message = messageOf(key, item);
    // The reactions to a deleted message that still exist do not count.
    const since = reaction?.at as Timestamp | undefined;
    return { message, reacted: reaction !== undefined && message.deletedAt === null, since };
  }

  function putReaction(user: string, { room, threadTs, ts, author }: Message): Write[] {
    const reaction = { room, threadTs, ts, user, author, at: timestamps.next(microsOf(ts) + 1) };
    const row = kind.ownRow?.(reaction);
    return [
      { put: reactionItem(kind, reaction), condition: 'attribute_not_exists(pk)' },
      ...(row === undefined ? [] : [{ put: row }]),
    ];
  }

  const deleteReaction = (user: string, message: Message, at: Timestamp): Write[] =>
    deleteReactionWrites(kind, { ...message, user, at });

  function countReaction({ room, threadTs, ts, version }: Message, { user, by, unchanged }: Counting): Write {
    const { added, removed } = kind.changes;
    const change = versionRaisedBy({ kind: (by === 1 ? added : removed).kind, actor: user });
    return {
      key: keys.message(room, threadTs, ts),
      update: `SET #count = if_not_exists(#count, :none) + :by, ${change.set}`,
      condition: `attribute_not_exists(deletedAt) AND ${unchanged ? 'rev = :rev' : 'attribute_exists(pk)'}`,
      names: { '#count': kind.count },
      values: {
        ...change.values,
        ':by': by,
        ':none': 0,
        ...defined({ ':rev': unchanged ? version : undefined }),
      },
    };
  }

  const counted = (message: Message, by: 1 | -1): Message => ({
    ...message,
    extras: { ...message.extras, [kind.count]: countOf(kind, message) + by },
    version: message.version + 1,
  });

  return {
    add,
    remove,
    /** The users who reacted: see `reactorsOf`. */
    reactors: (message: MessageKey, page: ReactorsPage) => reactorsOf({ dynamo, kind }, message, page),
    /** The same for all readers of an event: see `createToggleHolders`. */
    holders: createToggleHolders({ dynamo, kind }),
  };
}

interface Counting {
  readonly user: string;
  readonly by: 1 | -1;
  /** Whether the message must be as it was read. */
  readonly unchanged: boolean;
}
