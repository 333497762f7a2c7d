import { badUserInput, notFound } from '../../core/errors.ts';
import { secondsOf, type Timestamps } from '../../core/timestamps.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import { ifConditionHolds } from '../../dynamo/errors.ts';
import { isId, keys } from '../../dynamo/keys.ts';
import { AGAIN } from '../../dynamo/optimistic.ts';
import { badgeOf } from '../../unread/badge/badge.ts';
import { asRead, badgeChangeWrite, deletePointerWrite, markReadWrite, sameEpoch } from '../derive/store.ts';
import {
  applyReadAll,
  isExpired,
  type Notification,
  notificationOf,
  type Retention,
} from '../notification.ts';

/** The most notifications that one call can mark as read by id. */
export const READ_MAX = 100;
/** Notifications per transaction. Each takes two items, and a larger transaction conflicts with others more often. */
const AT_ONCE = 25;

export interface NotificationReadingOptions {
  readonly dynamo: Dynamo;
  readonly timestamps: Timestamps;
  readonly retention: Retention;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

export type NotificationReading = ReturnType<typeof createNotificationReading>;

/** Marks notifications as read, which takes them out of the badge. */
export function createNotificationReading(options: NotificationReadingOptions) {
  const { dynamo, timestamps, retention, now = Date.now } = options;

  /**
   * Marks these notifications as read and resolves to their new values, in the order of `ids`, each once. One that is
   * already read does not change. An activity that arrives meanwhile is either in the notification that is read or in
   * a new one, because the transaction requires that the notification has not changed. One round trip to read, and
   * one for each AT_ONCE unread notifications. Throws BAD_USER_INPUT for more than READ_MAX ids. Throws NOT_FOUND,
   * with nothing changed, if one of them does not exist, expired or belongs to another user.
   */
  async function markRead(user: string, ids: readonly string[]): Promise<Notification[]> {
    if (ids.length > READ_MAX) {
      throw badUserInput(
        'input.ids',
        `At most ${READ_MAX} ids are allowed. Without ids, all notifications are marked as read.`,
        READ_MAX,
      );
    }
    const wanted = [...new Set(ids)];
    return dynamo.optimistic(async (attempt) => {
      const { notifications, epoch } = await load(user, wanted);
      // A notification that was deleted between two attempts is left out.
      if (attempt === 0 && notifications.length < wanted.length) throw notFound();
      const readAt = timestamps.next();
      const unread = notifications.filter((one) => one.readAt === null);
      const read = unread.map((one) => asRead(one, readAt, retention));
      for (let i = 0; i < read.length; i += AT_ONCE) {
        if (!(await writeRead(user, epoch, read.slice(i, i + AT_ONCE)))) return AGAIN;
      }
      const byId = new Map(read.map((one) => [one.id, one]));
      return notifications.map((one) => byId.get(one.id) ?? one);
    });
  }

  /** One transaction. Resolves to false, with nothing written, if a notification or the badge's epoch changed. */
  async function writeRead(user: string, epoch: number, read: readonly Notification[]): Promise<boolean> {
    const failed = await dynamo.tryTransact({
      notifications: read.flatMap((one) => [markReadWrite(one), deletePointerWrite(one)]),
      badge: badgeChangeWrite(user, epoch, -read.reduce((sum, { count }) => sum + count, 0)),
    });
    return failed === undefined;
  }

  async function load(user: string, ids: readonly string[]) {
    const wellFormed = ids.filter(isId);
    const [badgeItem, ...items] = await dynamo.batchGet([
      keys.badge(user),
      ...wellFormed.map((id) => keys.notification(user, id)),
    ]);
    const badge = badgeOf(badgeItem);
    const notifications = wellFormed.flatMap((id, i): Notification[] => {
      const item = items[i];
      if (item === undefined) return [];
      const one = applyReadAll(notificationOf(user, id, item), badge, retention);
      return isExpired(one, secondsOf(now())) ? [] : [one];
    });
    return { epoch: badge.epoch, notifications };
  }

  /**
   * Marks all notifications as read. One read and one update, for any number of them: it raises the badge's epoch, and
   * notifications of an earlier epoch count as read. Their items are updated in the background.
   */
  async function markAllRead(user: string): Promise<void> {
    const { total, epoch } = badgeOf(await dynamo.get(keys.badge(user)));
    if (total === 0) return;
    // If the condition fails, all were marked as read meanwhile, perhaps by an attempt whose response was lost.
    await ifConditionHolds(
      dynamo.update(keys.badge(user), {
        update: 'SET #total = :none, epoch = :next, readAllAt = :at, rev = rev + :one',
        condition: sameEpoch(epoch),
        names: { '#total': 'total' },
        values: { ':none': 0, ':next': epoch + 1, ':at': timestamps.next(), ':one': 1, ':epoch': epoch },
      }),
    );
  }

  return { markRead, markAllRead };
}
