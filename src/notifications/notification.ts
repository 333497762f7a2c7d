import { type Topic, topic } from '../bus/bus.ts';
import { defined } from '../core/defined.ts';
import { microsOf, type Timestamp, toTimestamp } from '../core/timestamps.ts';
import type { Item } from '../dynamo/item.ts';
import { keys, notificationList } from '../dynamo/keys.ts';
import { FIRST_SHAPE } from '../dynamo/shapes.ts';
import {
  type MessageKey,
  messageKeyFrom,
  type StoredMessageKey,
  storedMessageKey,
} from '../messages/message.ts';
import type { ReactionNotificationKind } from '../reactions/registry.ts';
import type { Badge } from '../unread/badge/badge.ts';

/** Kinds that are about a room, not about a message in it. */
export const ROOM_KINDS = ['INVITED', 'SEAT'] as const;

/** The kinds are stored: do not rename one. */
export type NotificationKind =
  | ReactionNotificationKind
  | 'REPLY'
  | 'MENTION'
  | 'REMINDER'
  | (typeof ROOM_KINDS)[number];

/** No other user does it: the actor is the user who is notified. Each time is news. */
export const isOwn = (kind: NotificationKind): boolean => kind === 'SEAT' || kind === 'REMINDER';

/**
 * What a notification is about: the message that has the reaction, the mention or the reminder; for replies, the root;
 * of the `ROOM_KINDS`, the room (`roomSubject`).
 */
export interface Subject extends MessageKey {
  readonly kind: NotificationKind;
}

/** Whether a root of a room mentions the user: the badge counts both once. */
export const isRootMention = ({ kind, threadTs, ts }: Pick<Subject, 'kind' | 'threadTs' | 'ts'>): boolean =>
  kind === 'MENTION' && threadTs === ts;

/** Earlier than every message. */
const ROOM_ITSELF: Timestamp = toTimestamp(0);

export const roomSubject = (kind: (typeof ROOM_KINDS)[number], room: string): Subject => ({
  kind,
  room,
  threadTs: ROOM_ITSELF,
  ts: ROOM_ITSELF,
});

/** Whether the notification is about a message, so that there is one to read. */
export const isAboutMessage = ({ ts }: Pick<Subject, 'ts'>): boolean => ts !== ROOM_ITSELF;

/** A user who did something, and when they last did it. */
export interface Actor {
  readonly user: string;
  readonly at: Timestamp;
}

/** A variant of a reaction, such as a stamp, and when a user last reacted with it. */
export interface NotifiedVariant {
  readonly key: string;
  readonly at: Timestamp;
}

/**
 * Informs one user of everything of one kind about one message. While it is unread, new activities are added to
 * it. Once it is read it does not change, and the next activity creates a new one.
 */
export interface Notification extends Subject {
  readonly user: string;
  readonly id: string;
  /** Distinct users. */
  readonly count: number;
  /** The newest of them, newest first: at most NAMED_MAX, and possibly fewer after many were removed. */
  readonly actors: readonly Actor[];
  /** The badge's epoch when the notification was created. */
  readonly epoch: number;
  /** When the newest activity in it happened. */
  readonly updatedAt: Timestamp;
  /** STAMP: the newest different stamps, newest first: at most VARIANTS_MAX. */
  readonly variants: readonly NotifiedVariant[];
  /** REPLY: the newest reply, by its `ts`. */
  readonly latest: Timestamp | null;
  /** REPLY: the oldest reply, by its `ts`. Absent in notifications of releases that did not keep it. */
  readonly first?: Timestamp;
  /**
   * MENTION in a root: the `joinNumber` of the membership that counts it while it is unread (`Membership.mentioned`).
   * Absent: none does, also in notifications of releases that did not count them. The badge then counts it and its
   * root.
   */
  readonly join?: number;
  /** Rises with every change. */
  readonly version: number;
  readonly readAt: Timestamp | null;
  /** Seconds since 1970, after which it counts as deleted; null until it is read. */
  readonly expiresAt: number | null;
}

/** Two are shown. The others replace them when they are removed. With more, the item would exceed 1 KB. */
export const NAMED_MAX = 8;
/** Three are shown. The others replace them when they are removed. */
export const VARIANTS_MAX = 6;
/** How many actors a notification shows. It stores more, so that some are left after others were removed. */
export const ACTORS_SHOWN = 2;

export const notificationItem = (one: Notification) => ({
  v: FIRST_SHAPE,
  kind: one.kind,
  ...storedMessageKey(one),
  count: one.count,
  actors: one.actors,
  epoch: one.epoch,
  updatedAt: one.updatedAt,
  rev: one.version,
  gsi1pk: one.readAt === null ? notificationList.unread(one.user) : notificationList.read(one.user),
  gsi1sk: notificationList.sk(one.updatedAt, one.id),
  ...defined({
    variants: one.variants.length === 0 ? undefined : one.variants,
    latest: one.latest ?? undefined,
    first: one.first,
    join: one.join,
    readAt: one.readAt ?? undefined,
    expiresAt: one.expiresAt ?? undefined,
  }),
  ...keys.notification(one.user, one.id),
});

/** The item's own state. `applyReadAll` adds whether it was read together with all others. */
export const notificationOf = (user: string, id: string, item: Item): Notification => ({
  user,
  id,
  kind: item.kind as NotificationKind,
  ...messageKeyFrom(item as StoredMessageKey),
  count: item.count as number,
  actors: item.actors as Actor[],
  epoch: item.epoch as number,
  updatedAt: item.updatedAt as Timestamp,
  variants: (item.variants as NotifiedVariant[] | undefined) ?? [],
  latest: (item.latest as Timestamp | undefined) ?? null,
  ...defined({ first: item.first as Timestamp | undefined, join: item.join as number | undefined }),
  version: item.rev as number,
  readAt: (item.readAt as Timestamp | undefined) ?? null,
  expiresAt: (item.expiresAt as number | undefined) ?? null,
});

/** How long a read notification is kept, in seconds. */
export type Retention = number;

/** The notification, read at that time. */
export const withReadAt = (one: Notification, readAt: Timestamp, retention: Retention): Notification => ({
  ...one,
  readAt,
  expiresAt: Math.floor(microsOf(readAt) / 1_000_000) + retention,
});

/**
 * The notification as its user sees it: if its epoch is earlier than the badge's, it is read, even if its item has not
 * been updated yet. `badge` must not be older than the notification.
 */
export const applyReadAll = (one: Notification, badge: Badge, retention: Retention): Notification =>
  one.readAt === null && one.epoch < badge.epoch && badge.readAllAt !== null
    ? withReadAt(one, badge.readAllAt, retention)
    : one;

/** Whether it counts as deleted, even if its item is still in the table. `now` is in seconds since 1970. */
export const isExpired = ({ expiresAt }: Notification, now: number): boolean =>
  expiresAt !== null && expiresAt <= now;

/**
 * A notification was changed or deleted. The event has only its id. A server that shows the notification reads its
 * current value together with the badge, which says whether everything was read meanwhile.
 */
export type NotificationUpdate = {
  readonly id: string;
  /** The version that the change made. A server that has sent this one or a later one ignores the event. */
  readonly version: number;
};

export const notificationsTopic = (user: string): Topic<NotificationUpdate> => topic(`notifications:${user}`);
