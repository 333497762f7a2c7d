import type { Dynamo } from '../dynamo/dynamo.ts';
import { ConditionFailed } from '../dynamo/errors.ts';
import { createItemLoader } from '../dynamo/itemLoader.ts';
import { keys, parseKey, ranges, type Stamp } from '../dynamo/keys.ts';
import { notFound, unavailable } from '../errors.ts';
import { type MessageKey, messageOf } from '../messages/message.ts';
import { memberAccess } from '../rooms/access.ts';
import { counterOf, type Membership, membershipOf } from '../rooms/room.ts';
import { MAX_ROOMS } from '../users/user.ts';
import { isFurther, type ReadMark, readMark, unreadCount } from './readPosition.ts';

export interface RoomUnread {
  readonly membership: Membership;
  readonly unreadCount: number;
}

export interface UnreadState {
  /** Rooms (muted ones left out) and notifications. */
  readonly total: number;
  readonly notifications: number;
  /** Every room the person is in. */
  readonly rooms: readonly RoomUnread[];
}

export type Unread = ReturnType<typeof createUnread>;

/** How often a read position is tried anew because the membership changed in between. */
const ATTEMPTS = 20;

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
      return {
        membership,
        unreadCount: item === undefined ? 0 : unreadCount(counterOf(item).messageCount, mark),
      };
    });
    const unmuted = rooms.filter(({ membership }) => !membership.muted);
    return {
      total: unmuted.reduce((sum, room) => sum + room.unreadCount, notifications),
      notifications,
      rooms,
    };
  }

  /**
   * Moves the read position up to a message (a reply stands for its root), or over all there is. What is
   * not further than what was read before changes nothing. Throws NOT_FOUND, FORBIDDEN.
   */
  async function markRead(user: string, room: string, upTo?: MessageKey): Promise<Membership> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const items = createItemLoader(dynamo);
      const { membership, target, current } = await marks({ user, room, upTo, items });
      if (!isFurther(target, current)) return membership;
      const { position, pending } = target;
      try {
        const item = await dynamo.update(keys.membership(user, room), {
          update: `SET readPosition = :position, rev = :next${pending === null ? ' REMOVE readTo' : ', readTo = :pending'}`,
          condition: 'rev = :rev',
          values: {
            ':position': Math.max(position, current.position),
            ':rev': membership.rev,
            ':next': membership.rev + 1,
            ...(pending === null ? {} : { ':pending': pending }),
          },
        });
        return membershipOf(user, room, item);
      } catch (error) {
        if (!(error instanceof ConditionFailed)) throw error;
      }
    }
    throw unavailable();
  }

  interface Marking {
    readonly user: string;
    readonly room: string;
    readonly upTo: MessageKey | undefined;
    readonly items: ReturnType<typeof createItemLoader>;
  }

  /** Where the person is, and where they want to be. One batch and, without `upTo`, one query beside it. */
  async function marks({ user, room, upTo, items }: Marking) {
    const [{ membership }, target] = await Promise.all([
      memberAccess(room, user, items),
      upTo === undefined ? everything(room, items) : upToMark(room, upTo, items),
    ]);
    // Only now: who is not in the room does not hear which messages there are.
    if (target === null) throw notFound();
    const named =
      membership.readTo === null ? undefined : await items.load(keys.root(room, membership.readTo));
    const current = readMark(membership, (named?.position as number | undefined) ?? null);
    return { membership, target, current };
  }

  async function upToMark(
    room: string,
    { room: of, t }: MessageKey,
    items: Marking['items'],
  ): Promise<ReadMark | null> {
    if (of !== room) return null;
    const item = await items.load(keys.root(room, t));
    return item === undefined ? null : markOf(messageOf({ room, t, c: t }, item));
  }

  async function everything(room: string, items: Marking['items']): Promise<ReadMark | null> {
    const [counter, { items: newest }] = await Promise.all([
      items.load(keys.counter(room)),
      dynamo.query(ranges.roots(room), { limit: 1, reverse: true }),
    ]);
    if (counter === undefined) return null;
    const { messageCount } = counterOf(counter);
    const [last] = newest;
    const key = last === undefined ? undefined : parseKey(last as { pk: string; sk: string });
    // The newest root may be too young for a position; it is there all the same.
    const young = key?.type === 'root' && last?.position === undefined ? key.t : null;
    // Counter and root are two reads: the root may have got its position in between.
    const newestPosition = (last?.position as number | undefined) ?? 0;
    return { position: Math.max(messageCount, newestPosition), pending: young };
  }

  const markOf = ({ position, t }: { position: number | null; t: Stamp }): ReadMark =>
    position === null ? { position: 0, pending: t } : { position, pending: null };

  return { memberships, badge, pendingPositions, state, markRead };
}
