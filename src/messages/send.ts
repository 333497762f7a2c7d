import type { Publisher } from '../bus/publisher.ts';
import { userTopic } from '../bus/userTopic.ts';
import { conflict, notFound, unavailable } from '../core/errors.ts';
import { createKeyedMutex } from '../core/keyedMutex.ts';
import { microsOf, type Timestamp, type Timestamps } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { ConditionsFailed } from '../dynamo/errors.ts';
import { createItemLoader } from '../dynamo/itemLoader.ts';
import { hashed, keys } from '../dynamo/keys.ts';
import { SCHEMA_VERSION } from '../dynamo/table.ts';
import type { Write } from '../dynamo/write.ts';
import { memberAccess } from '../rooms/access.ts';
import { type MentionedBody, resolveMentions } from './mentions.ts';
import {
  type Message,
  type MessageKey,
  messageItem,
  messageOf,
  newMessage,
  PARTICIPANTS_MAX,
} from './message.ts';
import type { RootPostedEvent } from './topics.ts';

export interface Sending {
  readonly room: string;
  readonly author: string;
  readonly body: string;
  /** Any message of the thread; a reply stands for its root. Absent: a new root. */
  readonly replyTo?: MessageKey;
  readonly idempotencyKey?: string;
}

/** An idempotency key is remembered for this long. */
const SENT_S = 90 * 24 * 3600;
/** Clashes of time stamps within one microsecond, and of first replies, before the client is asked to come again. */
const ATTEMPTS = 20;

interface SendOptions {
  readonly dynamo: Dynamo;
  readonly timestamps: Timestamps;
  readonly publisher?: Publisher;
  readonly now?: () => number;
}

