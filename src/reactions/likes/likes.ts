import { notFound, unavailable } from '../../core/errors.ts';
import { createKeyedMutex } from '../../core/keyedMutex.ts';
import { microsOf, type Timestamps } from '../../core/timestamps.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import { ConditionsFailed } from '../../dynamo/errors.ts';
import { createItemLoader } from '../../dynamo/itemLoader.ts';
import { keys } from '../../dynamo/keys.ts';
import type { Write } from '../../dynamo/write.ts';
import { deletedConflict } from '../../messages/change.ts';
import { type Message, type MessageKey, messageId, messageOf } from '../../messages/message.ts';
import { memberAccess } from '../../rooms/access.ts';
import { likeItem } from './like.ts';
import { type LikersPage, likersOf } from './likers.ts';

const ATTEMPTS = 5;

/** A message, and whether the person who asks likes it. */
export interface LikedMessage {
  readonly message: Message;
  readonly liked: boolean;
}

export interface LikesOptions {
  readonly dynamo: Dynamo;
  readonly timestamps: Timestamps;
}

export type Likes = ReturnType<typeof createLikes>;

/** Likes of messages: an item each, which is there or is not, and their number on the message. */
export function createLikes({ dynamo, timestamps }: LikesOptions) {
  /** Everyone who likes a message writes it: those of one process do so one after another. */
  const messages = createKeyedMutex();

  /**
   * Resolves to the message as it is then; liking twice is no error. One read, one transaction of three items;
   * one read and one transaction more where somebody else changed the message in between. Throws NOT_FOUND and
   * FORBIDDEN, and CONFLICT for a deleted message.
   */
  const like = (user: string, key: MessageKey): Promise<LikedMessage> =>
    messages.run(messageId(key), () => change(user, key, true));

  /** The reverse, at the same cost. Of a deleted message there is nothing to take back, which is no error. */
  const unlike = (user: string, key: MessageKey): Promise<LikedMessage> =>
    messages.run(messageId(key), () => change(user, key, false));

  async function change(user: string, key: MessageKey, wanted: boolean): Promise<LikedMessage> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const { message, liked } = await look(user, key);
      if (message.deletedAt !== null) {
        if (wanted) throw deletedConflict();
        return { message, liked };
      }
      // The two were read at about the same time: read after the like, the message has it counted.
      if (liked === wanted) return look(user, key);
      // At first the message is to be as it was read: then what it has become is known. Where it is liked by
      // many at once, it never stands still: after that it may have changed, and is read afterwards.
      const still = attempt === 0;
      try {
        await dynamo.transact([
          { check: keys.membership(user, key.room), condition: 'attribute_exists(pk)' },
          wanted ? given(user, message) : takenBack(user, message),
          counted(message, { by: wanted ? 1 : -1, still }),
        ]);
        return still ? { message: changed(message, wanted ? 1 : -1), liked: wanted } : look(user, key);
      } catch (error) {
        if (!(error instanceof ConditionsFailed)) throw error;
      }
    }
    throw unavailable();
  }

  /** For members. One round trip. */
  async function look(user: string, key: MessageKey): Promise<LikedMessage> {
    const { room, t, c } = key;
    const items = createItemLoader(dynamo);
    const [membership, item, like] = await items.loadMany([
      keys.membership(user, room),
      keys.message(room, t, c),
      keys.like(user, key),
    ]);
    if (membership === undefined) await memberAccess(room, user, items);
    if (item === undefined) throw notFound();
    const message = messageOf(key, item);
    // What is left of a deleted message's likes counts as gone.
    return { message, liked: like !== undefined && message.deletedAt === null };
  }

  const given = (user: string, { room, t, c, author }: Message): Write => ({
    put: likeItem({ room, t, c, user, author, at: timestamps.next(microsOf(c) + 1) }),
    condition: 'attribute_not_exists(pk)',
  });

  return {
    like,
    unlike,
    likers: (message: MessageKey, page: LikersPage) => likersOf(dynamo, message, page),
  };
}

const takenBack = (user: string, message: Message): Write => ({
  delete: keys.like(user, message),
  condition: 'attribute_exists(pk)',
});

interface Counting {
  readonly by: 1 | -1;
  /** Whether the message must be as it was read. */
  readonly still: boolean;
}

const counted = ({ room, t, c, rev }: Message, { by, still }: Counting): Write => ({
  key: keys.message(room, t, c),
  update: 'SET likeCount = if_not_exists(likeCount, :none) + :by, rev = rev + :one',
  condition: `attribute_not_exists(deletedAt) AND ${still ? 'rev = :rev' : 'attribute_exists(pk)'}`,
  values: { ':by': by, ':none': 0, ':one': 1, ...(still ? { ':rev': rev } : {}) },
});

const changed = (message: Message, by: 1 | -1): Message => ({
  ...message,
  likeCount: message.likeCount + by,
  rev: message.rev + 1,
});
