/**
 * The keys of the one global index (`gsi1pk`, `gsi1sk`): for each list that it holds, how an entry's partition and sort
 * key are built, and what a sort key says.
 */
import { type Timestamp, toTimestamp } from '../core/timestamps.ts';
import { type KeyRange, MAX_SUFFIX } from './keyRow.ts';
import type { MessageTimestamps, SavedList } from './keyTable.ts';

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
  /** The tags that follow a name, with any id. */
  after: (tagName: string): Omit<KeyRange, 'pk'> => ({ from: `${tagName}#${MAX_SUFFIX}`, to: MAX_SUFFIX }),
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
  unread: (user: string) => `USER#${user}#UNREAD`,
  read: (user: string) => `USER#${user}#READ`,
  sk: (updatedAt: Timestamp, id: string) => `${updatedAt}#${id}`,
  /** The parts of `gsi1sk`. */
  parts: (gsi1sk: string) => ({ updatedAt: gsi1sk.slice(0, 16), id: gsi1sk.slice(17) }),
} as const;

/** The threads that a user follows, by their newest reply. */
export const threadList = {
  pk: (user: string) => `USER#${user}#THREADS`,
  sk: (newestReply: Timestamp, room: string, threadTs: Timestamp) => `${newestReply}#${room}#${threadTs}`,
  /** The parts of `gsi1sk`. */
  parts(gsi1sk: string) {
    const [newestReply = '', room = '', threadTs = ''] = gsi1sk.split('#');
    return { newestReply, room, threadTs };
  },
} as const;

/** The messages of a room that a user likes, in their order. */
export const likedList = {
  pk: (user: string, room: string) => `USER#${user}#LIKED#${room}`,
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
  pk: (user: string) => `USER#${user}#SCHEDULED`,
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
