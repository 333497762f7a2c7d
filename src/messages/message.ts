import { defined } from '../core/defined.ts';
import { isTimestamp, microsOf, type Timestamp, toTimestamp } from '../core/timestamps.ts';
import { type Item, isKept } from '../dynamo/item.ts';
import { isId, type Key, keyOf, keys, parseKey } from '../dynamo/keys.ts';
import { FIRST_SHAPE } from '../dynamo/shapes.ts';
import type { Counter } from '../verify/counter.ts';
import { LAST_CHANGE_ATTRIBUTES } from './lastChange.ts';

/** Names a message. A thread root has the same timestamp twice. */
export interface MessageKey {
  readonly room: string;
  /** When the thread's root was created. */
  readonly threadTs: Timestamp;
  /** When the message was created. */
  readonly ts: Timestamp;
}

export interface Message extends MessageKey {
  readonly author: string;
  /** The reply of the same thread that this one answers, by its `ts`; null if it answers the root, and on a root. */
  readonly inReplyTo: Timestamp | null;
  /** With mentions as `mentions.ts` stores them; null if the message is deleted, or its body is apart. */
  readonly body: string | null;
  /** The body is an item of its own, because it is long: see `longBodies`. */
  readonly bodyApart: boolean;
  /** The users whose handles are in the body. */
  readonly mentions: readonly string[];
  readonly editedAt: Timestamp | null;
  /** The number of edits: of two edits of the same text the second is refused. */
  readonly edits: number;
  readonly deletedAt: Timestamp | null;
  /** Increases with every change; `Message.version` in the API. */
  readonly version: number;
  /** 1, 2, 3 … among the room's roots; null on a reply and until the consumer has assigned it. */
  readonly position: number | null;
  readonly replyCount: number;
  readonly lastReplyAt: Timestamp | null;
  /** The first users who replied, at most PARTICIPANTS_MAX. */
  readonly participants: readonly string[];
  /**
   * The timestamps of the thread's newest replies, oldest first: NEWEST_REPLIES_MAX, or all that the thread has. Null
   * if they are not known, because an earlier release wrote one of these replies. Empty for a reply.
   */
  readonly newestReplies: readonly Timestamp[] | null;
  /**
   * With which the sender sent it. Null if there was none, or if an earlier release stored the message. For the sender
   * only.
   */
  readonly idempotencyKey: string | null;
  /** The attributes of its item that belong to other features. */
  readonly extras: Item;
}

/** What another feature stores on messages. */
export interface MessageExtension {
  /** Attributes of a new message. */
  readonly initial: Item;
  /** Attributes that are removed when a message is deleted. */
  readonly removedOnDelete: readonly string[];
}

/** The attributes that a message loses when it is deleted. */
export const removedOnDeletion = (
  extensions: ReadonlyArray<Pick<MessageExtension, 'removedOnDelete'>>,
): readonly string[] => [
  ...['body', 'bodyApart', 'mentions', 'editedAt', 'edits'],
  ...extensions.flatMap(({ removedOnDelete }) => removedOnDelete),
];

/** The items that a user may have for some messages, such as their likes. */
export interface ViewerItems {
  /** Whether the user has this item. Undefined: it has to be read alone. */
  readonly has: (key: Key) => Promise<boolean> | undefined;
  /** All of them, if they are read together. Absent: each has to be read alone. */
  readonly all?: {
    readonly read: () => Promise<unknown>;
    /**
     * Call it after `read` has resolved, for messages of the page only. Undefined: the user does not have the item.
     * Throws for a key of another user or room.
     */
    readonly get: (key: Key) => Item | undefined;
  };
}

/**
 * Published on the author's channel (`userTopic`) when they post the thread root `threadTs`. The server that took the
 * request publishes it, because the stream may deliver the room's change before the membership's.
 */
export type RootPostedEvent = {
  readonly type: 'posted';
  readonly room: string;
  readonly threadTs: Timestamp;
};

export const PARTICIPANTS_MAX = 3;
export const NEWEST_REPLIES_MAX = 3;

export const isRoot = ({ threadTs, ts }: MessageKey): boolean => threadTs === ts;

/** A message's key as items and jobs store it: their attributes have short names. */
export type StoredMessageKey = Readonly<Record<'room' | 't' | 'c', string>>;

export const storedMessageKey = ({ room, threadTs, ts }: MessageKey): StoredMessageKey => ({
  room,
  t: threadTs,
  c: ts,
});

export const messageKeyFrom = ({ room, t, c }: StoredMessageKey): MessageKey => ({
  room,
  threadTs: t,
  ts: c,
});

/** The part of a message's global id after the type's name. */
export const messageId = ({ room, threadTs, ts }: MessageKey): string => `${room}:${threadTs}:${ts}`;

