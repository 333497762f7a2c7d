/**
 * Every key of the table is built and taken apart here, and nowhere else.
 *
 *   USER#u ─┬─ PROFILE                 the person
 *           ├─ ROOM#r                  membership: the person's side (role, read position)
 *           ├─ NOTE#id                 a notification, unread or read
 *           ├─ UNREAD#r#t#c#kind       which notification of that kind and message is the unread one
 *           ├─ WAIT#r                  where in the line of a room the person waits
 *           ├─ BADGE                   the notifications' part of the badge
 *           └─ SENT#hash               an idempotency key that was used
 *
 *   NOTE#u#kind#r#t#c ── ACTOR#a       the person u was notified of a's doing that to the message
 *
 *   USER#u#LIKES#r ─┬─ ROOT#t#t                the person likes this root
 *                   ├─ REPLY#t#c               or this reply
 *                   ├─ ROOT#t#t#STAMP#key      they have put this stamp on this root
 *                   └─ REPLY#t#c#STAMP#key     or on this reply
 *
 *   HANDLE#h ── HANDLE                 the reservation that makes a handle unique
 *
 *   ROOM#r ─┬─ ROOM                    name, topic, visibility
 *           ├─ SEATS                   taken, capacity, owners: the lock that joins and leaves go through
 *           ├─ COUNTER                 messageCount, changeCount, removals: hot, apart from the lock
 *           ├─ MEMBER#u                membership: the room's side
 *           ├─ BAN#u                   the person may not come in
 *           ├─ INVITE#hash             an invite, by the hash of its secret
 *           ├─ WAIT#w#u                a place in the line for a seat, taken at w
 *           ├─ ROOT#t#t                a thread root, created at t
 *           ├─ REPLY#t#c               a reply created at c in the thread t
 *           ├─ STAMP#t#c#s             a stamp put at s on the message t#c
 *           └─ FOLLOW#t#u              whether somebody follows the thread t
 *
 *   ROOM#r#LOG ── n (16 digits)        the room's log up to change number n
 *
 *   JOB#id ── JOB                      work in the background, and how far it is
 *
 *   REVOKED ─┬─ LAST                   the number of the newest revocation
 *            └─ n (16 digits)          tokens that are refused, revocation number n
 *
 *   STREAM#s ─┬─ SHARD#id              the consumer's lease and checkpoint of a shard
 *             └─ ASIDE#sequence        a record that kept failing
 *
 * The one global index (`gsi1pk`, `gsi1sk`), overloaded:
 *
 *   DIRECTORY ── t#r                   public rooms by time of creation
 *   LIKES#r#t#c ── at#u                who likes a message, by when they did
 *   USER#u#UNREAD ── at#id             somebody's unread notifications, by when something last happened
 *   USER#u#READ ── at#id               and the read ones
 *
 * Levels come first in the sort key (ROOT, REPLY, STAMP), so that a page of a room reads no replies and a
 * page of a thread no stamps. What one person did to the messages of one room is a range as well, in the
 * order of the messages: one query tells it for a page. `#`
 * separates; ids never contain it, and what clients choose is hashed before it becomes part of a key.
 * Times are microseconds since 1970 in 16 digits: they sort as text until the year 2286.
 */
import { createHash } from 'node:crypto';
import { isTimestamp, type Timestamp, toTimestamp } from '../core/timestamps.ts';

export interface Key {
  readonly pk: string;
  readonly sk: string;
}

const ID = /^[0-9a-z]{1,64}$/;
const HANDLE = /^[0-9a-z_]{1,32}$/;
/** The key of a stamp in the catalogue. */
const STAMP_KEY = /^[0-9a-z_-]{1,40}$/;

/** What one is notified of. */
export const NOTIFICATION_KINDS = ['LIKE', 'REPLY', 'MENTION', 'STAMP'] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

export const isId = (text: string): boolean => ID.test(text);
export const isStampKey = (text: string): boolean => STAMP_KEY.test(text);

/** The largest key suffix: `prefix` to `prefix + LAST` is every key that starts with `prefix`. */
export const MAX_SUFFIX = '\u{10FFFF}';

/**
 * A range of sort keys, both ends included. Ranges are always asked for with BETWEEN: the embedded
 * database's `begins_with` ignores case.
 */
export interface KeyRange {
  readonly pk: string;
  readonly from: string;
  readonly to: string;
}

