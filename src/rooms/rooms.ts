import type { Publisher } from '../bus/publisher.ts';
import { accountDeleted, unauthenticated } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import { createKeyedMutex } from '../core/keyedMutex.ts';
import type { Timestamps } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { keys } from '../dynamo/keys.ts';
import { AGAIN } from '../dynamo/optimistic.ts';
import { userOf } from '../users/user.ts';
import { createDirect } from './direct/direct.ts';
import { createInvites } from './invites/invites.ts';
import { createArranging } from './membership/arrange.ts';
import { createJoining } from './membership/join.ts';
import { createLeaving } from './membership/leave.ts';
import {
  type Joiner,
  type MembershipOptions,
  newMembershipWrites,
  throwIfInTooManyRooms,
} from './membership/membership.ts';
import { createRoles } from './membership/roles.ts';
import { newMembership, newRoomWrites, type Room } from './room.ts';
import { createRoomUpdate } from './update.ts';

export interface NewRoom {
  readonly name: string;
  readonly topic: string | null;
  readonly visibility: 'PUBLIC' | 'PRIVATE';
  /** Includes the owner. Null: no limit. */
  readonly capacity: number | null;
}

export type Rooms = ReturnType<typeof createRooms>;

export interface RoomsOptions {
  readonly dynamo: Dynamo;
  readonly timestamps: Timestamps;
  readonly publisher: Publisher;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** All operations on rooms and their members. */
export function createRooms({ publisher, now = Date.now, ...options }: RoomsOptions) {
  const shared: MembershipOptions = {
    ...options,
    userMutex: createKeyedMutex(),
    seatsMutex: createKeyedMutex(),
  };
  return {
    ...createRoomCreation(shared),
    ...createRoomUpdate(shared),
    ...createJoining(shared),
    ...createLeaving({ ...shared, publisher }),
    ...createRoles(shared),
    ...createArranging(shared),
    ...createInvites({ ...shared, now }),
    ...createDirect(shared),
  };
}

function createRoomCreation({ dynamo, timestamps, userMutex }: MembershipOptions) {
  /** Takes one read (the user) and one transaction of six items. Throws CONFLICT if the owner is in 1,000 rooms. */
  function create(owner: string, { name, topic, visibility, capacity }: NewRoom): Promise<Room> {
    const room: Room = {
      id: newId(),
      name,
      topic,
      visibility,
      createdAt: timestamps.next(),
      version: 1,
    };
    return dynamo.optimistic(async () => {
      const joiner = await joinerOf(owner);
      const membership = newMembership(
        { room: room.id, user: owner, role: 'OWNER', joinCount: joiner.joinCount, readPosition: 0 },
        timestamps.next(),
      );
      const failed = await dynamo.tryTransact({
        ...newRoomWrites(room, { taken: 1, capacity, owners: 1, waiting: 0, version: 1 }),
        ...newMembershipWrites(membership, joiner),
      });
      if (failed === undefined) return room;
      throwIfInTooManyRooms(failed.profile, { user: owner, viewer: owner });
      return AGAIN;
    });
  }

  async function joinerOf(user: string): Promise<Joiner> {
    const item = await dynamo.get(keys.user(user));
    if (item === undefined) throw unauthenticated();
    if (item.deletedAt !== undefined) throw accountDeleted();
    return userOf(user, item);
  }

  return { create: (owner: string, room: NewRoom) => userMutex.run(owner, () => create(owner, room)) };
}
