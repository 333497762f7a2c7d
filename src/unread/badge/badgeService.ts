import type { Logger } from 'pino';
import type { Bus } from '../../bus/bus.ts';
import { type Clock, systemClock } from '../../core/clock.ts';
import { mapAtMost } from '../../core/mapAtMost.ts';
import type { ConsistentLoader } from '../../dynamo/itemLoader.ts';
import type { MembershipGuard } from '../../live/membershipGuard.ts';
import type { LivePart } from '../../live/resync.ts';
import type { RoomCache } from '../../roomEvents/roomCache.ts';
import type { Unread } from '../unread.ts';
import { type BadgeChange, createBadgeSubscription } from './badgeSubscription.ts';
import { UserBadge } from './userBadge.ts';

/** After a loss all badges are read again, this many at a time. */
const USERS_AT_ONCE = 8;
/** Without a known loss there is no hurry: comparing must not delay other work. */
const COMPARED_AT_ONCE = 2;

export interface BadgeServiceOptions {
  readonly unread: Unread;
  readonly rooms: RoomCache;
  readonly guard: MembershipGuard;
  readonly items: ConsistentLoader;
  readonly bus: Bus;
  readonly log: Logger;
  /** Called for every event that is sent. */
  readonly onPush?: () => void;
  /** Called if a read failed: everything that is shown must be read again. */
  readonly onTrouble: () => void;
  /** Paces the events. */
  readonly clock?: Clock;
}

export type BadgeService = ReturnType<typeof createBadgeService>;

interface OpenBadge {
  readonly badge: UserBadge;
  subscriptions: number;
}

/**
 * The badges of the users whose websockets this server has. It receives one event for each room and batch, however many
 * members the room has, and one for each change of a membership. No push reads from DynamoDB.
 */
export function createBadgeService({
  onPush = () => {},
  clock = systemClock,
  ...options
}: BadgeServiceOptions) {
  const { rooms } = options;
  const users = new Map<string, OpenBadge>();

  /** The user's badge: the whole state first, then what changes. Nothing is lost between the two. */
  async function subscribe(user: string): Promise<AsyncIterableIterator<BadgeChange>> {
    const open = users.get(user) ?? begin(user);
    open.subscriptions++;
    const release = () => {
      if (--open.subscriptions > 0) return;
      if (users.get(user) === open) users.delete(user);
      open.badge.close();
    };
    try {
      await open.badge.ready;
    } catch (error) {
      release();
      throw error;
    }
    return createBadgeSubscription({ badge: open.badge, rooms, onPush, onClose: release, clock });
  }

  function begin(user: string): OpenBadge {
    const open = { badge: new UserBadge(user, options), subscriptions: 0 };
    users.set(user, open);
    return open;
  }

  const readAll = (atOnce: number) =>
    mapAtMost(atOnce, [...users.values()], ({ badge }) =>
      badge.ready.then(
        () => badge.read(),
        () => {},
      ),
    );

  const part: LivePart = {
    name: 'badges',
    async resync() {
      await readAll(USERS_AT_ONCE);
    },
    /** Memberships and the notifications' part; the counters are compared with the rooms. */
    async compare() {
      await readAll(COMPARED_AT_ONCE);
    },
  };

  return {
    ...part,
    subscribe,

    stop(): void {
      for (const { badge } of users.values()) badge.close();
      users.clear();
    },

    get openUsers() {
      return users.size;
    },
  };
}
