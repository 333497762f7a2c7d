/**
 * The table of keys: one row for each type of item. `keys.ts` builds and parses keys with them, and says by which rules
 * they are made.
 */
import { createHash } from 'node:crypto';
import type { Timestamp } from '../core/timestamps.ts';
import { row } from './keyRow.ts';

/** Text that clients choose, made safe and short: 256 bits in base64url. */
export const hashed = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** Names a message in keys: the creation times of its thread's root and of the message, which a root has twice. */
export interface MessageTimestamps {
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

export const rows = {
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
      user,
      due,
      room,
      threadTs,
      ts,
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
      user,
      at,
      room,
      threadTs,
      ts,
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
  /**
   * A ban of the user was lifted, or they left and could invite before. Says which of their invites have ended. Kept as
   * long as an invite may last.
   */
  lifted: row(ROOM, 'LIFTED#{user}', { key: ofRoomAndUser }),
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
  /** Which run may write into the copy. */
  fence: row('CARRY', 'FENCE#{fence}', { key: (fence: number) => ({ fence }) }),
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