const range = (pk: string, prefix: string): KeyRange => ({ pk, from: prefix, to: prefix + MAX_SUFFIX });

/** What clients choose, made safe and short: 256 bits in base64url. */
export const hashed = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** What names a message in keys: of a root both stamps are the same. */
interface MessageTimestamps {
  readonly room: string;
  readonly t: Timestamp;
  readonly c: Timestamp;
}

/** What a notification is about: of replies the thread's root. */
interface Subject extends MessageTimestamps {
  readonly kind: NotificationKind;
}

const userPk = (user: string) => `USER#${user}`;
const roomPk = (room: string) => `ROOM#${room}`;
const notifiedPk = (user: string, { kind, room, t, c }: Subject) => `NOTE#${user}#${kind}#${room}#${t}#${c}`;
const marksPk = (user: string, room: string) => `${userPk(user)}#LIKES#${room}`;
const messageSk = (t: Timestamp, c: Timestamp) => (t === c ? `ROOT#${t}#${t}` : `REPLY#${t}#${c}`);
const REVOKED = 'REVOKED';
const streamPk = (stream: string) => `STREAM#${stream}`;

export const keys = {
  user: (user: string): Key => ({ pk: userPk(user), sk: 'PROFILE' }),
  handle: (handle: string): Key => ({ pk: `HANDLE#${handle}`, sk: 'HANDLE' }),
  membership: (user: string, room: string): Key => ({ pk: userPk(user), sk: `ROOM#${room}` }),
  badge: (user: string): Key => ({ pk: userPk(user), sk: 'BADGE' }),
  notification: (user: string, id: string): Key => ({ pk: userPk(user), sk: `NOTE#${id}` }),
  /** Which notification of this kind and message is the unread one. */
  pointer: (user: string, { room, t, c, kind }: Subject): Key => ({
    pk: userPk(user),
    sk: `UNREAD#${room}#${t}#${c}#${kind}`,
  }),
  /** That `user` was notified of what `actor` did. */
  notified: (user: string, subject: Subject, actor: string): Key => ({
    pk: notifiedPk(user, subject),
    sk: `ACTOR#${actor}`,
  }),
  /** `idempotencyKey` is the client's own text; it is hashed. */
  sent: (user: string, idempotencyKey: string): Key => ({
    pk: userPk(user),
    sk: `SENT#${hashed(idempotencyKey)}`,
  }),

  room: (room: string): Key => ({ pk: roomPk(room), sk: 'ROOM' }),
  seats: (room: string): Key => ({ pk: roomPk(room), sk: 'SEATS' }),
  counter: (room: string): Key => ({ pk: roomPk(room), sk: 'COUNTER' }),
  member: (room: string, user: string): Key => ({ pk: roomPk(room), sk: `MEMBER#${user}` }),
  ban: (room: string, user: string): Key => ({ pk: roomPk(room), sk: `BAN#${user}` }),
  invite: (room: string, invite: string): Key => ({ pk: roomPk(room), sk: `INVITE#${invite}` }),
  /** The room's side of a place in its line, and the person's. */
  place: (room: string, w: Timestamp, user: string): Key => ({ pk: roomPk(room), sk: `WAIT#${w}#${user}` }),
  waiting: (user: string, room: string): Key => ({ pk: userPk(user), sk: `WAIT#${room}` }),
  root: (room: string, t: Timestamp): Key => ({ pk: roomPk(room), sk: `ROOT#${t}#${t}` }),
  reply: (room: string, t: Timestamp, c: Timestamp): Key => ({ pk: roomPk(room), sk: `REPLY#${t}#${c}` }),
  /** A root where both stamps are the same, else a reply. */
  message: (room: string, t: Timestamp, c: Timestamp): Key =>
    t === c ? keys.root(room, t) : keys.reply(room, t, c),
  stamp: (room: string, t: Timestamp, c: Timestamp, s: Timestamp): Key => ({
    pk: roomPk(room),
    sk: `STAMP#${t}#${c}#${s}`,
  }),
  /** That a person likes a message: one like each. */
  like: (user: string, { room, t, c }: MessageTimestamps): Key => ({
    pk: marksPk(user, room),
    sk: messageSk(t, c),
  }),
  /** That a person has put a stamp on a message: not the same one twice. */
  stampGuard: (user: string, { room, t, c }: MessageTimestamps, stampKey: string): Key => ({
    pk: marksPk(user, room),
    sk: `${messageSk(t, c)}#STAMP#${stampKey}`,
  }),
  /** Whether `user` follows the thread `t`. */
  follow: (room: string, t: Timestamp, user: string): Key => ({
    pk: roomPk(room),
    sk: `FOLLOW#${t}#${user}`,
  }),
  log: (room: string, change: number): Key => ({ pk: `${roomPk(room)}#LOG`, sk: toTimestamp(change) }),

  job: (id: string): Key => ({ pk: `JOB#${id}`, sk: 'JOB' }),
  lastRevocation: (): Key => ({ pk: REVOKED, sk: 'LAST' }),
  revocation: (number: number): Key => ({ pk: REVOKED, sk: toTimestamp(number) }),
  shard: (stream: string, shard: string): Key => ({ pk: streamPk(stream), sk: `SHARD#${shard}` }),
  aside: (stream: string, sequence: string): Key => ({
    pk: streamPk(stream),
    sk: `ASIDE#${sequence.padStart(40, '0')}`,
  }),
} as const;

