import { isTimestamp, type Timestamp } from '../core/timestamps.ts';
import type { Item } from '../dynamo/item.ts';
import { isId, keys } from '../dynamo/keys.ts';
import { SCHEMA_VERSION } from '../dynamo/table.ts';

/** Names a message; of a thread root both stamps are the same. */
export interface MessageKey {
  readonly room: string;
  /** threadCreatedAt: when the thread's root was created. */
  readonly t: Timestamp;
  /** createdAt */
  readonly c: Timestamp;
}

export interface Message extends MessageKey {
  readonly author: string;
  /** With mentions as `mentions.ts` stores them; null once deleted. */
  readonly body: string | null;
  /** The people whose handles stand in the body. */
  readonly mentions: readonly string[];
  readonly editedAt: Timestamp | null;
  /** How often it was edited: of two edits of the same text the second is refused. */
  readonly edits: number;
  readonly deletedAt: Timestamp | null;
  /** Rises with every change; `Message.version` in the API. */
  readonly rev: number;
  /** 1, 2, 3 … among the room's roots; null on a reply and until the consumer has assigned it. */
  readonly position: number | null;
  readonly replyCount: number;
  readonly lastReplyAt: Timestamp | null;
  /** The first people who replied, at most PARTICIPANTS_MAX. */
  readonly participants: readonly string[];
  /** How many people like it; 0 once deleted. */
  readonly likeCount: number;
  /** How many of each stamp are on it, by the stamp's key; no zeros. */
  readonly stamps: Readonly<Record<string, number>>;
}

export const PARTICIPANTS_MAX = 3;

export const isRoot = ({ t, c }: MessageKey): boolean => t === c;

/** The part of a message's global id behind the type's name. */
export const messageId = ({ room, t, c }: MessageKey): string => `${room}:${t}:${c}`;

export function parseMessageId(id: string): MessageKey | undefined {
  const [room, t, c, ...more] = id.split(':');
  if (room === undefined || t === undefined || c === undefined || more.length > 0) return undefined;
  return isId(room) && isTimestamp(t) && isTimestamp(c) && t <= c ? { room, t, c } : undefined;
}

/** What is said, by whom, where and when. */
export type NewMessage = Pick<Message, 'room' | 't' | 'c' | 'author' | 'body' | 'mentions'>;

/** A message to which nothing has happened yet. */
export const newMessage = ({ room, t, c, author, body, mentions }: NewMessage): Message => ({
  room,
  t,
  c,
  author,
  body,
  mentions,
  editedAt: null,
  edits: 0,
  deletedAt: null,
  rev: 1,
  position: null,
  replyCount: 0,
  lastReplyAt: null,
  participants: [],
  likeCount: 0,
  stamps: {},
});

export const messageItem = (message: Message) => ({
  ...keys.message(message.room, message.t, message.c),
  v: SCHEMA_VERSION,
  author: message.author,
  body: message.body,
  rev: message.rev,
  // There from the start, so that a count in it can be raised without knowing whether it is the first.
  stamps: {},
  ...(message.mentions.length > 0 ? { mentions: message.mentions } : {}),
  ...(isRoot(message) ? { replyCount: message.replyCount } : {}),
});

export const messageOf = ({ room, t, c }: MessageKey, item: Item): Message => ({
  room,
  t,
  c,
  author: item.author as string,
  body: (item.body as string | undefined) ?? null,
  mentions: (item.mentions as string[] | undefined) ?? [],
  editedAt: (item.editedAt as Timestamp | undefined) ?? null,
  edits: (item.edits as number | undefined) ?? 0,
  deletedAt: (item.deletedAt as Timestamp | undefined) ?? null,
  rev: item.rev as number,
  position: (item.position as number | undefined) ?? null,
  replyCount: (item.replyCount as number | undefined) ?? 0,
  lastReplyAt: (item.lastReplyAt as Timestamp | undefined) ?? null,
  participants: (item.participants as string[] | undefined) ?? [],
  // In the table it goes on counting a deleted message's likes until they are cleared away.
  likeCount: item.deletedAt === undefined ? ((item.likeCount as number | undefined) ?? 0) : 0,
  stamps: (item.stamps as Record<string, number> | undefined) ?? {},
});
