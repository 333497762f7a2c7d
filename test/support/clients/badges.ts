import type { UnreadLiveSubscription } from '../../generated/graphql.ts';
import type { Live, TestClient } from './client.ts';
import { UnreadLive, UnreadNow } from './operations.ts';

/** A badge as a client shows it: the totals, and the rooms (by global id) that have something unread. */
export interface BadgeState {
  readonly total: number;
  readonly notifications: number;
  readonly rooms: Readonly<Record<string, number>>;
}

/** The state of a client after these events. Each event has the new values of what changed. */
export function folded(events: readonly UnreadLiveSubscription[]): BadgeState {
  const rooms: Record<string, number> = {};
  for (const { unread } of events) {
    for (const { room, unreadCount } of unread.rooms) rooms[room.id] = unreadCount;
    for (const id of unread.removedRoomIds) delete rooms[id];
  }
  for (const [id, count] of Object.entries(rooms)) if (count === 0) delete rooms[id];
  const last = events.at(-1)?.unread;
  return { total: last?.total ?? 0, notifications: last?.notifications ?? 0, rooms };
}

/** The badge as a new query returns it. */
export async function queryBadge(client: TestClient): Promise<BadgeState> {
  const { total, notifications, rooms } = (await client.do(UnreadNow)).viewer.unread;
  return {
    total,
    notifications,
    rooms: Object.fromEntries(rooms.map(({ room, unreadCount }) => [room.id, unreadCount])),
  };
}

export type LiveBadge = Live<UnreadLiveSubscription>;

export const watchBadge = (client: TestClient): LiveBadge => client.subscribe(UnreadLive, {});

/** The badge's rooms only. The total counts a mention and its root once, so the rooms' part of it is not known. */
export const ofRooms = ({ rooms }: BadgeState): BadgeState => ({ total: 0, notifications: 0, rooms });

/**
 * Takes events until `view` of the badge equals `wanted`. If no more events arrive, it rejects with what the badge
 * shows.
 */
export async function shows(
  badge: LiveBadge,
  wanted: BadgeState,
  view = (state: BadgeState) => state,
): Promise<void> {
  const key = canonical(wanted);
  while (badge.seen.length === 0 || canonical(view(folded(badge.seen))) !== key) {
    await badge.next().catch((cause: unknown) => {
      throw new Error(`The badge shows ${canonical(folded(badge.seen))}, not ${key}.`, { cause });
    });
  }
}

const canonical = ({ total, notifications, rooms }: BadgeState): string =>
  JSON.stringify({ total, notifications, rooms: Object.entries(rooms).sort(([a], [b]) => (a < b ? -1 : 1)) });