export function parseMessageId(id: string): MessageKey | undefined {
  const [room, threadTs, ts, ...more] = id.split(':');
  if (room === undefined || threadTs === undefined || ts === undefined || more.length > 0) return undefined;
  return isId(room) && isTimestamp(threadTs) && isTimestamp(ts) && threadTs <= ts
    ? { room, threadTs, ts }
    : undefined;
}

export type NewMessage = Pick<Message, 'room' | 'threadTs' | 'ts' | 'author' | 'body' | 'mentions'> &
  Partial<Pick<Message, 'extras' | 'inReplyTo' | 'idempotencyKey'>>;

/** A message without edits and replies. */
export const newMessage = ({
  room,
  threadTs,
  ts,
  author,
  body,
  mentions,
  inReplyTo = null,
  extras = {},
  idempotencyKey = null,
}: NewMessage): Message => ({
  room,
  threadTs,
  ts,
  author,
  inReplyTo,
  body,
  bodyApart: false,
  mentions,
  editedAt: null,
  edits: 0,
  deletedAt: null,
  version: 1,
  position: null,
  replyCount: 0,
  lastReplyAt: null,
  participants: [],
  newestReplies: [],
  idempotencyKey,
  extras,
});

/** The item of a new message, with its body. */
export const messageItem = (message: Message) => ({
  v: FIRST_SHAPE,
  author: message.author,
  body: message.body,
  rev: message.version,
  ...defined({
    idempotencyKey: message.idempotencyKey ?? undefined,
    mentions: message.mentions.length > 0 ? message.mentions : undefined,
    replyCount: isRoot(message) ? message.replyCount : undefined,
    inReplyTo: message.inReplyTo ?? undefined,
  }),
  ...message.extras,
  ...keys.message(message.room, message.threadTs, message.ts),
});

/** The attributes of a message's item that do not belong to other features. */
const OWN: ReadonlySet<string> = new Set([
  ...'pk sk v author inReplyTo body bodyApart mentions editedAt edits deletedAt rev position replyCount lastReplyAt participants newestReplies idempotencyKey'.split(
    ' ',
  ),
  ...LAST_CHANGE_ATTRIBUTES,
]);

/** A message as it was read. A copy of it, which may have other values, is not one. */
class ReadMessage implements Message {
  readonly room: string;
  readonly threadTs: Timestamp;
  readonly ts: Timestamp;
  readonly author: string;
  readonly inReplyTo: Timestamp | null;
  readonly body: string | null;
  readonly bodyApart: boolean;
  readonly mentions: readonly string[];
  readonly editedAt: Timestamp | null;
  readonly edits: number;
  readonly deletedAt: Timestamp | null;
  readonly version: number;
  readonly position: number | null;
  readonly replyCount: number;
  readonly lastReplyAt: Timestamp | null;
  readonly participants: readonly string[];
  readonly newestReplies: readonly Timestamp[] | null;
  readonly idempotencyKey: string | null;
  readonly extras: Item;
  readonly #item: Item;

  constructor(fields: Message, item: Item) {
    this.room = fields.room;
    this.threadTs = fields.threadTs;
    this.ts = fields.ts;
    this.author = fields.author;
    this.inReplyTo = fields.inReplyTo;
    this.body = fields.body;
    this.bodyApart = fields.bodyApart;
    this.mentions = fields.mentions;
    this.editedAt = fields.editedAt;
    this.edits = fields.edits;
    this.deletedAt = fields.deletedAt;
    this.version = fields.version;
    this.position = fields.position;
    this.replyCount = fields.replyCount;
    this.lastReplyAt = fields.lastReplyAt;
    this.participants = fields.participants;
    this.newestReplies = fields.newestReplies;
    this.idempotencyKey = fields.idempotencyKey;
    this.extras = fields.extras;
    this.#item = item;
  }

  static itemOf(message: Message): Item | undefined {
    return #item in message ? message.#item : undefined;
  }
}

/**
 * The fields of messages, by their items if this process keeps those, and only as long as it does. To read them from
 * the item again would take as long as to write the message as JSON.
 */
const knownFields = new WeakMap<Item, Message>();

export function messageOf(key: MessageKey, item: Item): Message {
  const known = knownFields.get(item);
  if (known !== undefined) return new ReadMessage(known, item);
  const fields = fieldsOf(key, item);
  if (isKept(item)) knownFields.set(item, Object.freeze(fields));
  return new ReadMessage(fields, item);
}