/** Entries of one item of a room's log. */
export const LOG_ENTRIES_MAX = 50;

export const ranges = {
  memberships: (user: string): KeyRange => range(userPk(user), 'ROOM#'),
  members: (room: string): KeyRange => range(roomPk(room), 'MEMBER#'),
  bans: (room: string): KeyRange => range(roomPk(room), 'BAN#'),
  invites: (room: string): KeyRange => range(roomPk(room), 'INVITE#'),
  /** A room's line, the first first. */
  places: (room: string): KeyRange => range(roomPk(room), 'WAIT#'),
  roots: (room: string): KeyRange => range(roomPk(room), 'ROOT#'),
  replies: (room: string, t: Timestamp): KeyRange => range(roomPk(room), `REPLY#${t}#`),
  stamps: (room: string, t: Timestamp, c: Timestamp): KeyRange => range(roomPk(room), `STAMP#${t}#${c}#`),
  /** Of all threads, and of all messages: with the roots they are the whole room, each in the threads' order. */
  allReplies: (room: string): KeyRange => range(roomPk(room), 'REPLY#'),
  allStamps: (room: string): KeyRange => range(roomPk(room), 'STAMP#'),
  follows: (room: string, t: Timestamp): KeyRange => range(roomPk(room), `FOLLOW#${t}#`),
  notifications: (user: string): KeyRange => range(userPk(user), 'NOTE#'),
  pointers: (user: string): KeyRange => range(userPk(user), 'UNREAD#'),
  /** Of whose doings of this kind to this message somebody was notified. */
  notified: (user: string, subject: Subject): KeyRange => range(notifiedPk(user, subject), 'ACTOR#'),
  /** What a person did to the messages from `first` to `last` (both roots, or both replies of one thread). */
  marks: (user: string, first: MessageTimestamps, last: MessageTimestamps): KeyRange => ({
    pk: marksPk(user, first.room),
    from: messageSk(first.t, first.c),
    to: `${messageSk(last.t, last.c)}${MAX_SUFFIX}`,
  }),
  /** The stamps that a person has put on a message. */
  stampGuards: (user: string, { room, t, c }: MessageTimestamps): KeyRange =>
    range(marksPk(user, room), `${messageSk(t, c)}#STAMP#`),
  /** The log's items that have entries numbered `from` to `to`. */
  log: (room: string, from: number, to: number): KeyRange => ({
    pk: `${roomPk(room)}#LOG`,
    from: toTimestamp(from),
    // The last one's own number is that of its last entry, which may lie behind `to`.
    to: toTimestamp(to + LOG_ENTRIES_MAX - 1),
  }),
  /** The revocations from number `from` on, in their order. */
  revocations: (from: number): KeyRange => ({ pk: REVOKED, from: toTimestamp(from), to: '9'.repeat(16) }),
  shards: (stream: string): KeyRange => range(streamPk(stream), 'SHARD#'),
  aside: (stream: string): KeyRange => range(streamPk(stream), 'ASIDE#'),
} as const;

/** Public rooms, by when they were made. */
export const directory = {
  pk: 'DIRECTORY',
  sk: (createdAt: Timestamp, room: string) => `${createdAt}#${room}`,
  room: (gsi1sk: string) => gsi1sk.slice(17),
} as const;

