import { userTopic } from '../../../src/bus/bus.ts';
import { createMemoryBus } from '../../../src/bus/memory.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { newId } from '../../../src/core/ids.ts';
import { type Timestamp, toTimestamp } from '../../../src/core/timestamps.ts';
import type { Dynamo } from '../../../src/dynamo/dynamo.ts';
import { type ConsistentLoader, createConsistentLoader } from '../../../src/dynamo/itemLoader.ts';
import { keys, parseKey } from '../../../src/dynamo/keys.ts';
import { createMembershipGuard } from '../../../src/live/membershipGuard.ts';
import { createResync } from '../../../src/live/resync.ts';
import type { RootPostedEvent } from '../../../src/messages/message.ts';
import { createRoomCache } from '../../../src/roomEvents/roomCache.ts';
import { type RoomUpdate, roomTopic } from '../../../src/roomEvents/roomUpdate.ts';
import {
  counterItem,
  firstMembershipVersion,
  lastMembershipVersion,
  type MembershipEvent,
  membershipItem,
  membershipOf,
  roomItem,
  seatsItem,
} from '../../../src/rooms/room.ts';
import { createBadgeService } from '../../../src/unread/badge/badgeService.ts';
import { createUnread } from '../../../src/unread/unread.ts';
import { silent } from '../../stream/support/stream.ts';

/** When the user joined, and what they have read last. */
export const AT = toTimestamp(1_700_000_000_000_000);

export interface BadgeFixtureOptions {
  /** What the membership guard reads through. */
  readonly guardedBy?: (items: ConsistentLoader) => ConsistentLoader;
  /** Called with the result of each read of memberships, which the badge gets when this has resolved. */
  readonly afterRead?: () => Promise<void>;
}

/**
 * A user's badge on a real table, without a stream: the test decides what is written to the table and what is
 * published on the bus.
 */
export function createBadgeFixture(
  dynamo: Dynamo,
  { guardedBy = (same) => same, afterRead = async () => {} }: BadgeFixtureOptions = {},
) {
  const bus = createMemoryBus({ log: silent });
  const user = newId();
  const items = createConsistentLoader(dynamo);
  const rooms = createRoomCache({ dynamo, bus });
  const resync = createResync({ bus, log: silent });
  let troubles = 0;
  /** Each reading of the clock is a second later, so no event is delayed. */
  let time = 0;
  const clock = { ...systemClock, now: () => (time += 1_000) };
  const unread = createUnread({ dynamo });
  const late = async <T>(read: Promise<T>): Promise<T> => {
    const found = await read;
    await afterRead();
    return found;
  };
  const badges = createBadgeService({
    unread: { ...unread, memberships: (of) => late(unread.memberships(of)) },
    rooms,
    guard: createMembershipGuard(guardedBy(items)),
    items: {
      ...items,
      load: (key) => (parseKey(key).type === 'membership' ? late(items.load(key)) : items.load(key)),
    },
    bus,
    log: silent,
    onTrouble: () => void troubles++,
    clock,
  });
  resync.add(rooms);
  resync.add(badges);

  /** Creates a room with the user as a member. */
  async function createRoom(): Promise<string> {
    const room = newId();
    const about = { name: 'Room', topic: null, visibility: 'PUBLIC' as const, createdAt: AT, version: 1 };
    await dynamo.put(roomItem({ id: room, ...about }));
    await dynamo.put(seatsItem(room, { taken: 1, capacity: null, owners: 1, waiting: 0, version: 1 }));
    await dynamo.put(counterItem(room));
    await dynamo.put(
      membershipItem({
        user,
        room,
        role: 'MEMBER',
        joinedAt: AT,
        muted: false,
        readPosition: 0,
        pendingReadRoot: null,
        lastReadTs: AT,
        version: firstMembershipVersion(0),
      }),
    );
    return room;
  }

  return {
    user,
    createRoom,
    resync,
    get troubles() {
      return troubles;
    },
    /** Adds to the room's count of roots in the table, without publishing it. */
    post: (room: string, count: number) =>
      dynamo.update(keys.counter(room), {
        update: 'SET messageCount = messageCount + :n, changeCount = changeCount + :n',
        values: { ':n': count },
      }),
    publish: (update: Pick<RoomUpdate, 'room' | 'lastPosition' | 'membershipEpoch' | 'record'>) =>
      bus.publish(roomTopic(update.room), { ...update, lastSequence: update.lastPosition, entries: [] }),
    /** The membership says that the user has read up to this root, which has no position yet. */
    readTo: (room: string, threadTs: Timestamp) =>
      dynamo.update(keys.membership(user, room), {
        update: 'SET readTo = :root, readAt = :root, rev = rev + :one',
        values: { ':root': threadTs, ':one': 1 },
      }),
    /** The user has entered the room. */
    async joined(room: string): Promise<void> {
      const item = await dynamo.get(keys.membership(user, room));
      const membership = membershipOf(user, room, item ?? {});
      await bus.publish(userTopic<MembershipEvent>(user), { type: 'membership', membership });
    },
    /** The user has posted a root, and neither its position nor the membership has arrived. */
    posted: (room: string, threadTs: Timestamp) =>
      bus.publish(userTopic<RootPostedEvent>(user), { type: 'posted', room, threadTs }),
    /** A root got its position. */
    positioned: (room: string, threadTs: Timestamp, position: number) =>
      bus.publish(roomTopic(room), {
        room,
        membershipEpoch: 0,
        lastPosition: position,
        lastSequence: position,
        entries: [{ type: 'message', threadTs, ts: threadTs, version: 1, added: true, position }],
      }),
    /** The user has left the room, and its counter says nothing of it yet. */
    left: (room: string) =>
      bus.publish(userTopic<MembershipEvent>(user), {
        type: 'left',
        room,
        version: lastMembershipVersion(firstMembershipVersion(0)),
      }),
    leave: (room: string) => dynamo.remove(keys.membership(user, room)),
    subscribe: () => badges.subscribe(user),
    async stop() {
      badges.stop();
      await bus.close();
    },
  };
}
