import { defined } from '../../core/defined.ts';
import { conflict, forbidden, notFound } from '../../core/errors.ts';
import { createKeyedMutex } from '../../core/keyedMutex.ts';
import { microsOf, type Timestamp, type Timestamps } from '../../core/timestamps.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import { createItemLoader, type ItemLoader } from '../../dynamo/itemLoader.ts';
import { keyOf, keys, parseKey, ranges } from '../../dynamo/keys.ts';
import { AGAIN } from '../../dynamo/optimistic.ts';
import { FIRST_SHAPE } from '../../dynamo/shapes.ts';
import type { Write } from '../../dynamo/write.ts';
import { deletedConflict, loadMessageAsMember } from '../../messages/change.ts';
import { versionRaisedBy } from '../../messages/lastChange.ts';
import { type Message, type MessageKey, messageId, messageOf } from '../../messages/message.ts';
import { memberAccess } from '../../rooms/access.ts';
import { createStampHolders } from './holders.ts';
import { oneStampLess, stampsKind } from './kind.ts';
import { createStampsOfMessages } from './ofMessages.ts';
import {
  KINDS_MAX,
  type MessageStamp,
  type MessageStampKey,
  stampCountsOf,
  stampItem,
  TOTAL_MAX,
  toMessageStamp,
} from './stamp.ts';

export interface StampsOptions {
  readonly dynamo: Dynamo;
  readonly timestamps: Timestamps;
}

export type Stamps = ReturnType<typeof createStamps>;

export interface StampPage {
  readonly limit: number;
  /** Start after the stamp that was put at this time; absent: from the beginning. */
  readonly from: Timestamp | undefined;
}

