/**
 * Every key of the table: one row for each type of item. From the rows come `keys` (build), `ranges` (query) and
 * `parseKey` (the reverse). No other file builds or parses a key.
 *
 * The first segment of a sort key is its level (ROOT, REPLY, STAMP), so a page of a room reads no replies, and a
 * page of a thread no stamps. The reactions of one user to the messages of one room are in one partition, in the
 * order of the messages, so one query reads them for a page. `#` separates the segments. Ids never contain it, and
 * text that clients choose is hashed before it becomes part of a key. Times are microseconds since 1970 in
 * 16 digits: they sort as text until the year 2286.
 *
 * The one global index (`gsi1pk`, `gsi1sk`) is overloaded: `directory`, `likers`, `notificationList`, `threadList`,
 * `handleList`, `memberHandles`, `jobList`, `scheduledList`, `savers`, `savedLists`, `savedTagsByCount`, `publicTags`,
 * `likedList`.
 */
import { createHash } from 'node:crypto';
import { type Timestamp, toTimestamp } from '../core/timestamps.ts';
import type { Item } from './item.ts';
import {
  type Key,
  type KeyRange,
  keyBuilders,
  keyParser,
  MAX_SUFFIX,
  type Parsed,
  rangeBuilders,
  row,
} from './keyRow.ts';

export { isId, isStampKey, paddedSequence } from './keyParts.ts';
export type { Key, KeyRange } from './keyRow.ts';
export { MAX_SUFFIX } from './keyRow.ts';

/** Text that clients choose, made safe and short: 256 bits in base64url. */
export const hashed = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** Names a message in keys: the creation times of its thread's root and of the message, which a root has twice. */
interface MessageTimestamps {
  readonly room: string;
  readonly threadTs: Timestamp;
  readonly ts: Timestamp;
}

/** What a notification is about; for replies it is the thread's root. */
interface Subject extends MessageTimestamps {
  readonly kind: string;
}

/** One of a user's lists of saved messages. `list`: `ALL`, `UNTAGGED`, or the id of a tag. */
export interface SavedList {
  readonly user: string;
  readonly visibility: string;
  readonly list: string;
}

const USER = 'USER#{user}';
const ROOM = 'ROOM#{room}';
const REACTIONS = 'USER#{user}#LIKES#{room}';

const ofUser = (user: string) => ({ user });
const ofRoom = (room: string) => ({ room });
const ofRoomAndUser = (room: string, user: string) => ({ room, user });
const ofUserAndRoom = (user: string, room: string) => ({ user, room });
const ofReaction = (user: string, { room, threadTs, ts }: MessageTimestamps) => ({
  user,
  room,
  threadTs,
  ts,
});
const ofSubject = (user: string, { room, threadTs, ts, kind }: Subject) => ({
  user,
  room,
  threadTs,
  ts,
  kind,
});

/** Timers are in this many partitions, so that none of them gets all the writes. */
export const TIMER_PARTITIONS = 16;

/** By a hash of the timer's id, so that the timers of one moment are spread evenly. */
export const timerPartition = (timer: string): number =>
  createHash('sha1').update(timer).digest().readUInt8(0) % TIMER_PARTITIONS;