/** The message, if the item is one. An object of its own each time. */
export function messageFrom(item: Item): Message | undefined {
  const known = knownFields.get(item);
  if (known !== undefined) return new ReadMessage(known, item);
  const key = parseKey(keyOf(item));
  return key.type === 'root' || key.type === 'reply' ? messageOf(key, item) : undefined;
}

function fieldsOf({ room, threadTs, ts }: MessageKey, item: Item): Message {
  // A loop, because `...extras` is looked up against all names for each attribute: half of this function's time.
  const extras: Record<string, unknown> = {};
  for (const name in item) if (!OWN.has(name)) extras[name] = item[name];
  return {
    room,
    threadTs,
    ts,
    author: item.author as string,
    inReplyTo: (item.inReplyTo as Timestamp | undefined) ?? null,
    body: (item.body as string | undefined) ?? null,
    bodyApart: item.bodyApart === true,
    mentions: (item.mentions as string[] | undefined) ?? [],
    editedAt: (item.editedAt as Timestamp | undefined) ?? null,
    edits: (item.edits as number | undefined) ?? 0,
    deletedAt: (item.deletedAt as Timestamp | undefined) ?? null,
    version: item.rev as number,
    position: (item.position as number | undefined) ?? null,
    replyCount: (item.replyCount as number | undefined) ?? 0,
    lastReplyAt: (item.lastReplyAt as Timestamp | undefined) ?? null,
    participants: (item.participants as string[] | undefined) ?? [],
    newestReplies: knownReplies(item),
    idempotencyKey: (item.idempotencyKey as string | undefined) ?? null,
    extras: Object.freeze(extras),
  };
}

/** The item of a message that is as it was read, if the process keeps the item: a text of it can be used again. */
export function keptItemOf(message: Message): Item | undefined {
  const item = ReadMessage.itemOf(message);
  return item !== undefined && isKept(item) ? item : undefined;
}

/**
 * The newest replies that a root's item proves: its list counts only if it ends with `lastReplyAt`, because a release
 * that does not know the list writes `lastReplyAt` alone. The next replies make such a list complete again.
 */
export function provenReplies({ lastReplyAt, newestReplies = [] }: Item): readonly Timestamp[] {
  if (lastReplyAt === undefined) return [];
  const stored = newestReplies as readonly Timestamp[];
  return stored.at(-1) === lastReplyAt ? stored : [lastReplyAt as Timestamp];
}

function knownReplies(item: Item): readonly Timestamp[] | null {
  const proven = provenReplies(item);
  const { replyCount = 0 } = item;
  return proven.length === Math.min(NEWEST_REPLIES_MAX, replyCount as number) ? proven : null;
}

/** A root counts its replies, including deleted ones. */
export const repliesCounter: Counter = {
  name: 'replies',
  stored(key, item) {
    if (key.type !== 'root') return undefined;
    const { replyCount, version } = messageOf(key, item);
    return { counts: { replyCount }, version: String(version) };
  },
  contributions: (key) =>
    key.type === 'reply' ? [{ in: keys.root(key.room, key.threadTs), name: 'replyCount' }] : [],
  fix: ({ rev }, { replyCount }) => ({
    update: 'SET replyCount = :counted, rev = rev + :one',
    condition: 'rev = :rev',
    values: { ':counted': replyCount, ':rev': rev, ':one': 1 },
  }),
};

const RANKS = Array.from({ length: NEWEST_REPLIES_MAX }, (_, i) => `newest reply ${i + 1}`);

/** A root names its newest replies. What an item does not prove is not compared. */
export const newestRepliesCounter: Counter = {
  name: 'newest replies',
  stored(key, item) {
    if (key.type !== 'root' || item.newestReplies === undefined) return undefined;
    const ranked = provenReplies(item).toReversed();
    const counts = Object.fromEntries(ranked.map((ts, i) => [RANKS[i], microsOf(ts)]));
    return { counts, version: String(item.rev), onlyThese: true };
  },
  contributions: (key) =>
    key.type === 'reply'
      ? [{ in: keys.root(key.room, key.threadTs), largest: RANKS, value: microsOf(key.ts) }]
      : [],
  fix({ rev }, counted) {
    const newest = RANKS.map((rank) => counted[rank] ?? 0).filter((micros) => micros > 0);
    const [last] = newest;
    const changed = { condition: 'rev = :rev', values: { ':rev': rev, ':one': 1 } };
    if (last === undefined) {
      return { ...changed, update: 'SET rev = rev + :one REMOVE newestReplies, lastReplyAt' };
    }
    return {
      ...changed,
      update: 'SET newestReplies = :newest, lastReplyAt = :last, rev = rev + :one',
      values: {
        ...changed.values,
        ':newest': newest.map(toTimestamp).toReversed(),
        ':last': toTimestamp(last),
      },
    };
  },
};
