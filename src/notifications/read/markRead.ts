import { badUserInput, notFound } from '../../core/errors.ts';
import type { Timestamps } from '../../core/timestamps.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import { ConditionFailed } from '../../dynamo/errors.ts';
import { isId, keys } from '../../dynamo/keys.ts';
import { AGAIN, optimistic } from '../../dynamo/optimistic.ts';
import { badgeChange, badgeOf, sameEpoch } from '../badge.ts';
import { movedTo, moves, unpoints } from '../derive/moving.ts';
import { asItIs, isGone, type Notification, notificationOf, type Retention } from '../notification.ts';

/** Notifications that can be named at once. */
export const READ_MAX = 100;
/** Read in one transaction: each is two items of it, and the more there are the likelier it meets another. */
const AT_ONCE = 25;

export interface NotificationReadingOptions {
  readonly dynamo: Dynamo;
  readonly timestamps: Timestamps;
  readonly retention: Retention;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

export type NotificationReading = ReturnType<typeof createNotificationReading>;

/** Reading notifications takes them out of the badge. */
export function createNotificationReading(options: NotificationReadingOptions) {
  const { dynamo, timestamps, retention, now = Date.now } = options;

  /**
   * Marks these as read and resolves to them as they are then, in the order of `ids`, each once. One that was
   * read already stays as it was. What happens meanwhile is in the one that is read, or in a new one: the
   * transaction holds all that was seen of it. One round trip to read, and one for each AT_ONCE unread.
   * Throws BAD_USER_INPUT for more than READ_MAX, and NOT_FOUND, with nothing changed, where one of them is
   * not there, not theirs or past its time.
   */
  async function markRead(user: string, ids: readonly string[]): Promise<Notification[]> {
    if (ids.length > READ_MAX) {
      throw badUserInput(
        'input.ids',
        `At most ${READ_MAX} can be named; without ids all are read.`,
        READ_MAX,
      );
    }
    const wanted = [...new Set(ids)];
    return optimistic(async (attempt) => {
      const { notifications, epoch } = await load(user, wanted);
      // A notification that was taken back to nothing between two attempts is left out.
      if (attempt === 0 && notifications.length < wanted.length) throw notFound();
      const readAt = timestamps.next();
      const unread = notifications.filter((one) => one.readAt === null);
      const read = unread.map((one) => movedTo(one, readAt, retention));
      for (let i = 0; i < read.length; i += AT_ONCE) {
        if (!(await writeRead(user, epoch, read.slice(i, i + AT_ONCE)))) return AGAIN;
      }
      const byId = new Map(read.map((one) => [one.id, one]));
      return notifications.map((one) => byId.get(one.id) ?? one);
    });
  }

  /** One transaction. Resolves to false, with nothing written, if one of them or the badge's epoch changed. */
  async function writeRead(user: string, epoch: number, read: readonly Notification[]): Promise<boolean> {
    const failed = await dynamo.tryTransact({
      notifications: read.flatMap((one) => [moves(one), unpoints(one)]),
      badge: badgeChange(user, epoch, -read.reduce((sum, { count }) => sum + count, 0)),
    });
    return failed === undefined;
  }

  async function load(user: string, ids: readonly string[]) {
    const named = ids.filter(isId);
    const [badgeItem, ...items] = await dynamo.batchGet([
      keys.badge(user),
      ...named.map((id) => keys.notification(user, id)),
    ]);
    const badge = badgeOf(badgeItem);
    const notifications = named.flatMap((id, i): Notification[] => {
      const item = items[i];
      if (item === undefined) return [];
      const one = asItIs(notificationOf(user, id, item), badge, retention);
      return isGone(one, Math.floor(now() / 1_000)) ? [] : [one];
    });
    return { epoch: badge.epoch, notifications };
  }

  /**
   * Marks as read whatever there is, however much. One read, one update: it needs none of the notifications,
   * for those of an earlier epoch than the badge's are read. What they look like in the table is settled in
   * the background.
   */
  async function markAllRead(user: string): Promise<void> {
    const { total, epoch } = badgeOf(await dynamo.get(keys.badge(user)));
    if (total === 0) return;
    try {
      await dynamo.update(keys.badge(user), {
        update: 'SET #total = :none, epoch = :next, readAllAt = :at, rev = rev + :one',
        condition: sameEpoch(epoch),
        names: { '#total': 'total' },
        values: { ':none': 0, ':next': epoch + 1, ':at': timestamps.next(), ':one': 1, ':epoch': epoch },
      });
    } catch (error) {
      // Somebody has read all since, perhaps an attempt of this very call whose answer was lost: just as good.
      if (!(error instanceof ConditionFailed)) throw error;
    }
  }

  return { markRead, markAllRead };
}
