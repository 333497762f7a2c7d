import type { Bus } from '../bus/bus.ts';
import type { Publisher } from '../bus/publisher.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { createStamps } from '../dynamo/stamps.ts';
import { createEventsHandler } from '../events/handlers.ts';
import { createHistory } from '../events/history.ts';
import { createRoomLog } from '../events/log.ts';
import { createOpenRooms } from '../events/openRooms.ts';
import { createRoomSubscriptions } from '../events/subscription.ts';
import { createTyping } from '../events/typing.ts';
import type { Services } from '../graphql/context.ts';
import { createJobsHandler } from '../jobs/handlers.ts';
import { createLikesClearingHandler } from '../likes/handlers.ts';
import { createLikes } from '../likes/likes.ts';
import type { Limits } from '../limits/limits.ts';
import type { Log } from '../log.ts';
import { createMessages } from '../messages/messages.ts';
import type { Metrics } from '../metrics.ts';
import { createFollowing } from '../notifications/following.ts';
import { createAfterReadingHandler, createNotificationsHandler } from '../notifications/handlers.ts';
import { createNotifications } from '../notifications/list.ts';
import { createNotificationNewsHandler } from '../notifications/live/handler.ts';
import { createNotificationsLive } from '../notifications/live/live.ts';
import type { Retention } from '../notifications/notification.ts';
import { createNotificationReading } from '../notifications/reading.ts';
import { createMembershipsHandler, createWaitlistHandler } from '../rooms/handlers.ts';
import { createLists } from '../rooms/members.ts';
import { createRooms } from '../rooms/rooms.ts';
import { createSeating } from '../rooms/seating.ts';
import type { Catalogue } from '../stamps/catalogue.ts';
import { createClearingHandler } from '../stamps/handlers.ts';
import { createStampings } from '../stamps/stamps.ts';
import type { StreamHandler } from '../stream/change.ts';
import { createBadgesHandler, createReadPositionsHandler } from '../unread/handlers.ts';
import { createHub } from '../unread/hub/hub.ts';
import { createReading } from '../unread/reading.ts';
import { createUnread } from '../unread/unread.ts';
import { createUsers } from '../users/users.ts';
import { createNotifying, type NotifyingOptions } from './notifying.ts';

export interface ServicesOptions {
  readonly dynamo: Dynamo;
  readonly bus: Bus;
  readonly publisher: Publisher;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly catalogue: Catalogue;
  readonly limits: Limits;
  readonly retention: Retention;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** What the features do, each on its own; a new feature has its line here. */
export function createServices({
  dynamo,
  bus,
  publisher,
  log,
  metrics,
  catalogue,
  limits,
  retention,
  now,
}: ServicesOptions): Services {
  const stamps = createStamps(now);
  const unread = createUnread({ dynamo });
  const notifications = createNotifications({ dynamo, retention, now });
  const openRooms = createOpenRooms({ dynamo, bus });
  return {
    users: createUsers({ dynamo, stamps, now }),
    rooms: createRooms({ dynamo, stamps, publisher, now }),
    lists: createLists({ dynamo }),
    messages: createMessages({ dynamo, stamps, publisher, now }),
    likes: createLikes({ dynamo, stamps }),
    stamps: createStampings({ dynamo, stamps }),
    catalogue,
    limits,
    openRooms,
    roomEvents: createRoomSubscriptions({
      dynamo,
      bus,
      rooms: openRooms,
      history: createHistory({ dynamo, now }),
    }),
    typing: createTyping({ bus }),
    unread,
    reading: createReading({ dynamo }),
    notifications,
    notificationReading: createNotificationReading({ dynamo, stamps, retention, now }),
    notificationsLive: createNotificationsLive({
      ...{ dynamo, notifications, bus, log },
      onPush: () => metrics.notificationPushes.inc(),
    }),
    following: createFollowing({ dynamo, stamps }),
    hub: createHub({
      dynamo,
      unread,
      rooms: openRooms,
      bus,
      log,
      onPush: () => metrics.badgePushes.inc(),
      onResync: () => metrics.resyncs.inc(),
    }),
  };
}

export interface HandlersOptions extends NotifyingOptions {
  readonly publisher: Publisher;
}

/** What is derived from the stream; a feature that derives something has its line here. */
export function createStreamHandlers({ publisher, ...options }: HandlersOptions): StreamHandler[] {
  const { dynamo, now } = options;
  const { notifier, replies, afterReading } = createNotifying(options);
  return [
    createEventsHandler({ dynamo, log: createRoomLog({ dynamo, now }), publisher }),
    createReadPositionsHandler({ dynamo }),
    createClearingHandler({ dynamo }),
    createLikesClearingHandler({ dynamo }),
    createMembershipsHandler({ publisher }),
    createWaitlistHandler({ seating: createSeating({ dynamo, stamps: createStamps(now) }) }),
    createBadgesHandler({ publisher }),
    createNotificationsHandler({ dynamo, notifier, replies }),
    createAfterReadingHandler(afterReading),
    createNotificationNewsHandler({ publisher }),
    createJobsHandler({ dynamo, kinds: [replies.others, ...afterReading.kinds] }),
  ];
}
