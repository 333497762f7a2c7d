import { isTimestamp, type Timestamp } from '../../core/timestamps.ts';
import type { Item } from '../../dynamo/item.ts';
import { keys } from '../../dynamo/keys.ts';
import { SCHEMA_VERSION } from '../../dynamo/table.ts';
import { type MessageKey, messageId, parseMessageId } from '../../messages/message.ts';

export interface MessageStampKey extends MessageKey {
  /** stampedAt */
  readonly s: Timestamp;
}

/** A stamp that somebody put on a message. */
export interface MessageStamp extends MessageStampKey {
  readonly user: string;
  /** In the catalogue. */
  readonly stampKey: string;
}

export const stampItem = ({ room, t, c, s, user, stampKey }: MessageStamp) => ({
  ...keys.stamp(room, t, c, s),
  v: SCHEMA_VERSION,
  user,
  stampKey,
});

export const toMessageStamp = ({ room, t, c, s }: MessageStampKey, item: Item): MessageStamp => ({
  room,
  t,
  c,
  s,
  user: item.user as string,
  stampKey: item.stampKey as string,
});

/** The part of a message stamp's global id behind the type's name. */
export const messageStampId = (key: MessageStampKey): string => `${messageId(key)}:${key.s}`;

export function parseMessageStampId(id: string): MessageStampKey | undefined {
  const end = id.lastIndexOf(':');
  const message = parseMessageId(id.slice(0, Math.max(0, end)));
  const s = id.slice(end + 1);
  return message === undefined || !isTimestamp(s) ? undefined : { ...message, s };
}
