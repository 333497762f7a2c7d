import type { Bus } from '../bus/bus.ts';
import type { Publisher } from '../bus/publisher.ts';
import type { Log } from '../core/log.ts';
import type { Metrics } from '../core/metrics.ts';
import type { RateLimits } from '../core/rateLimits.ts';
import { createTimestamps } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { createConsistentLoader } from '../dynamo/itemLoader.ts';
import type { Services } from '../graphql/context.ts';
import { createJobsHandler } from '../jobs/handlers.ts';
import { createMembershipGuard } from '../live/membershipGuard.ts';
import { createResync } from '../live/resync.ts';
import { createMessages } from '../messages/messages.ts';
import { createFollowing } from '../notifications/derive/following.ts';
import {
  createNotificationsHandler,
  createNotificationUpdatesHandler,
  createReadCleanupHandler,
} from '../notifications/handlers.ts';
import { createNotificationStreams } from '../notifications/live/notificationStreams.ts';
import type { Retention } from '../notifications/notification.ts';
import { createNotifications } from '../notifications/read/list.ts';
import { createNotificationReading } from '../notifications/read/markRead.ts';
import type { RateLimiter } from '../rateLimits/rateLimiter.ts';
import { createCleanupHandler } from '../reactions/handlers.ts';
import { createReactionServices, REACTIONS } from '../reactions/registry.ts';
import type { Catalogue } from '../reactions/stamps/catalogue.ts';
import { createViewerReactions } from '../reactions/viewerReactions.ts';
import { createRoomEventsHandler } from '../roomEvents/handlers.ts';
import { createRoomCache } from '../roomEvents/roomCache.ts';
import { createRoomLog } from '../roomEvents/roomLog.ts';
import { createRoomLogReader } from '../roomEvents/roomLogReader.ts';
import { createRoomSubscriptions } from '../roomEvents/subscription.ts';
import { createTyping } from '../roomEvents/typing.ts';
import { createMembershipsHandler, createWaitlistHandler } from '../rooms/handlers.ts';
import { createWaitlistProcessor } from '../rooms/membership/waitlistProcessor.ts';
import { createRoomQueries } from '../rooms/roomQueries.ts';
import { createRooms } from '../rooms/rooms.ts';
import type { StreamHandler } from '../stream/change.ts';
import { createBadgeService } from '../unread/badge/badgeService.ts';
import { createBadgesHandler } from '../unread/handlers.ts';
import { createReadPositions } from '../unread/markRead.ts';
import { createUnread } from '../unread/unread.ts';
import { createProfileCache } from '../users/profileCache.ts';
import { createUsers } from '../users/users.ts';
import type { AppJobs } from './jobs.ts';

export interface ServicesOptions {
  readonly dynamo: Dynamo;
  readonly bus: Bus;
  readonly publisher: Publisher;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly catalogue: Catalogue;
  readonly rateLimiter: RateLimiter;
  readonly rateLimits: RateLimits;
  readonly retention: Retention;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The services that resolvers call. A new feature has its line here. */
export function createServices({
  dynamo,
  bus,
  publisher,
  log,
  metrics,
  catalogue,
  rateLimiter,
  rateLimits,
  retention,
  now,
}: ServicesOptions): Services {
  const timestamps = createTimestamps(now);
  const unread = createUnread({ dynamo });
  const notifications = createNotifications({ dynamo, retention, now });
  const items = createConsistentLoader(dynamo, { gather: true });
  const membershipGuard = createMembershipGuard(items);
  const roomCache = createRoomCache({ dynamo, bus });
  const resync = createResync({ bus, log, onResync: () => metrics.resyncs.inc() });
  const badges = createBadgeService({
    ...{ unread, rooms: roomCache, guard: membershipGuard, items, bus, log },
    onPush: () => metrics.badgePushes.inc(),
    onTrouble: () => void resync.resync(),
  });
  const notificationStreams = createNotificationStreams({
    ...{ dynamo, items, notifications, bus, log },
    onPush: () => metrics.notificationPushes.inc(),
  });
  const profileCache = createProfileCache({ bus, publisher });
  // Profiles first, because they only forget. Rooms before badges, which use their numbers.
  for (const part of [profileCache, roomCache, badges, notificationStreams]) resync.add(part);
  return {
    users: createUsers({ dynamo, items, timestamps, profileCache, handleLimit: rateLimits.handles, now }),
    profileCache,
    rooms: createRooms({ dynamo, timestamps, publisher, now }),
    roomQueries: createRoomQueries({ dynamo }),
    messages: createMessages({
      dynamo,
      timestamps,
      publisher,
      now,
      extensions: REACTIONS,
      viewerItems: createViewerReactions({ dynamo, kinds: REACTIONS }),
    }),
    ...createReactionServices({ dynamo, timestamps }),
    catalogue,
    rateLimiter,
    resync,
    membershipGuard,
    roomCache,
    badges,
    notificationStreams,
    roomEvents: createRoomSubscriptions({
      ...{ items, bus, rooms: roomCache, guard: membershipGuard },
      log: createRoomLogReader({ dynamo, now }),
    }),
    typing: createTyping({ bus }),
    unread,
    readPositions: createReadPositions({ dynamo }),
    notifications,
    notificationReading: createNotificationReading({ dynamo, timestamps, retention, now }),
    following: createFollowing({ dynamo, timestamps }),
  };
}

export interface HandlersOptions {
  readonly dynamo: Dynamo;
  readonly publisher: Publisher;
  readonly jobs: AppJobs;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The handlers of the stream. A feature that derives something from it has its line here. */
export function createStreamHandlers(options: HandlersOptions): StreamHandler[] {
  const { dynamo, publisher, now } = options;
  const { jobs, kinds, notifier, replies, readCleanup, cleanups } = options.jobs;
  return [
    createRoomEventsHandler({ dynamo, log: createRoomLog({ dynamo, now }), publisher }),
    ...cleanups.map((cleanup) => createCleanupHandler({ jobs, cleanup })),
    createMembershipsHandler({ publisher }),
    createWaitlistHandler({
      waitlistProcessor: createWaitlistProcessor({ dynamo, timestamps: createTimestamps(now) }),
    }),
    createBadgesHandler({ publisher }),
    createNotificationsHandler({ dynamo, notifier, replies }),
    createReadCleanupHandler(readCleanup),
    createNotificationUpdatesHandler({ publisher }),
    createJobsHandler({ dynamo, kinds, now }),
  ];
}
