import { conflict, forbidden, notFound, unavailable } from '../../core/errors.ts';
import { createKeyedMutex } from '../../core/keyedMutex.ts';
import { microsOf, type Timestamp, type Timestamps } from '../../core/timestamps.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import { ConditionsFailed } from '../../dynamo/errors.ts';
import { createItemLoader, type ItemLoader } from '../../dynamo/itemLoader.ts';
import { keys, parseKey, ranges } from '../../dynamo/keys.ts';
import { SCHEMA_VERSION } from '../../dynamo/table.ts';
import type { Write } from '../../dynamo/write.ts';
import { deletedConflict, memberMessage } from '../../messages/change.ts';
import { type Message, type MessageKey, messageId, messageOf } from '../../messages/message.ts';
import { memberAccess } from '../../rooms/access.ts';
import { type MessageStamp, type MessageStampKey, stampItem, toMessageStamp } from './stamp.ts';

/** Different stamps on one message, and stamps in all: what its item and its row of counts can bear. */
export const KINDS_MAX = 50;
export const TOTAL_MAX = 500;
const ATTEMPTS = 20;

export interface StampsOptions {
  readonly dynamo: Dynamo;
  readonly timestamps: Timestamps;
}

export type Stamps = ReturnType<typeof createStamps>;

export interface StampPage {
  readonly limit: number;
  /** The stampedAt to start behind; absent: from the beginning. */
  readonly from: Timestamp | undefined;
}

/** Stamps on messages: an item each, in order under the message's key, and their counts on the message. */
export function createStamps({ dynamo, timestamps }: StampsOptions) {
  /** Everyone who stamps a message writes it: those of one process do so one after another. */
  const messages = createKeyedMutex();

  /**
   * One transaction of four items, one round trip. Throws NOT_FOUND and FORBIDDEN, and CONFLICT for a deleted
   * message, the same stamp twice by one person, and a message that has all the stamps it can bear.
   */
  const add = (user: string, message: MessageKey, stampKey: string): Promise<MessageStamp> =>
    messages.run(messageId(message), () => adding(user, message, stampKey));

  async function adding(user: string, message: MessageKey, stampKey: string): Promise<MessageStamp> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const placed: MessageStamp = {
        ...message,
        s: timestamps.next(microsOf(message.c) + 1),
        user,
        stampKey,
      };
      try {
        await dynamo.transact([
          { check: keys.membership(user, message.room), condition: 'attribute_exists(pk)' },
          {
            put: { ...keys.stampGuard(user, message, stampKey), v: SCHEMA_VERSION, s: placed.s },
            condition: 'attribute_not_exists(pk)',
          },
          { put: stampItem(placed), condition: 'attribute_not_exists(pk)' },
          countUp(message, stampKey),
        ]);
        return placed;
      } catch (error) {
        if (!(error instanceof ConditionsFailed)) throw error;
        const [membership, guard, , counted] = error.failed;
        if (membership !== undefined) await memberAccess(message.room, user, createItemLoader(dynamo));
        if (counted !== undefined) throw whyNotCounted(counted.item);
        if (guard !== undefined) throw conflict('You have put this stamp on this message already.');
        // Else two stamps in one microsecond: once more.
      }
    }
    throw unavailable();
  }

  /**
   * Takes back a stamp of one's own. One read (the stamp and the message), one transaction of four items.
   * Throws NOT_FOUND for what is not there, FORBIDDEN for who did not put it, CONFLICT on a deleted message.
   */
  const remove = (user: string, key: MessageStampKey): Promise<Message> =>
    messages.run(messageId(key), () => removing(user, key));

  async function removing(user: string, key: MessageStampKey): Promise<Message> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const [{ message }, item] = await Promise.all([
        memberMessage(dynamo, user, key),
        dynamo.get(keys.stamp(key.room, key.t, key.c, key.s)),
      ]);
      if (message.deletedAt !== null) throw deletedConflict();
      if (item === undefined) throw notFound();
      const placed = toMessageStamp(key, item);
      if (placed.user !== user) throw forbidden('Only who has put a stamp may take it back.');
      try {
        await dynamo.transact([
          { check: keys.membership(user, key.room), condition: 'attribute_exists(pk)' },
          { delete: keys.stampGuard(user, key, placed.stampKey), condition: 'attribute_exists(pk)' },
          { delete: keys.stamp(key.room, key.t, key.c, key.s), condition: 'attribute_exists(pk)' },
          countDown(message, placed.stampKey),
        ]);
        const now = await dynamo.get(keys.message(key.room, key.t, key.c));
        if (now === undefined) throw notFound();
        return messageOf(key, now);
      } catch (error) {
        if (!(error instanceof ConditionsFailed)) throw error;
      }
    }
    throw unavailable();
  }

  /** A message's stamps, oldest first. One query. */
  async function list({ room, t, c }: MessageKey, { limit, from }: StampPage) {
    const after = from === undefined ? {} : { after: keys.stamp(room, t, c, from).sk };
    const { items, more } = await dynamo.query(ranges.stamps(room, t, c), { limit, ...after });
    const nodes = items.flatMap((item): MessageStamp[] => {
      const key = parseKey(item as { pk: string; sk: string });
      return key.type === 'stamp' ? [toMessageStamp(key, item)] : [];
    });
    return { nodes, more };
  }

  /** One stamp, for members of its room; null for others, and on a deleted message. One round trip. */
  async function find(user: string, key: MessageStampKey, items: ItemLoader): Promise<MessageStamp | null> {
    const [membership, message, item] = await items.loadMany([
      keys.membership(user, key.room),
      keys.message(key.room, key.t, key.c),
      keys.stamp(key.room, key.t, key.c, key.s),
    ]);
    const gone = membership === undefined || message === undefined || message.deletedAt !== undefined;
    return gone || item === undefined ? null : toMessageStamp(key, item);
  }

  return { add, remove, list, find };
}

const countUp = ({ room, t, c }: MessageKey, stampKey: string): Write => ({
  key: keys.message(room, t, c),
  update:
    'SET stamps.#key = if_not_exists(stamps.#key, :none) + :one, stampTotal = if_not_exists(stampTotal, :none) + :one, rev = rev + :one',
  condition:
    'attribute_exists(pk) AND attribute_not_exists(deletedAt) AND (attribute_not_exists(stampTotal) OR stampTotal < :most) AND (attribute_exists(stamps.#key) OR size(stamps) < :kinds)',
  names: { '#key': stampKey },
  values: { ':one': 1, ':none': 0, ':most': TOTAL_MAX, ':kinds': KINDS_MAX },
});

function whyNotCounted(item: Record<string, unknown> | undefined): Error {
  if (item === undefined) return notFound();
  if (item.deletedAt !== undefined) return deletedConflict();
  return conflict(`A message bears at most ${KINDS_MAX} different stamps and ${TOTAL_MAX} in all.`);
}

/** The last of its kind takes its count along: zeros would fill up the row. */
function countDown({ room, t, c, stamps }: Message, stampKey: string): Write {
  const last = stamps[stampKey] === 1;
  return {
    key: keys.message(room, t, c),
    update: last
      ? 'SET stampTotal = stampTotal - :one, rev = rev + :one REMOVE stamps.#key'
      : 'SET stamps.#key = stamps.#key - :one, stampTotal = stampTotal - :one, rev = rev + :one',
    condition: `attribute_not_exists(deletedAt) AND stamps.#key ${last ? '=' : '>'} :one`,
    names: { '#key': stampKey },
    values: { ':one': 1 },
  };
}