/** Who likes a message, by when they did. */
export const likers = {
  pk: ({ room, t, c }: MessageTimestamps) => `LIKES#${room}#${t}#${c}`,
  sk: (at: Timestamp, user: string) => `${at}#${user}`,
  /** The two out of `gsi1sk`. */
  parts: (gsi1sk: string) => ({ at: gsi1sk.slice(0, 16), user: gsi1sk.slice(17) }),
} as const;

/** Somebody's notifications, by when something last happened; unread ones and read ones apart. */
export const notificationList = {
  unread: (user: string) => `${userPk(user)}#UNREAD`,
  read: (user: string) => `${userPk(user)}#READ`,
  sk: (updatedAt: Timestamp, id: string) => `${updatedAt}#${id}`,
  /** The two out of `gsi1sk`. */
  parts: (gsi1sk: string) => ({ updatedAt: gsi1sk.slice(0, 16), id: gsi1sk.slice(17) }),
} as const;

export type ParsedKey =
  | { readonly type: 'user' | 'badge'; readonly user: string }
  | { readonly type: 'handle'; readonly handle: string }
  | { readonly type: 'membership' | 'member' | 'ban'; readonly user: string; readonly room: string }
  | { readonly type: 'invite'; readonly room: string; readonly invite: string }
  | { readonly type: 'place'; readonly room: string; readonly w: Timestamp; readonly user: string }
  | { readonly type: 'waiting'; readonly user: string; readonly room: string }
  | { readonly type: 'sent'; readonly user: string; readonly hash: string }
  | { readonly type: 'notification'; readonly user: string; readonly id: string }
  | ({ readonly type: 'pointer'; readonly user: string } & Subject)
  | ({ readonly type: 'notified'; readonly user: string; readonly actor: string } & Subject)
  | { readonly type: 'follow'; readonly room: string; readonly t: Timestamp; readonly user: string }
  | { readonly type: 'job'; readonly id: string }
  | { readonly type: 'room' | 'seats' | 'counter'; readonly room: string }
  | { readonly type: 'root' | 'reply'; readonly room: string; readonly t: Timestamp; readonly c: Timestamp }
  | {
      readonly type: 'stamp';
      readonly room: string;
      readonly t: Timestamp;
      readonly c: Timestamp;
      readonly s: Timestamp;
    }
  | {
      readonly type: 'like';
      readonly user: string;
      readonly room: string;
      readonly t: Timestamp;
      readonly c: Timestamp;
    }
  | {
      readonly type: 'stampGuard';
      readonly user: string;
      readonly room: string;
      readonly t: Timestamp;
      readonly c: Timestamp;
      readonly stampKey: string;
    }
  | { readonly type: 'log'; readonly room: string; readonly change: number }
  | { readonly type: 'lastRevocation' }
  | { readonly type: 'revocation'; readonly number: number }
  | { readonly type: 'shard'; readonly stream: string; readonly shard: string }
  | { readonly type: 'aside'; readonly stream: string; readonly sequence: string }
  /** Written by a newer version of the program, or by somebody else. */
  | { readonly type: 'unknown' };

const UNKNOWN: ParsedKey = { type: 'unknown' };

/** How many `#` a key of each type has: one with more of them is another thing's. */
const SEPARATORS: Readonly<Record<ParsedKey['type'], number>> = {
  ...{ user: 1, badge: 1, membership: 2, sent: 2, like: 5, stampGuard: 7, handle: 1 },
  ...{ notification: 2, pointer: 5, notified: 6, follow: 3, job: 1 },
  ...{ room: 1, seats: 1, counter: 1, member: 2, ban: 2, root: 3, reply: 3, stamp: 4, log: 2 },
  ...{ invite: 2, place: 3, waiting: 2 },
  ...{ lastRevocation: 0, revocation: 0 },
  ...{ shard: 2, aside: 2, unknown: 0 },
};

/** The reverse of `keys`. Never throws: what it does not know is `unknown`. */
export function parseKey(key: Key): ParsedKey {
  const parsed = takenApart(key);
  return `${key.pk}${key.sk}`.split('#').length - 1 === SEPARATORS[parsed.type] ? parsed : UNKNOWN;
}