/** Stamps on messages: an item each, in order under the message's key. The message has their counts. */
export function createStamps({ dynamo, timestamps }: StampsOptions) {
  /** Every stamp writes the message: the stamps of one process are written one after another. */
  const messages = createKeyedMutex();

  /**
   * One transaction of four items, one round trip. Throws NOT_FOUND and FORBIDDEN, and CONFLICT for a deleted
   * message, for a stamp that the user has put on it already, and for a message that can hold no more stamps.
   */
  const add = (user: string, message: MessageKey, stampKey: string): Promise<MessageStamp> =>
    messages.run(messageId(message), () => addWithRetry(user, message, stampKey));

  /** Retries if another stamp has the same microsecond. */
  const addWithRetry = (user: string, message: MessageKey, stampKey: string): Promise<MessageStamp> =>
    dynamo.optimistic(async () => {
      const stampedAt = timestamps.next(microsOf(message.ts) + 1);
      const stamp: MessageStamp = { ...message, stampedAt, user, stampKey };
      const failed = await dynamo.tryTransact({
        membership: { check: keys.membership(user, message.room), condition: 'attribute_exists(pk)' },
        guard: {
          put: { v: FIRST_SHAPE, s: stampedAt, ...keys.stampGuard(user, message, stampKey) },
          condition: 'attribute_not_exists(pk)',
        },
        stamp: { put: stampItem(stamp), condition: 'attribute_not_exists(pk)' },
        count: countUp(stamp),
      });
      if (failed === undefined) return stamp;
      if (failed.membership !== undefined) await memberAccess(message.room, user, createItemLoader(dynamo));
      if (failed.count !== undefined) throw whyNotCounted(failed.count.item);
      if (failed.guard !== undefined)
        throw conflict('ALREADY_STAMPED', 'You have put this stamp on this message already.');
      return AGAIN;
    });

  /**
   * Removes one of the user's stamps. One read (the stamp and the message), one transaction of four items.
   * Throws NOT_FOUND if the stamp does not exist, FORBIDDEN if it is another user's, CONFLICT on a deleted message.
   */
  const remove = (user: string, key: MessageStampKey): Promise<Message> =>
    messages.run(messageId(key), () => removeWithRetry(user, key));

  const removeWithRetry = (user: string, key: MessageStampKey): Promise<Message> =>
    dynamo.optimistic(async () => {
      const [{ message }, item] = await Promise.all([
        loadMessageAsMember(dynamo, user, key),
        dynamo.get(keys.stamp(key.room, key.threadTs, key.ts, key.stampedAt)),
      ]);
      if (message.deletedAt !== null) throw deletedConflict();
      if (item === undefined) throw notFound();
      const stamp = toMessageStamp(key, item);
      if (stamp.user !== user) throw forbidden('Only the user who put a stamp may remove it.');
      const failed = await dynamo.tryTransact({
        membership: { check: keys.membership(user, key.room), condition: 'attribute_exists(pk)' },
        guard: { delete: keys.stampGuard(user, key, stamp.stampKey), condition: 'attribute_exists(pk)' },
        stamp: {
          delete: keys.stamp(key.room, key.threadTs, key.ts, key.stampedAt),
          condition: 'attribute_exists(pk)',
        },
        count: {
          key: keys.message(key.room, key.threadTs, key.ts),
          ...oneStampLess(stamp, stampCountsOf(message)[stamp.stampKey] ?? 0),
        },
      });
      if (failed !== undefined) return AGAIN;
      const current = await dynamo.get(keys.message(key.room, key.threadTs, key.ts));
      if (current === undefined) throw notFound();
      return messageOf(key, current);
    });

  /** A message's stamps, oldest first. One query. */
  async function list({ room, threadTs, ts }: MessageKey, { limit, from }: StampPage) {
    const after = from === undefined ? undefined : keys.stamp(room, threadTs, ts, from).sk;
    const { items, more } = await dynamo.query(ranges.stamps(room, threadTs, ts), defined({ limit, after }));
    const nodes = items.flatMap((item): MessageStamp[] => {
      const key = parseKey(keyOf(item));
      return key.type === 'stamp' ? [toMessageStamp(key, item)] : [];
    });
    return { nodes, more };
  }

  /** One stamp, for members of its room; null for other users, and on a deleted message. One round trip. */
  async function find(user: string, key: MessageStampKey, items: ItemLoader): Promise<MessageStamp | null> {
    const [room, membership, message, item] = await items.loadMany([
      keys.room(key.room),
      keys.membership(user, key.room),
      keys.message(key.room, key.threadTs, key.ts),
      keys.stamp(key.room, key.threadTs, key.ts, key.stampedAt),
    ]);
    const isMember = room !== undefined && membership !== undefined;
    const gone = message === undefined || message.deletedAt !== undefined;
    return !isMember || gone || item === undefined ? null : toMessageStamp(key, item);
  }

  return {
    add,
    remove,
    list,
    ofMessages: createStampsOfMessages({ dynamo }),
    find,
    holders: createStampHolders({ dynamo }),
  };
}

function countUp({ room, threadTs, ts, user, stampKey }: MessageStamp): Write {
  const { kind } = stampsKind.changes.added;
  const change = versionRaisedBy({ kind, actor: user, detail: stampKey });
  return {
    key: keys.message(room, threadTs, ts),
    update: `SET stamps.#key = if_not_exists(stamps.#key, :none) + :one, stampTotal = if_not_exists(stampTotal, :none) + :one, ${change.set}`,
    condition:
      'attribute_exists(pk) AND attribute_not_exists(deletedAt) AND (attribute_not_exists(stampTotal) OR stampTotal < :max) AND (attribute_exists(stamps.#key) OR size(stamps) < :kinds)',
    names: { '#key': stampKey },
    values: { ...change.values, ':none': 0, ':max': TOTAL_MAX, ':kinds': KINDS_MAX },
  };
}

function whyNotCounted(item: Record<string, unknown> | undefined): Error {
  if (item === undefined) return notFound();
  if (item.deletedAt !== undefined) return deletedConflict();
  return conflict(
    'LIMIT_REACHED',
    `A message can have at most ${KINDS_MAX} different stamps and ${TOTAL_MAX} in total.`,
  );
}
