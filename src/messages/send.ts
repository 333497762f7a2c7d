import { userTopic } from '../bus/bus.ts';
import type { Publisher } from '../bus/publisher.ts';
import { defined } from '../core/defined.ts';
import { conflict, notFound } from '../core/errors.ts';
import { createKeyedMutex } from '../core/keyedMutex.ts';
import { DAY_S, microsOf, secondsOf, type Timestamps } from '../core/timestamps.ts';
import { currentSpan } from '../core/work.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Item } from '../dynamo/item.ts';
import { createItemLoader } from '../dynamo/itemLoader.ts';
import { hashed, keys } from '../dynamo/keys.ts';
import { AGAIN } from '../dynamo/optimistic.ts';
import { FIRST_SHAPE } from '../dynamo/shapes.ts';
import type { Write } from '../dynamo/write.ts';
import { memberAccess } from '../rooms/access.ts';
import { versionRaisedBy } from './lastChange.ts';
import { inShape } from './longBodies/body.ts';
import { type MentionedBody, resolveMentions } from './mentions.ts';
import {
  isRoot,
  type Message,
  type MessageExtension,
  type MessageKey,
  messageItem,
  messageKeyFrom,
  messageOf,
  NEWEST_REPLIES_MAX,
  newMessage,
  PARTICIPANTS_MAX,
  provenReplies,
  type RootPostedEvent,
  type StoredMessageKey,
  storedMessageKey,
} from './message.ts';

export interface SendInput {
  readonly room: string;
  readonly author: string;
  readonly body: string;
  /** The message that this one answers: the root or any reply of its thread. Absent: the message is a new root. */
  readonly replyTo?: MessageKey;
  readonly idempotencyKey?: string;
}

/**
 * A condition of the writes that go with a message did not hold, so nothing was written. The caller knows what changed.
 */
export class Superseded extends Error {
  override readonly name = 'Superseded';
  constructor() {
    super('What goes with the message has changed.');
  }
}

/** Idempotency keys are kept for 90 days. */
const IDEMPOTENCY_S = 90 * DAY_S;

/** With the span that wrote it, if it is traced, so that what follows from the stream can refer to it. */
function newItems(
  message: Message,
  shape: number,
): { readonly message: Write; readonly body: Write | undefined } {
  const trace = currentSpan()?.id;
  const whole = { ...messageItem(message), ...defined({ trace }) };
  const [item = whole, body] = inShape(whole, message, shape);
  return {
    message: { put: item, condition: 'attribute_not_exists(pk)' },
    body: body === undefined ? undefined : { put: body },
  };
}

interface SendOptions {
  readonly dynamo: Dynamo;
  readonly timestamps: Timestamps;
  readonly extensions: readonly MessageExtension[];
  readonly publisher?: Publisher;
  readonly now?: () => number;
}

