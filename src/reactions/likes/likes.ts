import { defined } from '../../core/defined.ts';
import { notFound } from '../../core/errors.ts';
import { createKeyedMutex } from '../../core/keyedMutex.ts';
import { microsOf, type Timestamps } from '../../core/timestamps.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import { createItemLoader } from '../../dynamo/itemLoader.ts';
import { keys } from '../../dynamo/keys.ts';
import { AGAIN, optimistic } from '../../dynamo/optimistic.ts';
import type { Write } from '../../dynamo/write.ts';
import { deletedConflict } from '../../messages/change.ts';
import { type Message, type MessageKey, messageId, messageOf } from '../../messages/message.ts';
import { memberAccess } from '../../rooms/access.ts';
import { likeCountOf, likeItem } from './like.ts';
import { type LikersPage, likersOf } from './likers.ts';

/** A message, and whether the viewer likes it. */
export interface LikedMessage {
  readonly message: Message;
  readonly liked: boolean;
}

export interface LikesOptions {
  readonly dynamo: Dynamo;
  readonly timestamps: Timestamps;
}

export type Likes = ReturnType<typeof createLikes>;

/** Likes of messages: each is an item that exists or does not, and the message has their number. */
export function createLikes({ dynamo, timestamps }: LikesOptions) {
  /** Every like writes the message: the likes of one process are written one after another. */
  const messages = createKeyedMutex();

  /**
   * Resolves to the message as it is afterwards. Idempotent. One read and one transaction of three items; one read
   * and one transaction more if the message changed in between. Throws NOT_FOUND and FORBIDDEN, and CONFLICT for
   * a deleted message.
   */
  const like = (user: string, key: MessageKey): Promise<LikedMessage> =>
    messages.run(messageId(key), () => change(user, key, true));

  /** The reverse, at the same cost. A deleted message has no likes: nothing is removed, and nothing is thrown. */
  const unlike = (user: string, key: MessageKey): Promise<LikedMessage> =>
    messages.run(messageId(key), () => change(user, key, false));

  const change = (user: string, key: MessageKey, wanted: boolean): Promise<LikedMessage> =>
    optimistic(async (number) => {
      const { message, liked } = await read(user, key);
      if (message.deletedAt !== null) {
        if (wanted) throw deletedConflict();
        return { message, liked };
      }
      // The two were read at about the same time. A message that is read after the like counts it.
      if (liked === wanted) return read(user, key);
      // The first attempt requires an unchanged message, so the result is known without another read. A message
      // that many users like at once never stays unchanged: later attempts accept any, and read it afterwards.
      const unchanged = number === 0;
      const failed = await dynamo.tryTransact({
        membership: { check: keys.membership(user, key.room), condition: 'attribute_exists(pk)' },
        like: wanted ? putLike(user, message) : deleteLike(user, message),
        count: countLike(message, { by: wanted ? 1 : -1, unchanged }),
      });
      if (failed !== undefined) return AGAIN;
      return unchanged ? { message: counted(message, wanted ? 1 : -1), liked: wanted } : read(user, key);
    });

  /** For members. One round trip. */
  async function read(user: string, key: MessageKey): Promise<LikedMessage> {
    const { room, threadTs, ts } = key;
    const items = createItemLoader(dynamo);
    const [membership, item, like] = await items.loadMany([
      keys.membership(user, room),
      keys.message(room, threadTs, ts),
      keys.like(user, key),
    ]);
    if (membership === undefined) await memberAccess(room, user, items);
    if (item === undefined) throw notFound();
    const message = messageOf(key, item);
    // The likes of a deleted message that still exist do not count.
    return { message, liked: like !== undefined && message.deletedAt === null };
  }

  const putLike = (user: string, { room, threadTs, ts, author }: Message): Write => ({
    put: likeItem({ room, threadTs, ts, user, author, at: timestamps.next(microsOf(ts) + 1) }),
    condition: 'attribute_not_exists(pk)',
  });

  return {
    like,
    unlike,
    likers: (message: MessageKey, page: LikersPage) => likersOf(dynamo, message, page),
  };
}

const deleteLike = (user: string, message: Message): Write => ({
  delete: keys.like(user, message),
  condition: 'attribute_exists(pk)',
});

interface LikeCounting {
  readonly by: 1 | -1;
  /** Whether the message must be as it was read. */
  readonly unchanged: boolean;
}

const countLike = ({ room, threadTs, ts, version }: Message, { by, unchanged }: LikeCounting): Write => ({
  key: keys.message(room, threadTs, ts),
  update: 'SET likeCount = if_not_exists(likeCount, :none) + :by, rev = rev + :one',
  condition: `attribute_not_exists(deletedAt) AND ${unchanged ? 'rev = :rev' : 'attribute_exists(pk)'}`,
  values: { ':by': by, ':none': 0, ':one': 1, ...defined({ ':rev': unchanged ? version : undefined }) },
});

const counted = (message: Message, by: 1 | -1): Message => ({
  ...message,
  extras: { ...message.extras, likeCount: likeCountOf(message) + by },
  version: message.version + 1,
});
