import type { Timestamp } from '../../core/timestamps.ts';
import { keys } from '../../dynamo/keys.ts';
import type { Write } from '../../dynamo/write.ts';
import { type Notification, notificationItem, type Retention, readAs } from '../notification.ts';

/** The notification after it was read. */
export const movedTo = (one: Notification, readAt: Timestamp, retention: Retention): Notification => ({
  ...readAs(one, readAt, retention),
  rev: one.rev + 1,
});

/** Part of a transaction: this notification is among the read ones now, unless it has changed meanwhile. */
export const moves = (moved: Notification): Write => ({
  put: notificationItem(moved),
  condition: 'rev = :before AND attribute_not_exists(readAt)',
  values: { ':before': moved.rev - 1 },
});

/** Part of a transaction: no pointer says any more that this is the unread one. */
export const unpoints = (one: Notification): Write => ({
  delete: keys.pointer(one.user, one),
  condition: 'attribute_not_exists(pk) OR #id = :id',
  names: { '#id': 'id' },
  values: { ':id': one.id },
});