export function createSending({ dynamo, timestamps, extensions, publisher, now = Date.now }: SendOptions) {
  const extras: Item = Object.assign({}, ...extensions.map(({ initial }) => initial));
  const seconds = () => secondsOf(now());
  const threads = createKeyedMutex();

  /**
   * Stores a message. With an idempotency key it is stored once, however often the request is repeated.
   * A root: one transaction, one round trip. A reply: one read (the root) before it.
   * Throws NOT_FOUND or FORBIDDEN if the author is not in the room, even if the same request succeeded before;
   * CONFLICT if the key was used for different content.
   *
   * `also`: writes of the same transaction, or, if the message was stored before, of one of their own. Throws
   * `Superseded` if one of their conditions does not hold.
   */
  async function send(input: SendInput, also: readonly Write[] = []): Promise<Message> {
    const { room, replyTo } = input;
    if (replyTo === undefined) return sendWithRetry(input, also);
    if (replyTo.room !== room) throw await notEntitledOr(input, notFound());
    // Every reply writes the root of its thread: replies of one process are sent one after another.
    return threads.run(keys.root(room, replyTo.threadTs).sk + room, () => sendWithRetry(input, also));
  }

  /** Retries if the timestamp is taken (within the same microsecond), and if the root has changed. */
  async function sendWithRetry(input: SendInput, also: readonly Write[]): Promise<Message> {
    const { replyTo } = input;
    const text = await resolveMentions(dynamo, input, input.body);
    return dynamo.optimistic(async () => {
      const { message, writes } =
        replyTo === undefined ? planRoot(input, text) : await planReply(input, text, replyTo);
      const failed = await dynamo.tryTransact({ ...writes, also });
      if (failed === undefined) {
        const { room, threadTs, ts, author } = message;
        if (threadTs === ts)
          void publisher?.publish(userTopic<RootPostedEvent>(author), { type: 'posted', room, threadTs });
        return message;
      }
      if (failed.also !== undefined) throw new Superseded();
      // First the membership: a user who is not in the room does not learn what was sent before.
      if (failed.membership !== undefined) {
        await assertEntitled(input);
        return AGAIN;
      }
      if (failed.idempotency === undefined) return AGAIN;
      const first = await firstMessage(input, failed.idempotency.item ?? {});
      if (also.length > 0 && (await dynamo.tryTransact({ also })) !== undefined) throw new Superseded();
      return first;
    });
  }

  interface Plan {
    readonly message: Message;
    /** In the order in which they are written. */
    readonly writes: {
      readonly membership: Write;
      readonly idempotency: Write | undefined;
      readonly message: Write;
      readonly body: Write | undefined;
      readonly root: Write | undefined;
    };
  }

  function messageOfInput(
    { room, author, idempotencyKey }: SendInput,
    {
      text,
      ...place
    }: Pick<Message, 'threadTs' | 'ts'> &
      Partial<Pick<Message, 'inReplyTo'>> & { readonly text: MentionedBody },
  ): Message {
    return newMessage({ room, ...place, author, ...text, extras, ...defined({ idempotencyKey }) });
  }

  function planRoot(input: SendInput, text: MentionedBody): Plan {
    const ts = timestamps.next();
    const message = messageOfInput(input, { threadTs: ts, ts, text });
    return {
      message,
      writes: {
        // Posting a root moves the read position to it. The position is the timestamp: the root has no number yet.
        membership: {
          key: keys.membership(input.author, input.room),
          // What was said before about roots without a position is over: they all come before this one.
          update: 'SET readTo = :ts, readAt = :ts, rev = rev + :one REMOVE readMark, readSteps',
          condition: 'attribute_exists(pk)',
          values: { ':ts': ts, ':one': 1 },
        },
        idempotency: idempotencyRecord(input, message),
        ...newItems(message, dynamo.shape()),
        root: undefined,
      },
    };
  }

  async function planReply(input: SendInput, text: MentionedBody, replyTo: MessageKey): Promise<Plan> {
    const { threadTs } = replyTo;
    const inReplyTo = isRoot(replyTo) ? null : replyTo.ts;
    const [item, answered] = await dynamo.batchGet([
      keys.root(input.room, threadTs),
      ...(inReplyTo === null ? [] : [keys.reply(input.room, threadTs, inReplyTo)]),
    ]);
    if (item === undefined || (inReplyTo !== null && answered === undefined)) {
      throw await notEntitledOr(input, notFound());
    }
    // A repeated request still returns its message: only a new reply is refused.
    if (item.deletedAt !== undefined && !(await isRepeated(input))) {
      throw await notEntitledOr(
        input,
        conflict('THREAD_CLOSED', 'The thread is closed: its first message is deleted.'),
      );
    }
    const root = messageOf({ room: input.room, threadTs, ts: threadTs }, item);
    const ts = timestamps.next(microsOf(root.lastReplyAt ?? threadTs) + 1);
    const message = messageOfInput(input, { threadTs, ts, inReplyTo, text });
    return {
      message,
      writes: {
        membership: {
          check: keys.membership(input.author, input.room),
          condition: 'attribute_exists(pk)',
        },
        idempotency: idempotencyRecord(input, message),
        ...newItems(message, dynamo.shape()),
        root: countReply(item, root, message),
      },
    };
  }

  /** Records which message the idempotency key was used for. */
  function idempotencyRecord(input: SendInput, message: Message): Write | undefined {
    if (input.idempotencyKey === undefined) return undefined;
    const record: IdempotencyRecord = { content: contentHash(input), ...storedMessageKey(message) };
    return {
      put: {
        v: FIRST_SHAPE,
        ...record,
        expiresAt: seconds() + IDEMPOTENCY_S,
        ...keys.idempotencyRecord(input.author, input.idempotencyKey),
      },
      ...isUnusedKey(seconds()),
    };
  }

  async function isRepeated({ author, idempotencyKey }: SendInput): Promise<boolean> {
    if (idempotencyKey === undefined) return false;
    return isUsedKey(await dynamo.get(keys.idempotencyRecord(author, idempotencyKey)), seconds());
  }

  /** The current state of the message that the key was used for. Throws CONFLICT if its content was different. */
  async function firstMessage(input: SendInput, record: Item): Promise<Message> {
    const { room, t, c, content } = record as Partial<IdempotencyRecord>;
    if (
      !hashesOf(input).includes(content ?? '') ||
      room === undefined ||
      t === undefined ||
      c === undefined
    ) {
      throw conflict('KEY_REUSED', 'This idempotency key was used for another message.');
    }
    const key = messageKeyFrom({ room, t, c });
    const item = await dynamo.get(keys.message(key.room, key.threadTs, key.ts));
    if (item === undefined) throw notFound();
    return messageOf(key, item);
  }

  /** Throws NOT_FOUND or FORBIDDEN if the author is not a member of the room. */
  const assertEntitled = ({ room, author }: SendInput) =>
    memberAccess(room, author, createItemLoader(dynamo));

  /** The reason why the author may not write to the room, if there is one; otherwise `error`. */
  async function notEntitledOr(input: SendInput, error: Error): Promise<Error> {
    await assertEntitled(input);
    return error;
  }

  return { send };
}

