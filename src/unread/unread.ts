import type { Dynamo } from '../dynamo/dynamo.ts';
import { createConsistentLoader } from '../dynamo/itemLoader.ts';
import { type Key, keyOf, keys, parseKey, ranges } from '../dynamo/keys.ts';
import { pendingReadsOf } from '../rooms/pendingReads.ts';
import { counterOf, type Membership, membershipOf } from '../rooms/room.ts';
import { MAX_ROOMS } from '../users/user.ts';
import { type Badge, badgeOf, roomPart } from './badge/badge.ts';
import {
  type KnownPositions,
  readPositionOf,
  readPositions,
  readUpTo,
  rootsNamed,
  unreadCount,
} from './readPosition.ts';

const NONE: KnownPositions = new Map();

export interface RoomUnread {
  readonly membership: Membership;
  readonly unreadCount: number;
  /** The highest position that counts as read. */
  readonly readPosition: number;
}

export interface UnreadState {
  /** Rooms (muted ones left out) and notifications. A mention and its root count once. */
  readonly total: number;
  readonly notifications: number;
  /** Every room that the user is in. */
  readonly rooms: readonly RoomUnread[];
}

export type Unread = ReturnType<typeof createUnread>;

export function createUnread({ dynamo }: { readonly dynamo: Dynamo }) {
  /** All memberships of a user: one round trip (at most 1,000 items of about 200 bytes). */
  async function memberships(user: string): Promise<Membership[]> {
    const { items } = await dynamo.query(ranges.memberships(user), { limit: MAX_ROOMS });
    return items.flatMap((item) => {
      const key = parseKey(keyOf(item));
      return key.type === 'membership' ? [membershipOf(user, key.room, item)] : [];
    });
  }

  /** The notifications' part of the badge. */
  async function badge(user: string): Promise<Badge> {
    return badgeOf(await dynamo.get(keys.badge(user)));
  }

  /** The positions of the roots that memberships name, by room. Most rooms have none, and are left out. */
  async function namedPositions(of: readonly Membership[]): Promise<Map<string, KnownPositions>> {
    const loader = createConsistentLoader(dynamo);
    const source = { batchGet: (keys: readonly Key[]) => loader.loadMany(keys) };
    const named = of.flatMap((membership) => {
      const roots = rootsNamed(pendingReadsOf(membership));
      return roots.length === 0 ? [] : [{ room: membership.room, roots }];
    });
    return new Map(
      await Promise.all(
        named.map(async ({ room, roots }) => [room, await readPositions(room, roots, { source })] as const),
      ),
    );
  }

  /** Two round trips for up to 100 rooms of any size: the memberships, then the rooms' counters. */
  async function state(user: string): Promise<UnreadState> {
    const [own, { total: notifications, epoch }] = await Promise.all([memberships(user), badge(user)]);
    const [counters, positions] = await Promise.all([
      dynamo.batchGet(own.map(({ room }) => keys.counter(room))),
      namedPositions(own),
    ]);
    const rooms = own.flatMap((membership, i): RoomUnread[] => {
      const item = counters[i];
      // The room was deleted, and the membership ends in a moment.
      if (item === undefined) return [];
      const position = readPositionOf(membership, positions.get(membership.room) ?? NONE);
      const { lastPosition } = counterOf(item);
      return [
        {
          membership,
          unreadCount: unreadCount(lastPosition, position),
          readPosition: readUpTo(lastPosition, position),
        },
      ];
    });
    const parts = rooms.map((room) => roomPart(room.membership, room.unreadCount, epoch));
    return {
      total: parts.reduce((sum, part) => sum + part, notifications),
      notifications,
      rooms,
    };
  }

  return { memberships, badge, namedPositions, state };
}