const rows = {
  /** The profile. */
  user: row(USER, 'PROFILE', { key: ofUser }),
  /** The user's side of a membership: role, read position. */
  membership: row(USER, 'ROOM#{room}', { key: ofUserAndRoom, ranges: { memberships: ofUser } }),
  /** A notification, unread or read. */
  notification: row(USER, 'NOTE#{id}', {
    key: (user: string, id: string) => ({ user, id }),
    ranges: { notifications: ofUser },
  }),
  /** Which notification of this kind and message is the unread one. */
  pointer: row(USER, 'UNREAD#{room}#{threadTs}#{ts}#{kind}', {
    key: ofSubject,
    ranges: {
      pointers: ofUser,
      /** Those of a room and all its messages. */
      roomPointers: ofUserAndRoom,
      /** Those of all messages of a thread. */
      threadPointers: (user: string, room: string, threadTs: Timestamp) => ({ user, room, threadTs }),
    },
  }),
  /** A thread that the user follows, with its newest reply. */
  followedThread: row(USER, 'THREAD#{room}#{threadTs}', {
    key: (user: string, room: string, threadTs: Timestamp) => ({ user, room, threadTs }),
    ranges: {
      /** Those in a room. */
      followedThreads: ofUserAndRoom,
    },
  }),
  /** The user's place in the waitlist of a room. */
  waiting: row(USER, 'WAIT#{room}', { key: ofUserAndRoom, ranges: { waits: ofUser } }),
  /** Changes whenever the user begins to wait, so that the places that were counted before are all. */
  waits: row(USER, 'WAITS', { key: ofUser }),
  /** How many of the user's rooms `adder` has added them to. */
  adder: row(USER, 'ADDER#{adder}', { key: (user: string, adder: string) => ({ user, adder }) }),
  /** The users who may not add the user to a room again, because the user left it after they had. */
  left: row(USER, 'LEFT#{room}', { key: ofUserAndRoom }),
  /** The user has blocked `blocked`. */
  block: row(USER, 'BLOCK#{blocked}', {
    key: (user: string, blocked: string) => ({ user, blocked }),
    ranges: { blocks: ofUser },
  }),
  /** How many users the user has blocked. */
  blockCount: row(USER, 'BLOCKS', { key: ofUser }),
  /** The notifications' part of the badge. */
  badge: row(USER, 'BADGE', { key: ofUser }),
  /** What of one kind, in one room, waits to be delivered to the user. */
  gathering: row(USER, 'GATHER#{kind}#{room}', {
    key: (user: string, kind: string, room: string) => ({ user, kind, room }),
    ranges: { gatherings: ofUser },
  }),
  /** What the user chose about deliveries. */
  deliverySettings: row(USER, 'DELIVERIES', { key: ofUser }),
  /** What was sent to the user outside the page, or why not; decided at `at`. */
  delivery: row(USER, 'DELIVERY#{at}', {
    key: (user: string, at: Timestamp) => ({ user, at }),
    ranges: { deliveries: ofUser },
  }),
  /** The user's push subscriptions. */
  pushSubscriptions: row(USER, 'PUSHES', { key: ofUser }),
  /** A message that the user sends later, or that could not be sent. */
  scheduledMessage: row(USER, 'SCHEDULED#{id}', { key: (user: string, id: string) => ({ user, id }) }),
  /** How many of them the user has. */
  scheduledCount: row(USER, 'SCHEDULES', { key: ofUser }),
  /** An idempotency key that was used. It is the client's own text, and is hashed. */
  idempotencyRecord: row(USER, 'SENT#{hash}', {
    key: (user: string, idempotencyKey: string) => ({ user, hash: hashed(idempotencyKey) }),
  }),

  /** `user` was notified of what `actor` did to the message. */
  notified: row('NOTE#{user}#{kind}#{room}#{threadTs}#{ts}', 'ACTOR#{actor}', {
    key: (user: string, subject: Subject, actor: string) => ({ ...ofSubject(user, subject), actor }),
    ranges: {
      /** The users whose actions of this kind on this message `user` was notified of. */
      notified: ofSubject,
    },
  }),

  /** The user likes the message. */
  like: row(REACTIONS, '{message}', { key: ofReaction }),
  /** The user has put this stamp on the message, so they cannot put it again. */
  stampGuard: row(REACTIONS, '{message}#STAMP#{stampKey}', {
    key: (user: string, message: MessageTimestamps, stampKey: string) => ({
      ...ofReaction(user, message),
      stampKey,
    }),
    ranges: {
      /** The stamps that a user has put on a message. */
      stampGuards: ofReaction,
    },
  }),

  /** The user has saved the message, or had, and the version of that continues. */
  saved: row(REACTIONS, '{message}#SAVED', { key: ofReaction }),
  /** A saved message in one of the user's lists, in the order of saving. */
  savedRow: row('USER#{user}#SAVED#{visibility}#{list}', '{savedAt}#{room}#{threadTs}#{ts}', {
    key: (
      { user, visibility, list }: SavedList,
      { savedAt, room, threadTs, ts }: MessageTimestamps & { readonly savedAt: Timestamp },
    ) => ({ user, visibility, list, savedAt, room, threadTs, ts }),
  }),
  /** A saved message that the user is reminded of at `due`, in milliseconds since 1970. */
  reminder: row('USER#{user}#REMINDERS', '{due}#{room}#{threadTs}#{ts}', {
    key: (user: string, due: number, { room, threadTs, ts }: MessageTimestamps) => ({
      ...{ user, due, room, threadTs, ts },
    }),
  }),
  /** How many messages the user has saved. */
  savedCounts: row(USER, 'SAVED', { key: ofUser }),
  /** A tag of the user, by its id, with its name and how many saved messages have it. */
  savedTag: row('USER#{user}#TAGS', 'TAG#{tag}', {
    key: (user: string, tag: string) => ({ user, tag }),
  }),
  /** Reserves the folded name of a tag, so that it is unique among those of the user. */
  savedTagName: row('USER#{user}#TAGS', 'NAME#{tagName}', {
    key: (user: string, tagName: string) => ({ user, tagName }),
    ranges: {
      /** The names that begin with a text. */
      savedTagNames: (user: string, tagName: string) => ({ user, tagName }),
    },
  }),

  /** The user likes the message since `at`. */
  liked: row(USER, 'LIKED#{at}#{room}#{threadTs}#{ts}', {
    key: (user: string, at: Timestamp, { room, threadTs, ts }: MessageTimestamps) => ({
      ...{ user, at, room, threadTs, ts },
    }),
    ranges: {
      /** What the user likes, the oldest like first. */
      liked: ofUser,
    },
  }),

  /** The user who has a push subscription, by the hash of its endpoint. */
  pushEndpoint: row('PUSH#{id}', 'ENDPOINT', { key: (id: string) => ({ id }) }),
  /** When a browser was last sent something. */
  recentPushes: row('PUSH#{id}', 'RECENT', { key: (id: string) => ({ id }) }),
  /** The user who has push subscriptions that a token registered, by the hash of the token's id. */
  pushToken: row('TOKEN#{hash}', 'PUSH', { key: (jti: string) => ({ hash: hashed(jti) }) }),
  /** A webhook that said that it is gone. */
  goneWebhook: row('WEBHOOK#{id}', 'GONE', { key: (id: string) => ({ id }) }),

  /** A secret of the system, made once, by what it is for. */
  secret: row('SECRETS', '{secret}', { key: (secret: string) => ({ secret }) }),

  /** Reserves a handle, so that it is unique. */
  handle: row('HANDLE#{handle}', 'HANDLE', { key: (handle: string) => ({ handle }) }),

  /** Name, topic, visibility. */
  room: row(ROOM, 'ROOM', { key: ofRoom }),
  /** Taken seats, capacity, owners: the lock for joining and leaving. */
  seats: row(ROOM, 'SEATS', { key: ofRoom }),
  /** The last position, the last number of the log, the membership epoch. Often written, so apart from the lock. */
  counter: row(ROOM, 'COUNTER', { key: ofRoom }),
  /** How far an import of the room is. Deleted when it is complete. */
  roomImport: row(ROOM, 'IMPORT', { key: ofRoom }),
  /** The room's side of a membership. */
  member: row(ROOM, 'MEMBER#{user}', { key: ofRoomAndUser, ranges: { members: ofRoom } }),
  /** The user may not join. */
  ban: row(ROOM, 'BAN#{user}', { key: ofRoomAndUser, ranges: { bans: ofRoom } }),
  /** An invite, by the hash of its secret. */
  invite: row(ROOM, 'INVITE#{invite}', {
    key: (room: string, invite: string) => ({ room, invite }),
    ranges: { invites: ofRoom },
  }),
  /** The room's side of a place in its waitlist, taken at `waitingSince`. */
  waitlistEntry: row(ROOM, 'WAIT#{waitingSince}#{user}', {
    key: (room: string, waitingSince: Timestamp, user: string) => ({ room, waitingSince, user }),
    ranges: {
      /** A room's waitlist, the longest wait first. */
      waitlist: ofRoom,
    },
  }),
  /** A thread root, created at `threadTs`. */
  root: row(ROOM, 'ROOT#{threadTs}#{ts}', {
    key: (room: string, threadTs: Timestamp) => ({ room, threadTs, ts: threadTs }),
    ranges: { roots: ofRoom },
    valid: ({ threadTs, ts }) => threadTs === ts,
  }),
  /** A reply in the thread `threadTs`, created at `ts`. */
  reply: row(ROOM, 'REPLY#{threadTs}#{ts}', {
    key: (room: string, threadTs: Timestamp, ts: Timestamp) => ({ room, threadTs, ts }),
    ranges: {
      replies: (room: string, threadTs: Timestamp) => ({ room, threadTs }),
      /** The replies of all threads, in the order of the threads. */
      allReplies: ofRoom,
    },
  }),
  /** A stamp that was put on the message at `stampedAt`. */
  stamp: row(ROOM, 'STAMP#{threadTs}#{ts}#{stampedAt}', {
    key: (room: string, threadTs: Timestamp, ts: Timestamp, stampedAt: Timestamp) => ({
      room,
      threadTs,
      ts,
      stampedAt,
    }),
    ranges: {
      stamps: (room: string, threadTs: Timestamp, ts: Timestamp) => ({ room, threadTs, ts }),
      /** The stamps on all messages, in the order of the threads. */
      allStamps: ofRoom,
    },
  }),
  /** The body of the message, if it is long. */
  body: row(ROOM, 'BODY#{threadTs}#{ts}', {
    key: ({ room, threadTs, ts }: MessageTimestamps) => ({ room, threadTs, ts }),
  }),
  /** How many users have saved the message publicly. */
  saves: row(ROOM, 'SAVES#{threadTs}#{ts}', {
    key: ({ room, threadTs, ts }: MessageTimestamps) => ({ room, threadTs, ts }),
  }),
  /** Whether `user` follows the thread `threadTs`. */
  follow: row(ROOM, 'FOLLOW#{threadTs}#{user}', {
    key: (room: string, threadTs: Timestamp, user: string) => ({ room, threadTs, user }),
    ranges: { follows: (room: string, threadTs: Timestamp) => ({ room, threadTs }) },
  }),
  /** `user` gets deliveries about all that happens of this kind, and waits for them for `wait` seconds. */
  listener: row(ROOM, 'LISTENER#{kind}#{wait}#{user}', {
    key: (room: string, kind: string, wait: number, user: string) => ({ room, kind, wait, user }),
    ranges: {
      /** Those of one kind, the shortest wait first. */
      listeners: (room: string, kind: string) => ({ room, kind }),
      listenersWaiting: (room: string, kind: string, wait: number) => ({ room, kind, wait }),
    },
  }),
  /** What waits for the listeners who wait that long. */
  listening: row(ROOM, 'LISTENING#{kind}#{wait}', {
    key: (room: string, kind: string, wait: number) => ({ room, kind, wait }),
  }),
  /** Entries of the room's log, up to change number `change`. */
  log: row('ROOM#{room}#LOG', '{change}', { key: (room: string, change: number) => ({ room, change }) }),

  /** Every item of an earlier release has got what it lacked, once this item exists. */
  conversion: row('CONVERSIONS', '{conversion}', { key: (conversion: string) => ({ conversion }) }),

  /** The shape of the table. */
  shape: row('SHAPE', 'SHAPE', { key: () => ({}) }),
  /** A process that uses the table, and the shapes that it knows. */
  heartbeat: row('SERVERS', 'SERVER#{server}', {
    key: (server: string) => ({ server }),
    ranges: { heartbeats: () => ({}) },
  }),

  /** How far the copy is that this table is becoming of another one. */
  carry: row('CARRY', 'CARRY', { key: () => ({}) }),
  /** Nothing but a record in a shard of the stream: everything before it was read. */
  sentinel: row('SENTINEL#{id}', 'SENTINEL', { key: (id: string) => ({ id }) }),

  /** Work of the system in the background, and how far it is. */
  job: row('JOB#{id}', 'JOB', { key: (id: string) => ({ id }) }),
  /** Work in the background that a user asked for. The id is its number in 16 digits. */
  personJob: row(USER, 'JOB#{id}', {
    key: (user: string, id: string) => ({ user, id }),
    ranges: { personJobs: ofUser },
  }),
  /** The user's jobs that have not ended, and the number of the newest. */
  openJobs: row(USER, 'JOBS', { key: ofUser }),

  /** A timer that is open: what happens at `due`, in milliseconds since 1970. */
  timer: row('DUE#{partition}', '{due}#{timer}', {
    key: (due: number, timer: string) => ({ partition: timerPartition(timer), due, timer }),
    valid: ({ partition, timer }) => partition === timerPartition(timer),
  }),
  /** A timer that failed for too long, and is not tried again. */
  failedTimer: row('TIMERS', 'FAILED#{due}#{timer}', {
    key: (due: number, timer: string) => ({ due, timer }),
    ranges: { failedTimers: () => ({}) },
  }),

  /** The number of the newest revocation. */
  lastRevocation: row('REVOKED', 'LAST', { key: () => ({}) }),
  /** Tokens that are refused. */
  revocation: row('REVOKED', '{number}', { key: (number: number) => ({ number }) }),

  /** The lease and checkpoint of a shard. */
  shard: row('STREAM#{stream}', 'SHARD#{shard}', {
    key: (stream: string, shard: string) => ({ stream, shard }),
    ranges: { shards: (stream: string) => ({ stream }) },
  }),
  /** A dead letter: a record that a handler kept failing to process. */
  deadLetter: row('STREAM#{stream}', 'ASIDE#{sequence}', {
    key: (stream: string, sequence: string) => ({ stream, sequence }),
    ranges: { deadLetters: (stream: string) => ({ stream }) },
  }),
};