/** The condition that an idempotency key was not used. DynamoDB may keep expired items for days. `now` in seconds. */
export const isUnusedKey = (now: number) => ({
  condition: 'attribute_not_exists(pk) OR expiresAt < :now',
  values: { ':now': now },
});

/** Whether an idempotency key was used, by its record. `now` in seconds. */
export const isUsedKey = (record: Item | undefined, now: number): boolean =>
  record !== undefined && (record.expiresAt as number) >= now;

interface IdempotencyRecord extends StoredMessageKey {
  /** The hash of the content: different content under the same key is a CONFLICT. */
  readonly content: string;
}

const contentHash = ({ room, replyTo, body }: SendInput): string =>
  hashed(
    JSON.stringify([
      ...[room, replyTo?.threadTs ?? null, body],
      ...(replyTo === undefined || isRoot(replyTo) ? [] : [replyTo.ts]),
    ]),
  );

/** A release that did not store which reply is answered hashed only the thread. Its keys count for 90 days. */
const hashesOf = (input: SendInput): string[] => {
  const { room, replyTo } = input;
  const toThread = replyTo === undefined ? {} : { replyTo: { ...replyTo, room, ts: replyTo.threadTs } };
  return [contentHash(input), contentHash({ ...input, ...toThread })];
};

/**
 * Counts the reply in the root, which has a summary of its thread. Every reply sets another `lastReplyAt`, so the
 * condition proves that no reply came since the root was read: the list of the newest replies and `participants` follow
 * from it.
 */
function countReply(item: Item, root: Message, reply: Message): Write {
  const joins = root.participants.length < PARTICIPANTS_MAX && !root.participants.includes(reply.author);
  const before = root.lastReplyAt;
  const change = versionRaisedBy({ kind: 'REPLIED', actor: reply.author });
  return {
    key: keys.root(root.room, root.threadTs),
    update: `SET replyCount = replyCount + :one, ${change.set}, lastReplyAt = :ts, newestReplies = :newest${
      joins ? ', participants = :participants' : ''
    }`,
    condition: `attribute_exists(pk) AND attribute_not_exists(deletedAt) AND ${
      before === null ? 'attribute_not_exists(lastReplyAt)' : 'lastReplyAt = :before'
    }`,
    values: {
      ':ts': reply.ts,
      ':newest': [...provenReplies(item), reply.ts].slice(-NEWEST_REPLIES_MAX),
      ...change.values,
      ...defined({
        ':before': before ?? undefined,
        ':participants': joins ? [...root.participants, reply.author] : undefined,
      }),
    },
  };
}