export function createSending({ dynamo, timestamps, publisher, now = Date.now }: SendOptions) {
  const seconds = () => Math.floor(now() / 1000);
  const threads = createKeyedMutex();

  /**
   * Stores a message once, however often the same sending is repeated with its idempotency key.
   * A root: one transaction, one round trip. A reply: one read (the root) before it.
   * Throws NOT_FOUND or FORBIDDEN for who is not in the room, whatever was sent before; CONFLICT where the
   * key was used for another content.
   */
  async function send(sending: Sending): Promise<Message> {
    const { room, replyTo } = sending;
    if (replyTo === undefined) return attempts(sending);
    if (replyTo.room !== room) throw await notEntitledOr(sending, notFound());
    // Everyone who replies in a thread writes its root: those of one process do so one after another.
    return threads.run(keys.root(room, replyTo.t).sk + room, () => attempts(sending));
  }

  async function attempts(sending: Sending): Promise<Message> {
    const { replyTo } = sending;
    const text = await resolveMentions(dynamo, sending.room, sending.body);
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const plan =
        replyTo === undefined ? rootPlan(sending, text) : await replyPlan(sending, text, replyTo.t);
      try {
        await dynamo.transact(plan.writes);
        const { room, t, c, author } = plan.message;
        if (t === c) void publisher?.publish(userTopic<RootPostedEvent>(author), { type: 'posted', room, t });
        return plan.message;
      } catch (error) {
        if (!(error instanceof ConditionsFailed)) throw error;
        // In the order of the writes: who is not entitled hears nothing of what was sent before.
        const [membership, sent] = error.failed;
        if (membership !== undefined) throw await notEntitledOr(sending, unavailable());
        if (sending.idempotencyKey !== undefined && sent !== undefined) {
          return first(sending, (sent.item ?? {}) as Partial<SentItem>);
        }
        // Else the time stamp was taken in this very microsecond, or the root has changed: once more.
      }
    }
    throw unavailable();
  }

  interface Plan {
    readonly message: Message;
    readonly writes: Write[];
  }

  function rootPlan(sending: Sending, text: MentionedBody): Plan {
    const c = timestamps.next();
    const message = newMessage({ room: sending.room, t: c, c, author: sending.author, ...text });
    return {
      message,
      writes: [
        // Posting a root moves the read position to it; it has none yet, so it is named.
        {
          key: keys.membership(sending.author, sending.room),
          update: 'SET readTo = :c, readAt = :c, rev = rev + :one',
          condition: 'attribute_exists(pk)',
          values: { ':c': c, ':one': 1 },
        },
        ...sentWrites(sending, message),
        { put: messageItem(message), condition: 'attribute_not_exists(pk)' },
      ],
    };
  }

  async function replyPlan(sending: Sending, text: MentionedBody, t: Timestamp): Promise<Plan> {
    const root = await dynamo.get(keys.root(sending.room, t));
    if (root === undefined) throw await notEntitledOr(sending, notFound());
    // A sending that is repeated is answered all the same: only a new reply is refused.
    if (root.deletedAt !== undefined && !(await isRepeated(sending))) {
      throw await notEntitledOr(sending, conflict('The thread is closed: its first message is deleted.'));
    }
    const summary = messageOf({ room: sending.room, t, c: t }, root);
    const c = timestamps.next(microsOf(summary.lastReplyAt ?? t) + 1);
    const message = newMessage({ room: sending.room, t, c, author: sending.author, ...text });
    return {
      message,
      writes: [
        {
          check: keys.membership(sending.author, sending.room),
          condition: 'attribute_exists(pk)',
        },
        ...sentWrites(sending, message),
        { put: messageItem(message), condition: 'attribute_not_exists(pk)' },
        countReply(summary, message),
      ],
    };
  }

  function sentWrites(sending: Sending, message: Message): Write[] {
    if (sending.idempotencyKey === undefined) return [];
    const item: SentItem = { t: message.t, c: message.c, room: message.room, content: contentOf(sending) };
    return [
      {
        put: {
          ...keys.sent(sending.author, sending.idempotencyKey),
          v: SCHEMA_VERSION,
          ...item,
          expiresAt: seconds() + SENT_S,
        },
        // Items past their time may linger for days.
        condition: 'attribute_not_exists(pk) OR expiresAt < :now',
        values: { ':now': seconds() },
      },
    ];
  }

  async function isRepeated({ author, idempotencyKey }: Sending): Promise<boolean> {
    if (idempotencyKey === undefined) return false;
    const sent = await dynamo.get(keys.sent(author, idempotencyKey));
    return sent !== undefined && (sent.expiresAt as number) >= seconds();
  }

  /** What the key was used for before: the same message again, as it is now. */
  async function first(sending: Sending, { room, t, c, content }: Partial<SentItem>): Promise<Message> {
    if (content !== contentOf(sending) || room === undefined || t === undefined || c === undefined) {
      throw conflict('This idempotency key was used for another message.');
    }
    const item = await dynamo.get(keys.message(room, t, c));
    if (item === undefined) throw notFound();
    return messageOf({ room, t, c }, item);
  }

  /** Says why somebody may not write to a room; where they may after all, `error`. */
  async function notEntitledOr({ room, author }: Sending, error: Error): Promise<Error> {
    await memberAccess(room, author, createItemLoader(dynamo));
    return error;
  }

  return { send };
}

interface SentItem {
  readonly room: string;
  readonly t: Timestamp;
  readonly c: Timestamp;
  /** Tells another content under the same key. */
  readonly content: string;
}

const contentOf = ({ room, replyTo, body }: Sending): string =>
  hashed(JSON.stringify([room, replyTo?.t ?? null, body]));

/**
 * The root's summary of its thread. Its condition holds what was read of it: `lastReplyAt` only moves on,
 * and `participants` is bounded.
 */
function countReply(root: Message, reply: Message): Write {
  const known = root.participants.length;
  const joins = known < PARTICIPANTS_MAX && !root.participants.includes(reply.author);
  return {
    key: keys.root(root.room, root.t),
    update: `SET replyCount = replyCount + :one, rev = rev + :one, lastReplyAt = :c${
      joins ? ', participants = :participants' : ''
    }`,
    condition: `attribute_exists(pk) AND attribute_not_exists(deletedAt) AND (attribute_not_exists(lastReplyAt) OR lastReplyAt < :c)${
      !joins
        ? ''
        : known === 0
          ? ' AND attribute_not_exists(participants)'
          : ' AND size(participants) = :known'
    }`,
    values: {
      ':one': 1,
      ':c': reply.c,
      ...(joins ? { ':participants': [...root.participants, reply.author] } : {}),
      ...(joins && known > 0 ? { ':known': known } : {}),
    },
  };
}