const built = keyBuilders(rows);

export const keys = {
  ...built,
  /** A root if both timestamps are the same, otherwise a reply. */
  message: (room: string, threadTs: Timestamp, ts: Timestamp): Key =>
    threadTs === ts ? built.root(room, threadTs) : built.reply(room, threadTs, ts),
} as const;

/** Entries of one item of a room's log. */
export const LOG_ENTRIES_MAX = 50;

export const ranges = {
  ...rangeBuilders(rows),
  /** The reactions of a user to the messages from `first` to `last`: both roots, or both replies of one thread. */
  viewerReactions: (user: string, first: MessageTimestamps, last: MessageTimestamps): KeyRange => {
    const { pk, sk: from } = keys.like(user, first);
    return { pk, from, to: keys.like(user, last).sk + MAX_SUFFIX };
  },
  /** The log's items that have entries numbered `from` to `to`. */
  log: (room: string, from: number, to: number): KeyRange => ({
    pk: keys.log(room, from).pk,
    from: toTimestamp(from),
    // An item is numbered by its last entry, which may be after `to`.
    to: toTimestamp(to + LOG_ENTRIES_MAX - 1),
  }),
  /** One of a user's lists of saved messages, in the order of saving, from the first to the second time. */
  savedList: (list: SavedList, from: Timestamp = '0', to: Timestamp = ''): KeyRange => ({
    ...{ pk: savedLists.pk(list), from, to: to + MAX_SUFFIX },
  }),
  /** A user's reminders, the next one first. DynamoDB refuses an empty sort key, also as the beginning of a range. */
  reminders: (user: string): KeyRange => ({
    ...{ pk: `USER#${user}#REMINDERS`, from: '0', to: MAX_SUFFIX },
  }),
  /** Every item of a room except for its log. */
  roomItems: (room: string): KeyRange => ({ pk: keys.room(room).pk, from: '0', to: MAX_SUFFIX }),
  /** All of a room's log. */
  roomLog: (room: string): KeyRange => ({ pk: keys.log(room, 0).pk, from: '0', to: MAX_SUFFIX }),
  /** The timers of one partition that are due at `until` or before, in order. */
  timersUntil: (partition: number, until: number): KeyRange => ({
    pk: `DUE#${partition}`,
    from: '0',
    to: toTimestamp(until) + MAX_SUFFIX,
  }),
  /** The revocations from number `from` on, in order. */
  revocations: (from: number): KeyRange => {
    const { pk, sk } = keys.revocation(from);
    return { pk, from: sk, to: '9'.repeat(16) };
  },
} as const;

