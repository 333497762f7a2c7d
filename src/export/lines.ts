import { defined } from '../core/defined.ts';
import { microsOf, type Timestamp } from '../core/timestamps.ts';
import { encodeId } from '../graphql/ids.ts';
import { messageId } from '../messages/message.ts';
import { exportedReactions } from '../reactions/registry.ts';
import { messageStampId } from '../reactions/stamps/stamp.ts';
import type { Member, Room } from '../rooms/room.ts';
import type { User } from '../users/user.ts';
import type { Entry } from './entries.ts';

/** The version of the format. `npm run import` reads this one. */
export const EXPORT_FORMAT = 2;

/** A member of the room, or a banned user. */
export type PersonEntry =
  | { readonly type: 'member'; readonly member: Member; readonly user: User }
  | { readonly type: 'ban'; readonly at: Timestamp; readonly user: User; readonly by: User };

export interface LinesOptions {
  readonly room: Room;
  readonly capacity: number | null;
  readonly until: Timestamp;
  readonly people: AsyncIterable<PersonEntry>;
  readonly entries: AsyncIterable<Entry>;
}

/**
 * Newline-delimited JSON with one line per thread, in pieces. No line is in memory as a whole.
 *
 *   {"type":"room","format":2,"id":…,"name":…,"topic":…,"visibility":…,"createdAt":…,"exportedUntil":…}
 *   {"type":"member","user":{…},"role":…,"joinedAt":…}
 *   {"type":"ban","user":{…},"by":{…},"createdAt":…}
 *   {"type":"thread","id":…,"position":…,"author":{…},"body":…,…,"likes":[…],"stamps":[…],"replies":[{…},…]}
 *
 * Ids are those of the API. Times are RFC 3339 with microseconds, and rise from line to line: messages of one
 * millisecond keep their order. The API shows the same times, cut to milliseconds. `docs/import.md` describes each
 * field.
 */
export async function* linesOf({
  room,
  capacity,
  until,
  people,
  entries,
}: LinesOptions): AsyncGenerator<string, void> {
  yield `${JSON.stringify(roomFields(room, capacity, until))}\n`;
  for await (const person of people) yield `${JSON.stringify(personFields(person))}\n`;
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
    for await (const like of entry.likes()) {
      yield `${separator}${JSON.stringify({ createdAt: timeOf(like.at), user: userFields(like.user) })}`;
      separator = ',';
    }
    yield '],"stamps":[';
    separator = '';
  }
  yield endThread();
}

/** A JSON object that is still open, up to its list of likes. */
const openObject = (fields: object): string => `${JSON.stringify(fields).slice(0, -1)},"likes":[`;

const roomFields = (
  { id, name, topic, visibility, createdAt, people, version }: Room,
  capacity: number | null,
  until: Timestamp,
) => ({
  type: 'room',
  format: EXPORT_FORMAT,
  id: encodeId('Room', id),
  name,
  topic,
  visibility,
  createdAt: timeOf(createdAt),
  exportedUntil: timeOf(until),
  version,
  capacity,
  ...defined({ people: people?.map((user) => encodeId('User', user)) }),
});

const personFields = (entry: PersonEntry) =>
  entry.type === 'member'
    ? {
        type: 'member',
        user: userFields(entry.user),
        role: entry.member.role,
        joinedAt: timeOf(entry.member.joinedAt),
      }
    : {
        type: 'ban',
        user: userFields(entry.user),
        by: userFields(entry.by),
        createdAt: timeOf(entry.at),
      };

type MessageEntry = Exclude<Entry, { type: 'stamp' }>;
type StampEntry = Extract<Entry, { type: 'stamp' }>;

const threadFields = (entry: MessageEntry) => ({
  type: 'thread',
  position: entry.message.position,
  ...messageFields(entry),
});

const messageFields = ({ message, body, stored, author, mentions }: MessageEntry) => ({
  id: encodeId('Message', messageId(message)),
  createdAt: timeOf(message.ts),
  editedAt: message.editedAt === null ? null : timeOf(message.editedAt),
  deletedAt: message.deletedAt === null ? null : timeOf(message.deletedAt),
  author: userFields(author),
  body,
  mentions: mentions.map(userFields),
  ...exportedReactions(message),
  version: message.version,
  edits: message.edits,
  // The body shows handles, which change, and which several users may have had.
  ...(mentions.length === 0 ? {} : { bodyWithIds: stored }),
  ...(message.inReplyTo === null
    ? {}
    : { inReplyTo: encodeId('Message', messageId({ ...message, ts: message.inReplyTo })) }),
});

const stampFields = ({ stamp, user }: StampEntry) => ({
  id: encodeId('MessageStamp', messageStampId(stamp)),
  stamp: stamp.stampKey,
  createdAt: timeOf(stamp.stampedAt),
  user: userFields(user),
});

const userFields = ({ id, handle, displayName, deletedAt }: User) => ({
  id: encodeId('User', id),
  handle,
  displayName,
  ...(deletedAt === undefined ? {} : { deletedAt: timeOf(deletedAt) }),
});

/** 2026-01-31T12:00:00.123456Z */
function timeOf(timestamp: Timestamp): string {
  const micros = microsOf(timestamp);
  const toTheMillisecond = new Date(Math.floor(micros / 1000)).toISOString().slice(0, -1);
  return `${toTheMillisecond}${String(micros % 1000).padStart(3, '0')}Z`;
}