function takenApart({ pk, sk }: Key): ParsedKey {
  const [kind, id = '', part = '', room = '', t = '', c = ''] = pk.split('#');
  const [level, first = '', second = '', third = '', fourth = ''] = sk.split('#');
  switch (kind) {
    case 'USER':
      if (!isId(id)) return UNKNOWN;
      if (part === 'LIKES') {
        const isMessage =
          isTimestamp(first) && isTimestamp(second) && sk.startsWith(messageSk(first, second));
        if (!isId(room) || !isMessage) return UNKNOWN;
        const mark = { user: id, room, t: first, c: second };
        if (sk === messageSk(first, second)) return { type: 'like', ...mark };
        return third === 'STAMP' && isStampKey(fourth)
          ? { type: 'stampGuard', ...mark, stampKey: fourth }
          : UNKNOWN;
      }
      if (sk === 'PROFILE') return { type: 'user', user: id };
      if (sk === 'BADGE') return { type: 'badge', user: id };
      if (level === 'ROOM' && isId(first)) return { type: 'membership', user: id, room: first };
      if (level === 'NOTE' && isId(first)) return { type: 'notification', user: id, id: first };
      if (level === 'UNREAD') {
        const subject = subjectOf(fourth, { room: first, t: second, c: third });
        return subject === undefined ? UNKNOWN : { type: 'pointer', user: id, ...subject };
      }
      if (level === 'WAIT' && isId(first)) return { type: 'waiting', user: id, room: first };
      if (level === 'SENT' && first !== '') return { type: 'sent', user: id, hash: first };
      return UNKNOWN;
    case 'NOTE': {
      const subject = subjectOf(part, { room, t, c });
      const known = isId(id) && level === 'ACTOR' && isId(first);
      return known && subject !== undefined
        ? { type: 'notified', user: id, ...subject, actor: first }
        : UNKNOWN;
    }
    case 'HANDLE':
      return sk === 'HANDLE' && HANDLE.test(id) ? { type: 'handle', handle: id } : UNKNOWN;
    case 'ROOM':
      if (!isId(id)) return UNKNOWN;
      if (part === 'LOG') return isTimestamp(sk) ? { type: 'log', room: id, change: Number(sk) } : UNKNOWN;
      if (sk === 'ROOM') return { type: 'room', room: id };
      if (sk === 'SEATS') return { type: 'seats', room: id };
      if (sk === 'COUNTER') return { type: 'counter', room: id };
      if (level === 'MEMBER' && isId(first)) return { type: 'member', room: id, user: first };
      if (level === 'BAN' && isId(first)) return { type: 'ban', room: id, user: first };
      if (level === 'INVITE' && isId(first)) return { type: 'invite', room: id, invite: first };
      if (level === 'WAIT' && isTimestamp(first) && isId(second)) {
        return { type: 'place', room: id, w: first, user: second };
      }
      if (level === 'FOLLOW' && isTimestamp(first) && isId(second)) {
        return { type: 'follow', room: id, t: first, user: second };
      }
      if (!isTimestamp(first) || !isTimestamp(second)) return UNKNOWN;
      if (level === 'ROOT' && first === second) return { type: 'root', room: id, t: first, c: second };
      if (level === 'REPLY') return { type: 'reply', room: id, t: first, c: second };
      if (level === 'STAMP' && isTimestamp(third))
        return { type: 'stamp', room: id, t: first, c: second, s: third };
      return UNKNOWN;
    case 'JOB':
      return sk === 'JOB' && isId(id) ? { type: 'job', id } : UNKNOWN;
    case REVOKED:
      if (sk === 'LAST') return { type: 'lastRevocation' };
      return isTimestamp(sk) ? { type: 'revocation', number: Number(sk) } : UNKNOWN;
    case 'STREAM':
      if (level === 'SHARD') return { type: 'shard', stream: id, shard: first };
      if (level === 'ASIDE') return { type: 'aside', stream: id, sequence: first.replace(/^0+(?=\d)/, '') };
      return UNKNOWN;
    default:
      return UNKNOWN;
  }
}

function subjectOf(kind: string, { room, t, c }: MessageTimestamps): Subject | undefined {
  const known = NOTIFICATION_KINDS.find((one) => one === kind);
  return known !== undefined && isId(room) && isTimestamp(t) && isTimestamp(c)
    ? { kind: known, room, t, c }
    : undefined;
}