/** Public rooms, by when they were created. */
export const directory = {
  pk: 'DIRECTORY',
  sk: (createdAt: Timestamp, room: string) => `${createdAt}#${room}`,
  room: (gsi1sk: string) => gsi1sk.slice(17),
} as const;

/** The users who saved a message publicly, by when they did. */
export const savers = {
  pk: ({ room, threadTs, ts }: MessageTimestamps) => `SAVES#${room}#${threadTs}#${ts}`,
  sk: (savedAt: Timestamp, user: string) => `${savedAt}#${user}`,
  /** The user in `gsi1sk`. */
  user: (gsi1sk: string) => gsi1sk.slice(17),
} as const;

interface PartOfSavedList {
  readonly first: Timestamp | undefined;
  readonly last: Timestamp | undefined;
  /** Undefined: the whole part. */
  readonly after: string | undefined;
  readonly reverse: boolean;
}

/** A user's lists of saved messages in the order of the messages. An entry has the ids of the message's tags, too. */
export const savedLists = {
  pk: ({ user, visibility, list }: SavedList) => `USER#${user}#SAVED#${visibility}#${list}`,
  sk: ({ room, threadTs, ts }: MessageTimestamps, tags: readonly string[]) =>
    `${ts}#${room}#${threadTs}#${tags.join('.')}`,
  /** The message in `gsi1sk`, without the tags: its place in the list, of which there is one for each message. */
  position: (gsi1sk: string) => gsi1sk.split('#').slice(0, 3).join('#'),
  /** The messages from the first to the last time that follow a position, in the direction of reading. */
  between: ({ first = '0', last = '', after, reverse }: PartOfSavedList): Omit<KeyRange, 'pk'> => ({
    // A position is before all entries of its message, with any tags.
    from: after === undefined || reverse ? first : `${after}#${MAX_SUFFIX}`,
    to: after === undefined || !reverse ? last + MAX_SUFFIX : after,
  }),
  /** The ids of the tags in `gsi1sk`. */
  tags: (gsi1sk: string): string[] => (gsi1sk.split('#')[3] ?? '').split('.').filter((tag) => tag !== ''),
} as const;

