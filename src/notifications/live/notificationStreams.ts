import pLimit from 'p-limit';
import { type Bus, userTopic } from '../../bus/bus.ts';
import { type Clock, systemClock } from '../../core/clock.ts';
import { coalesced } from '../../core/coalesced.ts';
import { defined } from '../../core/defined.ts';
import type { Log } from '../../core/log.ts';
import { mapAtMost } from '../../core/mapAtMost.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import type { ConsistentLoader, ItemSource, KeptItems } from '../../dynamo/itemLoader.ts';
import { keys, notificationList } from '../../dynamo/keys.ts';
import type { LivePart } from '../../live/resync.ts';
import { isFirstMembershipVersion, type MembershipEvent } from '../../rooms/room.ts';
import { badgeOf } from '../../unread/badge/badge.ts';
import { notificationsTopic } from '../notification.ts';
import type { Notifications } from '../read/list.ts';
import {
  createNotificationSubscription,
  type NotificationChange,
  type NotificationSource,
  type NotificationSubscription,
  versionOf,
} from './subscription.ts';

export interface NotificationStreamsOptions {
  readonly dynamo: Pick<Dynamo, 'queryIndex'>;
  readonly items: ConsistentLoader;
  readonly profiles?: KeptItems;
  readonly notifications: Notifications;
  readonly bus: Bus;
  readonly log: Log;
  /** Called for every event that is sent. */
  readonly onPush?: () => void;
  readonly clock?: Clock;
  readonly everyMs?: number;
}

export type NotificationStreams = ReturnType<typeof createNotificationStreams>;

/** The first events: the newest unread notifications, at most this many. */
const UNREAD_MAX = 100;
/** After a loss all subscriptions list their unread notifications again: at most this many at a time. */
const LISTS_AT_ONCE = 8;
/** Without a known loss a comparison is not urgent, and must not delay other events. */
const COMPARED_AT_ONCE = 2;

/** What the subscriptions of one user on this server share. */
interface OpenUser {
  readonly source: NotificationSource;
  readonly subscriptions: Set<NotificationSubscription>;
}

/** The subscriptions on this server to users' notifications. */
export function createNotificationStreams(options: NotificationStreamsOptions) {
  const { dynamo, items, profiles, notifications, bus, log, onPush = () => {} } = options;
  const { clock = systemClock, everyMs } = options;
  const users = new Map<string, OpenUser>();
  const lists = pLimit(LISTS_AT_ONCE);

  const allOpen = () => [...users.values()].flatMap(({ subscriptions }) => [...subscriptions]);

  /** A subscription shares only reads that begin after it has asked, so none is older than what it has received. */
  const sourceOf = (user: string): NotificationSource => ({
    unread: coalesced(() =>
      lists(() => notifications.list(user, { limit: UNREAD_MAX, from: undefined, unreadOnly: true }, items)),
    ),
    getMany: async (ids) => (await notifications.getMany(user, ids, items)).notifications,
    version: coalesced(async () => {
      const [badge, newest] = await Promise.all([
        items.load(keys.badge(user)),
        dynamo.queryIndex(notificationList.unread(user), { limit: 1, reverse: true }),
      ]);
      return versionOf(badgeOf(badge), newest.items[0]?.gsi1sk as string | undefined);
    }),
  });

  function userOf(user: string): OpenUser {
    const open = users.get(user) ?? { source: sourceOf(user), subscriptions: new Set() };
    users.set(user, open);
    return open;
  }

  /** Attached first, then read: nothing is lost between the first events and those that follow. */
  async function subscribe(user: string): Promise<AsyncIterableIterator<NotificationChange>> {
    const { source, subscriptions } = userOf(user);
    const subscription = createNotificationSubscription({
      source,
      clock,
      onPush,
      onTrouble: (err) => log.warn({ err }, 'Notifications could not be read. Trying again in a moment.'),
      onClose() {
        subscriptions.delete(subscription);
        if (subscriptions.size === 0) users.delete(user);
      },
      ...defined({ everyMs }),
    });
    subscriptions.add(subscription);
    try {
      const parts = [
        bus.subscribe(notificationsTopic(user), subscription.receive),
        bus.subscribe(userTopic<MembershipEvent>(user), (event) => receivePersonal(subscription, event)),
      ];
      // Each as soon as it is there, so that it is released if the other one fails.
      await Promise.all(parts.map(async (part) => subscription.hold(await part)));
    } catch (error) {
      subscription.close();
      throw error;
    }
    return subscription.events;
  }

  /** What a notification shows depends on the membership: it is read when the notification is sent. */
  function receivePersonal(subscription: NotificationSubscription, event: MembershipEvent): void {
    if (event.type === 'left') subscription.roomChanged(event.room, event.version);
    if (event.type !== 'membership') return;
    const { room, version } = event.membership;
    if (isFirstMembershipVersion(version)) subscription.roomChanged(room, version);
  }

  /** Reads what events show. What the subscriptions here ask for at the same moment is one batch. */
  const shown: ItemSource = {
    async batchGet(keys) {
      const keep = profiles?.beginRead();
      const found = await items.loadMany(keys);
      for (const [i, key] of keys.entries()) keep?.(key, found[i]);
      return found;
    },
  };

  const part: LivePart = {
    name: 'notifications',
    resync() {
      for (const subscription of allOpen()) subscription.resync();
    },
    async compare() {
      await mapAtMost(COMPARED_AT_ONCE, [...users.values()], ({ subscriptions }) =>
        Promise.all([...subscriptions].map((subscription) => subscription.compare())),
      );
    },
  };

  return {
    ...part,
    subscribe,
    shown,

    stop(): void {
      for (const subscription of allOpen()) subscription.close();
    },

    get size() {
      return allOpen().length;
    },
  };
}
