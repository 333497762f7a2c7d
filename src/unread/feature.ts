import type { Bus } from '../bus/bus.ts';
import type { Publisher } from '../bus/publisher.ts';
import type { Log } from '../core/log.ts';
import type { Metrics } from '../core/metrics.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import type { ConsistentLoader } from '../dynamo/itemLoader.ts';
import type { Feature } from '../feature.ts';
import type { MembershipGuard } from '../live/membershipGuard.ts';
import type { Resync } from '../live/resync.ts';
import type { RoomCache } from '../roomEvents/roomCache.ts';
import { createBadgeService } from './badge/badgeService.ts';
import { createBadgesHandler } from './handlers.ts';
import { createMarkAllRooms } from './markAllRooms.ts';
import { createReadPositions } from './markRead.ts';
import { createUnread } from './unread.ts';

export interface UnreadServicesOptions {
  readonly dynamo: Dynamo;
  readonly bus: Bus;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly items: ConsistentLoader;
  readonly guard: MembershipGuard;
  readonly resync: Resync;
  readonly roomCache: RoomCache;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export function createUnreadServices(options: UnreadServicesOptions) {
  const { dynamo, bus, log, metrics, items, guard, resync, roomCache, now } = options;
  const unread = createUnread({ dynamo });
  const readPositions = createReadPositions({ dynamo });
  return {
    unread,
    readPositions,
    markAllRooms: createMarkAllRooms({ dynamo, unread, markRead: readPositions.markRead, now }),
    badges: createBadgeService({
      unread,
      rooms: roomCache,
      guard,
      items,
      bus,
      log,
      onPush: () => metrics.badgePushes.inc(),
      onTrouble: () => void resync.resync(),
    }),
  };
}

export const unreadFeature: Feature<{ readonly publisher: Publisher }> = {
  derive: ({ publisher }) => ({ handlers: [createBadgesHandler({ publisher })] }),
};