/** A user's tags by how many saved messages have them. */
export const savedTagsByCount = {
  pk: (user: string) => `USER#${user}#TAGS`,
  sk: (count: number, tag: string) => `${toTimestamp(count)}#${tag}`,
  /** The id of the tag in `gsi1sk`. */
  tag: (gsi1sk: string) => gsi1sk.slice(17),
} as const;

/** The tags of a user's public saved messages, by their folded names. */
export const publicTags = {
  pk: (user: string) => `USER#${user}#PUBLICTAGS`,
  sk: (tagName: string, tag: string) => `${tagName}#${tag}`,
  /** The parts of `gsi1sk`. A name has no number sign. */
  tagName: (gsi1sk: string) => gsi1sk.slice(0, gsi1sk.lastIndexOf('#')),
  tag: (gsi1sk: string) => gsi1sk.slice(gsi1sk.lastIndexOf('#') + 1),
} as const;

export type ReactorIndex = ReturnType<typeof reactorIndex>;

/** The users who reacted to a message in one way, by when they did. */
const reactorIndex = (name: string) => ({
  pk: ({ room, threadTs, ts }: MessageTimestamps) => `${name}#${room}#${threadTs}#${ts}`,
  sk: (at: Timestamp, user: string) => `${at}#${user}`,
  /** The parts of `gsi1sk`. */
  parts: (gsi1sk: string) => ({ at: gsi1sk.slice(0, 16), user: gsi1sk.slice(17) }),
});

