import { secondsOf } from '../../core/timestamps.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import type { Item } from '../../dynamo/item.ts';
import type { ItemLoader } from '../../dynamo/itemLoader.ts';
import { keys, notificationList } from '../../dynamo/keys.ts';
import { type Badge, badgeOf } from '../../unread/badge/badge.ts';
import {
  applyReadAll,
  isExpired,
  type Notification,
  notificationOf,
  type Retention,
} from '../notification.ts';

export interface NotificationsOptions {
  readonly dynamo: Dynamo;
  readonly retention: Retention;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface NotificationsPage {
  readonly limit: number;
  /** The cursor after which the page begins; undefined: the newest notification. */
  readonly from: string | undefined;
  readonly unreadOnly: boolean;
}

/** A notification with its cursor: when something last happened, according to the index. */
export type ListedNotification = Notification & { readonly cursor: string };

export interface NotificationsRead {
  readonly nodes: readonly ListedNotification[];
  readonly more: boolean;
  /** The cursor of the last entry that was read, even if it is not in `nodes`: the next page begins after it. */
  readonly end: string | undefined;
  readonly badge: Badge;
}

type Items = Pick<ItemLoader, 'loadMany'>;

/** Expired notifications may stay in the index for days. At most this number of pages of them is skipped. */
const EMPTY_PAGES_MAX = 5;

export type Notifications = ReturnType<typeof createNotifications>;

/** Reads a user's notifications. */
export function createNotifications({ dynamo, retention, now }: NotificationsOptions) {
  const seconds = () => secondsOf(now());

  /**
   * The current values of these notifications and the badge, which says whether all were read at once. A value is
   * null if the notification does not exist, expired or belongs to another user. One round trip.
   */
  async function getMany(user: string, ids: readonly string[], items: Items) {
    const found = await items.loadMany([keys.badge(user), ...ids.map((id) => keys.notification(user, id))]);
    const badge = badgeOf(found[0]);
    const notifications = ids.map((id, i): Notification | null => {
      const item = found[i + 1];
      if (item === undefined) return null;
      const notification = applyReadAll(notificationOf(user, id, item), badge, retention);
      return isExpired(notification, seconds()) ? null : notification;
    });
    return { notifications, badge };
  }

  /**
   * A page, newest first. Unread and read notifications are two ranges of the index, which are merged. Two round
   * trips: both ranges in parallel, then the items. The index lags, so the items decide what is read and what still
   * exists.
   */
  async function list(user: string, page: NotificationsPage, items: Items): Promise<NotificationsRead> {
    let { from } = page;
    for (let empty = 0; ; empty++) {
      const { cursors, more } = await listIds(user, { ...page, from });
      const ids = cursors.map((cursor) => notificationList.parts(cursor).id);
      const { notifications, badge } = await getMany(user, ids, items);
      const nodes = notifications.flatMap((one, i): ListedNotification[] => {
        const cursor = cursors[i];
        if (one === null || cursor === undefined || (page.unreadOnly && one.readAt !== null)) return [];
        // If the index has two entries of one notification, the newer one, which is first, counts.
        return ids.indexOf(one.id) === i ? [{ ...one, cursor }] : [];
      });
      from = cursors.at(-1) ?? from;
      if (nodes.length > 0 || !more || empty >= EMPTY_PAGES_MAX) return { nodes, more, end: from, badge };
    }
  }

  /** The cursors of a page, according to the index; each contains the notification's id. */
  async function listIds(user: string, { limit, from, unreadOnly }: NotificationsPage) {
    const ranges = [notificationList.unread(user), ...(unreadOnly ? [] : [notificationList.read(user)])];
    const found = await Promise.all(
      ranges.map((gsi1pk) =>
        dynamo.queryIndex(gsi1pk, { limit, reverse: true, ...exclusiveStartKey(user, gsi1pk, from) }),
      ),
    );
    const cursors = found
      .flatMap(({ items }) => items.map((item) => item.gsi1sk as string))
      .sort((a, b) => (a < b ? 1 : -1));
    return {
      cursors: cursors.slice(0, limit),
      more: cursors.length > limit || found.some(({ more }) => more),
    };
  }

  return { getMany, list };
}

function exclusiveStartKey(user: string, gsi1pk: string, from: string | undefined): { startKey?: Item } {
  if (from === undefined) return {};
  const { id } = notificationList.parts(from);
  return { startKey: { ...keys.notification(user, id), gsi1pk, gsi1sk: from } };
}
