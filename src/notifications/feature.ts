import type { Bus } from '../bus/bus.ts';
import type { Publisher } from '../bus/publisher.ts';
import { defined } from '../core/defined.ts';
import type { Log } from '../core/log.ts';
import type { Metrics } from '../core/metrics.ts';
import { createTimestamps, type Timestamps } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import type { ConsistentLoader, KeptItems } from '../dynamo/itemLoader.ts';
import type { Feature } from '../feature.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { badgesCounter, mentionsCounter, notificationsCounter } from './counters.ts';
import { createBackfillVisitor } from './derive/backfill.ts';
import { createFollowing } from './derive/following.ts';
import { createNotifier, type NotifierOptions } from './derive/notifier.ts';
import { createReplies } from './derive/replies.ts';
import {
  createNotificationsHandler,
  createNotificationUpdatesHandler,
  createReadCleanupHandler,
  createRootMentionsHandler,
} from './handlers.ts';
import { createNotificationStreams } from './live/notificationStreams.ts';
import type { Retention } from './notification.ts';
import { createNotifications } from './read/list.ts';
import { createNotificationReading } from './read/markRead.ts';
import { createReadCleanup } from './read/readCleanup.ts';
import { createRootMentions } from './read/rootMentions.ts';
import { createFollowedThreads } from './threads/derive.ts';
import { createFollowedThreadList } from './threads/list.ts';

export interface NotificationServicesOptions {
  readonly dynamo: Dynamo;
  readonly bus: Bus;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly items: ConsistentLoader;
  readonly profileCache: KeptItems;
  readonly timestamps: Timestamps;
  readonly retention: Retention;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export function createNotificationServices(options: NotificationServicesOptions) {
  const { dynamo, bus, log, metrics, items, profileCache, timestamps, retention, now } = options;
  const notifications = createNotifications({ dynamo, retention, now });
  return {
    notifications,
    notificationReading: createNotificationReading({ dynamo, timestamps, retention, now }),
    notificationStreams: createNotificationStreams({
      dynamo,
      items,
      profiles: profileCache,
      notifications,
      bus,
      log,
      onPush: () => metrics.notificationPushes.inc(),
    }),
    following: createFollowing({ dynamo, timestamps }),
    followedThreads: createFollowedThreadList({ dynamo, notifications, now }),
  };
}

interface Needs {
  readonly dynamo: Dynamo;
  readonly publisher: Publisher;
  readonly jobs: Jobs;
  readonly retention: Retention;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called for every notification that was created or changed. */
  readonly onNotification?: NotifierOptions['onChange'];
}

export const notificationsFeature: Feature<Needs> = {
  counters: [notificationsCounter, badgesCounter, mentionsCounter],
  derive({ dynamo, publisher, jobs, retention, now, onNotification }) {
    // One for the handlers and for rebuilds: it writes the notifications of one user one after another.
    const notifier = createNotifier({ dynamo, retention, now, ...defined({ onChange: onNotification }) });
    const followedThreads = createFollowedThreads({ dynamo, jobs, now });
    const replies = createReplies({ dynamo, notifier, jobs, moveThread: followedThreads.move });
    const readCleanup = createReadCleanup({ dynamo, jobs, retention });
    const timestamps = createTimestamps(now);
    const { threadReadJob } = createNotificationReading({ dynamo, timestamps, retention, now });
    const rootMentions = createRootMentions({ dynamo, jobs, timestamps, retention });
    return {
      handlers: [
        createNotificationsHandler({ dynamo, notifier, replies }),
        createReadCleanupHandler(readCleanup),
        createRootMentionsHandler(rootMentions),
        createNotificationUpdatesHandler({ publisher }),
        followedThreads.handler,
      ],
      jobKinds: [
        ...[replies.remainingFollowersJob, threadReadJob, rootMentions.readOnJob],
        ...[...readCleanup.kinds, ...followedThreads.jobKinds],
      ],
      createVisitor() {
        const backfill = createBackfillVisitor({ dynamo, notifier, replies, retention, now });
        const mentions = rootMentions.createVisitor();
        const threads = followedThreads.createVisitor();
        return {
          async visit(key, item) {
            await backfill.visit(key, item);
            await mentions.visit(key, item);
            await threads.visit(key, item);
          },
          async finish() {
            await backfill.finish?.();
            await mentions.finish?.();
            await threads.finish?.();
          },
          result: () => ({ ...backfill.result?.(), ...threads.result?.() }),
        };
      },
    };
  },
};