/** The users who like a message. */
export const likers = reactorIndex('LIKES');

/** A user's notifications, by their last activity; unread and read ones apart. */
export const notificationList = {
  unread: (user: string) => `${keys.user(user).pk}#UNREAD`,
  read: (user: string) => `${keys.user(user).pk}#READ`,
  sk: (updatedAt: Timestamp, id: string) => `${updatedAt}#${id}`,
  /** The parts of `gsi1sk`. */
  parts: (gsi1sk: string) => ({ updatedAt: gsi1sk.slice(0, 16), id: gsi1sk.slice(17) }),
} as const;

/** The threads that a user follows, by their newest reply. */
export const threadList = {
  pk: (user: string) => `${keys.user(user).pk}#THREADS`,
  sk: (newestReply: Timestamp, room: string, threadTs: Timestamp) => `${newestReply}#${room}#${threadTs}`,
  /** The parts of `gsi1sk`. */
  parts(gsi1sk: string) {
    const [newestReply = '', room = '', threadTs = ''] = gsi1sk.split('#');
    return { newestReply, room, threadTs };
  },
} as const;

/** The messages of a room that a user likes, in their order. */
export const likedList = {
  pk: (user: string, room: string) => `${keys.user(user).pk}#LIKED#${room}`,
  sk: ({ threadTs, ts }: { readonly threadTs: Timestamp; readonly ts: Timestamp }, at: Timestamp) =>
    `${ts}#${threadTs}#${at}`,
  /** The parts of `gsi1sk`. */
  parts(gsi1sk: string) {
    const [ts = '', threadTs = '', at = ''] = gsi1sk.split('#');
    return { ts, threadTs, at };
  },
} as const;

