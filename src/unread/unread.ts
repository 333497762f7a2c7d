import type { Dynamo } from '../dynamo/dynamo.ts';
import { keys, parseKey, ranges } from '../dynamo/keys.ts';
import { counterOf, type Membership, membershipOf } from '../rooms/room.ts';
import { MAX_ROOMS } from '../users/user.ts';
import { readMark, readUpTo, unreadCount } from './readPosition.ts';

export interface RoomUnread {
  readonly membership: Membership;
  readonly unreadCount: number;
  /** The highest position that counts as read. */
  readonly readPosition: number;
}

export interface UnreadState {
  /** Rooms (muted ones left out) and notifications. */
  readonly total: number;
  readonly notifications: number;
  /** Every room the person is in. */
  readonly rooms: readonly RoomUnread[];
}

export type Unread = ReturnType<typeof createUnread>;

export function createUnread({ dynamo }: { readonly dynamo: Dynamo }) {
  /** All memberships of a person: one round trip (at most 1,000 items of some 200 bytes). */
  async function memberships(user: string): Promise<Membership[]> {
    const { items } = await dynamo.query(ranges.memberships(user), { limit: MAX_ROOMS });
    return items.flatMap((item) => {
      const key = parseKey(item as { pk: string; sk: string });
      return key.type === 'membership' ? [membershipOf(user, key.room, item)] : [];
    });
  }

  /** The notifications' part of the badge. */
  async function badge(user: string): Promise<{ readonly total: number; readonly rev: number }> {
    const item = await dynamo.get(keys.badge(user));
    return { total: (item?.total as number | undefined) ?? 0, rev: (item?.rev as number | undefined) ?? 0 };
  }

  /** The positions of the roots that these memberships name by `readTo`; null for those that have none yet. */
  async function pendingPositions(of: readonly Membership[]): Promise<Map<string, number | null>> {
    const pending = of.flatMap(({ room, readTo }) => (readTo === null ? [] : [{ room, t: readTo }]));
    const roots = await dynamo.batchGet(pending.map(({ room, t }) => keys.root(room, t)));
    return new Map(pending.map(({ room }, i) => [room, (roots[i]?.position as number | undefined) ?? null]));
  }

  /** Two round trips for up to 100 rooms, whatever is in them: the memberships, then the rooms' counters. */
  async function state(user: string): Promise<UnreadState> {
    const [mine, { total: notifications }] = await Promise.all([memberships(user), badge(user)]);
    const [counters, positions] = await Promise.all([
      dynamo.batchGet(mine.map(({ room }) => keys.counter(room))),
      pendingPositions(mine),
    ]);
    const rooms = mine.map((membership, i): RoomUnread => {
      const item = counters[i];
      const mark = readMark(membership, positions.get(membership.room) ?? null);
      const messageCount = item === undefined ? 0 : counterOf(item).messageCount;
      return {
        membership,
        unreadCount: unreadCount(messageCount, mark),
        readPosition: readUpTo(messageCount, mark),
      };
    });
    const unmuted = rooms.filter(({ membership }) => !membership.muted);
    return {
      total: unmuted.reduce((sum, room) => sum + room.unreadCount, notifications),
      notifications,
      rooms,
    };
  }

  return { memberships, badge, pendingPositions, state };
}
