import type { Dynamo } from '../../dynamo/dynamo.ts';
import type { Item } from '../../dynamo/item.ts';
import type { ItemLoader } from '../../dynamo/itemLoader.ts';
import { keys, notificationList } from '../../dynamo/keys.ts';
import { type Badge, badgeOf } from '../badge.ts';
import { asItIs, isGone, type Notification, notificationOf, type Retention } from '../notification.ts';

export interface NotificationsOptions {
  readonly dynamo: Dynamo;
  readonly retention: Retention;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface NotificationsPage {
  readonly limit: number;
  /** The place in the list to start behind; absent: from the newest. */
  readonly from: string | undefined;
  readonly unreadOnly: boolean;
}

/** A notification where the list has it: by when something last happened, as far as the index knows. */
export type Placed = Notification & { readonly place: string };

export interface NotificationsRead {
  readonly nodes: readonly Placed[];
  readonly more: boolean;
  /** The last place that was looked at, whatever was found there: where to go on. */
  readonly end: string | undefined;
  readonly badge: Badge;
}

type Items = Pick<ItemLoader, 'loadMany'>;

/** Read ones that are past their time may lie in the index for days: so many pages of nothing else are skipped. */
const EMPTY_PAGES_MAX = 5;

export type Notifications = ReturnType<typeof createNotifications>;

/** What somebody is notified of, to be read. */
export function createNotifications({ dynamo, retention, now }: NotificationsOptions) {
  const seconds = () => Math.floor(now() / 1000);

  /**
   * These notifications as they are now, null for what is not there, not theirs or past its time; and the
   * badge, which says what was read together with everything else. One round trip.
   */
  async function look(user: string, ids: readonly string[], items: Items) {
    const found = await items.loadMany([keys.badge(user), ...ids.map((id) => keys.notification(user, id))]);
    const badge = badgeOf(found[0]);
    const notifications = ids.map((id, i): Notification | null => {
      const item = found[i + 1];
      if (item === undefined) return null;
      const notification = asItIs(notificationOf(user, id, item), badge, retention);
      return isGone(notification, seconds()) ? null : notification;
    });
    return { notifications, badge };
  }

  /**
   * A page, newest first: unread and read ones are two ranges of the index, merged. Two round trips: the
   * ranges side by side, then what they name, for the index lags: the items decide what is read and what is
   * still there.
   */
  async function list(user: string, page: NotificationsPage, items: Items): Promise<NotificationsRead> {
    let { from } = page;
    for (let empty = 0; ; empty++) {
      const { places, more } = await named(user, { ...page, from });
      const ids = places.map((place) => notificationList.parts(place).id);
      const { notifications, badge } = await look(user, ids, items);
      const nodes = notifications.flatMap((one, i): Placed[] => {
        const place = places[i];
        if (one === null || place === undefined || (page.unreadOnly && one.readAt !== null)) return [];
        // Of two places of one the newer, which comes first.
        return ids.indexOf(one.id) === i ? [{ ...one, place }] : [];
      });
      from = places.at(-1) ?? from;
      if (nodes.length > 0 || !more || empty >= EMPTY_PAGES_MAX) return { nodes, more, end: from, badge };
    }
  }

  /** The places of a page, as the index has them. */
  async function named(user: string, { limit, from, unreadOnly }: NotificationsPage) {
    const ranges = [notificationList.unread(user), ...(unreadOnly ? [] : [notificationList.read(user)])];
    const found = await Promise.all(
      ranges.map((gsi1pk) =>
        dynamo.queryIndex(gsi1pk, { limit, reverse: true, ...startBehind(user, gsi1pk, from) }),
      ),
    );
    const places = found
      .flatMap(({ items }) => items.map((item) => item.gsi1sk as string))
      .sort((a, b) => (a < b ? 1 : -1));
    return {
      places: places.slice(0, limit),
      more: places.length > limit || found.some(({ more }) => more),
    };
  }

  return { look, list };
}

function startBehind(user: string, gsi1pk: string, from: string | undefined): { startKey?: Item } {
  if (from === undefined) return {};
  const { id } = notificationList.parts(from);
  return { startKey: { ...keys.notification(user, id), gsi1pk, gsi1sk: from } };
}