/** A user's scheduled messages, by when they are sent (milliseconds since 1970, 16 digits). */
export const scheduledList = {
  pk: (user: string) => `${keys.user(user).pk}#SCHEDULED`,
  sk: (sendAt: number, id: string) => `${toTimestamp(sendAt)}#${id}`,
  /** The id in `gsi1sk`. */
  id: (gsi1sk: string) => gsi1sk.slice(17),
} as const;

/** The parts of a sort key by which users are found: unique, and in the order of the handles. */
const byHandle = {
  sk: (handle: string, user: string) => `${handle}#${user}`,
  parts: (gsi1sk: string) => {
    const [handle = '', user = ''] = gsi1sk.split('#');
    return { handle, user };
  },
};

/** Handles in use, in the order of the alphabet. Those with the same first character are one partition. */
export const handleList = {
  ...byHandle,
  /** `prefix`: a handle or its beginning, at least one character. */
  pk: (prefix: string) => `HANDLES#${prefix.slice(0, 1)}`,
} as const;

/** The handles of a room's members, in the order of the alphabet. */
export const memberHandles = {
  ...byHandle,
  pk: (room: string) => `ROOM#${room}#HANDLES`,
} as const;

/** Background work by its state and creation time (in milliseconds). `name` as `nameOfJob` makes it. */
export const jobList = {
  pk: (state: string) => `JOBS#${state}`,
  sk: (createdAt: number, name: string) => `${toTimestamp(createdAt)}#${name}`,
} as const;

/** The index's partition in which an earlier release kept jobs that wait for their time. */
export const waitingJobs = 'JOBS';

/** `unknown`: written by a newer version of the program, or by another program. */
export type ParsedKey = Parsed<typeof rows> | { readonly type: 'unknown' };

const UNKNOWN: ParsedKey = { type: 'unknown' };
const parse = keyParser(rows);

/** The reverse of `keys`. Never throws: a key that no row builds is `unknown`. */
export const parseKey = (key: Key): ParsedKey => parse(key) ?? UNKNOWN;

/** A key as one text, for maps and sets. */
export const keyName = ({ pk, sk }: Key | Item): string => `${pk}\n${sk}`;

/** The key of an item that was read from the table. */
export const keyOf = ({ pk, sk }: Item): Key => ({ pk: pk as string, sk: sk as string });
