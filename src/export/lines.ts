import { microsOf, type Timestamp } from '../core/timestamps.ts';
import { encodeId } from '../graphql/ids.ts';
import { messageId } from '../messages/message.ts';
import { exportedReactions } from '../reactions/registry.ts';
import { messageStampId } from '../reactions/stamps/stamp.ts';
import type { Room } from '../rooms/room.ts';
import type { User } from '../users/user.ts';
import type { Entry } from './entries.ts';

/**
 * Newline-delimited JSON with one line per thread, in pieces. No line is in memory as a whole.
 *
 *   {"type":"room","id":…,"name":…,"topic":…,"visibility":…,"createdAt":…,"exportedUntil":…}
 *   {"type":"thread","id":…,"position":…,"author":{…},"body":…,…,"stamps":[…],"replies":[{…,"stamps":[…]},…]}
 *
 * Ids are those of the API. Times are RFC 3339 with microseconds, and rise from line to line: messages of one
 * millisecond keep their order. The API shows the same times, cut to milliseconds.
 */
export async function* linesOf(
  room: Room,
  until: Timestamp,
  entries: AsyncIterable<Entry>,
): AsyncGenerator<string, void> {
  yield `${JSON.stringify(roomFields(room, until))}\n`;
  // The thread and the message whose stamps are being written. Both undefined: no thread is open.
  let root: string | undefined;
  let message: string | undefined;
  let deleted = false;
  let separator = '';

  const endThread = () => (root === undefined ? '' : message === root ? '],"replies":[]}\n' : ']}]}\n');

  for await (const entry of entries) {
    if (entry.type === 'stamp') {
      // The stamps of a deleted message are about to be deleted.
      if (messageId(entry.stamp) !== message || deleted) continue;
      yield `${separator}${JSON.stringify(stampFields(entry))}`;
      separator = ',';
      continue;
    }
    const { room: id, threadTs, ts } = entry.message;
    if (entry.type === 'root') {
      yield `${endThread()}${openObject(threadFields(entry))}`;
      root = messageId({ room: id, threadTs, ts });
    } else {
      // The root is missing only if someone deleted its item by hand.
      if (messageId({ room: id, threadTs, ts: threadTs }) !== root) continue;
      yield `${message === root ? '],"replies":[' : ']},'}${openObject(messageFields(entry))}`;
    }
    message = messageId(entry.message);
    deleted = entry.message.deletedAt !== null;
    separator = '';
  }
  yield endThread();
}

/** A JSON object that is still open, up to its list of stamps. */
const openObject = (fields: object): string => `${JSON.stringify(fields).slice(0, -1)},"stamps":[`;

const roomFields = ({ id, name, topic, visibility, createdAt }: Room, until: Timestamp) => ({
  type: 'room',
  id: encodeId('Room', id),
  name,
  topic,
  visibility,
  createdAt: timeOf(createdAt),
  exportedUntil: timeOf(until),
});

type MessageEntry = Exclude<Entry, { type: 'stamp' }>;
type StampEntry = Extract<Entry, { type: 'stamp' }>;

const threadFields = (entry: MessageEntry) => ({
  type: 'thread',
  position: entry.message.position,
  ...messageFields(entry),
});

const messageFields = ({ message, body, author, mentions }: MessageEntry) => ({
  id: encodeId('Message', messageId(message)),
  createdAt: timeOf(message.ts),
  editedAt: message.editedAt === null ? null : timeOf(message.editedAt),
  deletedAt: message.deletedAt === null ? null : timeOf(message.deletedAt),
  author: userFields(author),
  body,
  mentions: mentions.map(userFields),
  ...exportedReactions(message),
});

const stampFields = ({ stamp, user }: StampEntry) => ({
  id: encodeId('MessageStamp', messageStampId(stamp)),
  stamp: stamp.stampKey,
  createdAt: timeOf(stamp.stampedAt),
  user: userFields(user),
});

const userFields = ({ id, handle, displayName }: User) => ({
  id: encodeId('User', id),
  handle,
  displayName,
});

/** 2026-01-31T12:00:00.123456Z */
function timeOf(timestamp: Timestamp): string {
  const micros = microsOf(timestamp);
  const toTheMillisecond = new Date(Math.floor(micros / 1000)).toISOString().slice(0, -1);
  return `${toTheMillisecond}${String(micros % 1000).padStart(3, '0')}Z`;
}
