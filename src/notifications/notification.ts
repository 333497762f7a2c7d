import { microsOf, type Timestamp } from '../core/timestamps.ts';
import type { Item } from '../dynamo/item.ts';
import { keys, type NotificationKind, notificationList } from '../dynamo/keys.ts';
import { SCHEMA_VERSION } from '../dynamo/table.ts';
import type { MessageKey } from '../messages/message.ts';
import type { Badge } from './badge.ts';

/** What a notification is about: the message that was liked, stamped or mentions; of replies the thread's root. */
export interface Subject extends MessageKey {
  readonly kind: NotificationKind;
}

/** Somebody who did something, and when they last did. */
export interface Actor {
  readonly user: string;
  readonly at: Timestamp;
}

/**
 * What happened of one kind to one message, told to one person. While it is unread all that happens goes into
 * it; once read it stays as it is, and what happens next makes a new one.
 */
export interface Notification extends Subject {
  readonly user: string;
  readonly id: string;
  /** Distinct people. */
  readonly count: number;
  /** The newest of them, newest first, NAMED_MAX at most; after many were taken back fewer than could be. */
  readonly actors: readonly Actor[];
  /** The badge's when it was made. */
  readonly epoch: number;
  /** When the newest of what it tells was done. */
  readonly updatedAt: Timestamp;
  /** REPLY: the newest reply, by its `c`. */
  readonly latest: Timestamp | null;
  /** Rises with every change. */
  readonly rev: number;
  readonly readAt: Timestamp | null;
  /** Seconds since 1970; null until it is read. Past it, it is gone. */
  readonly expiresAt: number | null;
}

/** Two are shown; the others step in when those are taken back. With more the item would outgrow 1 KB. */
export const NAMED_MAX = 8;

export const notificationItem = (one: Notification) => ({
  ...keys.notification(one.user, one.id),
  v: SCHEMA_VERSION,
  kind: one.kind,
  room: one.room,
  t: one.t,
  c: one.c,
  count: one.count,
  actors: one.actors,
  epoch: one.epoch,
  updatedAt: one.updatedAt,
  rev: one.rev,
  gsi1pk: one.readAt === null ? notificationList.unread(one.user) : notificationList.read(one.user),
  gsi1sk: notificationList.sk(one.updatedAt, one.id),
  ...(one.latest === null ? {} : { latest: one.latest }),
  ...(one.readAt === null ? {} : { readAt: one.readAt }),
  ...(one.expiresAt === null ? {} : { expiresAt: one.expiresAt }),
});

/** As the item says; `asRead` knows whether it was read together with all others. */
export const notificationOf = (user: string, id: string, item: Item): Notification => ({
  user,
  id,
  kind: item.kind as NotificationKind,
  room: item.room as string,
  t: item.t as Timestamp,
  c: item.c as Timestamp,
  count: item.count as number,
  actors: item.actors as Actor[],
  epoch: item.epoch as number,
  updatedAt: item.updatedAt as Timestamp,
  latest: (item.latest as Timestamp | undefined) ?? null,
  rev: item.rev as number,
  readAt: (item.readAt as Timestamp | undefined) ?? null,
  expiresAt: (item.expiresAt as number | undefined) ?? null,
});

/** How long a read notification is kept, in seconds. */
export type Retention = number;

/** The same, read at that time. */
export const readAs = (one: Notification, readAt: Timestamp, retention: Retention): Notification => ({
  ...one,
  readAt,
  expiresAt: Math.floor(microsOf(readAt) / 1_000_000) + retention,
});

/**
 * As it is for its reader: one of an earlier epoch than the badge's is read, whether or not its item says so
 * already. `badge` must not be older than the notification.
 */
export const asItIs = (one: Notification, badge: Badge, retention: Retention): Notification =>
  one.readAt === null && one.epoch < badge.epoch && badge.readAllAt !== null
    ? readAs(one, badge.readAllAt, retention)
    : one;

/** Past its time: it counts as absent, whether or not it is in the table still. `now` in seconds since 1970. */
export const isGone = ({ expiresAt }: Notification, now: number): boolean =>
  expiresAt !== null && expiresAt <= now;
