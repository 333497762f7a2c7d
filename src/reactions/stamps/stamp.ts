import { isTimestamp, type Timestamp } from '../../core/timestamps.ts';
import type { Item } from '../../dynamo/item.ts';
import { keys } from '../../dynamo/keys.ts';
import { FIRST_SHAPE } from '../../dynamo/shapes.ts';
import { type Message, type MessageKey, messageId, parseMessageId } from '../../messages/message.ts';

/** Different stamps on one message, and stamps in total: what the item and the row of counts can hold. */
export const KINDS_MAX = 50;
export const TOTAL_MAX = 500;

export interface MessageStampKey extends MessageKey {
  /** When the stamp was put on the message. */
  readonly stampedAt: Timestamp;
}

/** A stamp that a user has put on a message. */
export interface MessageStamp extends MessageStampKey {
  readonly user: string;
  /** The key in the catalogue, or the emoji. */
  readonly stampKey: string;
}

export const stampItem = ({ room, threadTs, ts, stampedAt, user, stampKey }: MessageStamp) => ({
  v: FIRST_SHAPE,
  user,
  stampKey,
  ...keys.stamp(room, threadTs, ts, stampedAt),
});

export const toMessageStamp = (
  { room, threadTs, ts, stampedAt }: MessageStampKey,
  item: Item,
): MessageStamp => ({
  room,
  threadTs,
  ts,
  stampedAt,
  user: item.user as string,
  stampKey: item.stampKey as string,
});

/** The part of a message stamp's global id after the type's name. */
export const messageStampId = (key: MessageStampKey): string => `${messageId(key)}:${key.stampedAt}`;

export function parseMessageStampId(id: string): MessageStampKey | undefined {
  const end = id.lastIndexOf(':');
  const message = parseMessageId(id.slice(0, Math.max(0, end)));
  const stampedAt = id.slice(end + 1);
  return message === undefined || !isTimestamp(stampedAt) ? undefined : { ...message, stampedAt };
}

/** How many of each stamp are on the message, by the stamp's key; no zeros. */
export const stampCountsOf = ({ extras }: Message): Readonly<Record<string, number>> =>
  (extras.stamps as Record<string, number> | undefined) ?? {};
