import DataLoader from 'dataloader';
import pLimit from 'p-limit';
import { type Bus, resyncTopic, type Unsubscribe } from '../../bus/bus.ts';
import type { Log } from '../../core/log.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import type { Item } from '../../dynamo/item.ts';
import type { Key } from '../../dynamo/keys.ts';
import type { Notifications } from '../read/list.ts';
import { notificationsTopic } from '../topics.ts';
import {
  createNotificationSubscription,
  type NotificationChange,
  type NotificationSubscription,
} from './subscription.ts';
import type { PacingOptions } from './throttle.ts';

export interface NotificationsLiveOptions extends PacingOptions {
  readonly dynamo: Dynamo;
  readonly notifications: Notifications;
  readonly bus: Bus;
  readonly log: Log;
  /** Told of every event that is sent. */
  readonly onPush?: () => void;
}

export type NotificationsLive = ReturnType<typeof createNotificationsLive>;

/** The first events: so many unread notifications, the newest. */
const UNREAD_MAX = 100;
/** When something was lost, all open subscriptions list what is unread again. */
const LISTS_AT_ONCE = 8;

/** The open subscriptions of this server to people's notifications. */
export function createNotificationsLive(options: NotificationsLiveOptions) {
  const { dynamo, notifications, bus, log, onPush = () => {}, ...pacing } = options;
  const open = new Set<NotificationSubscription>();
  const lists = pLimit(LISTS_AT_ONCE);
  /** What all subscriptions look at in one moment is read together; nothing is remembered. */
  const loader = new DataLoader<Key, Item | undefined>((wanted) => dynamo.batchGet(wanted), { cache: false });
  const strongly = {
    loadMany: (keys: readonly Key[]) => Promise.all(keys.map((key) => loader.load(key))),
  };
  let stops: Unsubscribe[] = [];

  /** Attached first, then read: nothing falls between the first events and those that follow. */
  async function watch(user: string): Promise<AsyncIterableIterator<NotificationChange>> {
    let detach: Unsubscribe = () => {};
    let closed = false;
    const subscription = createNotificationSubscription({
      source: {
        unread: () =>
          lists(() =>
            notifications.list(user, { limit: UNREAD_MAX, from: undefined, unreadOnly: true }, strongly),
          ),
        look: async (ids) => (await notifications.getMany(user, ids, strongly)).notifications,
      },
      ...pacing,
      onPush,
      onTrouble: (err) =>
        log.warn({ err }, "Somebody's notifications could not be read; trying again in a moment."),
      onClose() {
        closed = true;
        open.delete(subscription);
        detach();
      },
    });
    open.add(subscription);
    try {
      detach = await bus.subscribe(notificationsTopic(user), subscription.take);
    } catch (error) {
      subscription.close();
      throw error;
    }
    // The server has stopped meanwhile.
    if (closed) detach();
    return subscription.events;
  }

  function readAgain(): void {
    for (const subscription of open) subscription.readAgain();
  }

  async function start(): Promise<void> {
    stops = [bus.onGap(readAgain), await bus.subscribe(resyncTopic, readAgain)];
  }

  function stop(): void {
    for (const end of stops) end();
    for (const subscription of open) subscription.close();
  }

  return {
    watch,
    start,
    stop,
    get size() {
      return open.size;
    },
  };
}
