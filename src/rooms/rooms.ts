import type { Publisher } from '../bus/publisher.ts';
import { unauthenticated, unavailable } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import { createKeyedMutex } from '../core/keyedMutex.ts';
import type { Timestamps } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { ConditionsFailed } from '../dynamo/errors.ts';
import { keys } from '../dynamo/keys.ts';
import { userOf } from '../users/user.ts';
import { createDirect } from './direct/direct.ts';
import { createInvites } from './invites/invites.ts';
import { ATTEMPTS, type MembersOptions, oneMoreRoom, refuseTooManyRooms } from './membership/entering.ts';
import { createJoining } from './membership/joining.ts';
import { createLeaving } from './membership/leave.ts';
import { createRoles } from './membership/roles.ts';
import {
  counterItem,
  memberItem,
  membershipItem,
  newMembership,
  type Room,
  roomItem,
  seatsItem,
} from './room.ts';
import { createUpdating } from './updating.ts';

export interface NewRoom {
  readonly name: string;
  readonly topic: string | null;
  readonly visibility: 'PUBLIC' | 'PRIVATE';
  /** Counts the owner; null: no limit. */
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

/** What can be done to rooms and to who is in them. */
export function createRooms({ publisher, now = Date.now, ...options }: RoomsOptions) {
  const members: MembersOptions = { ...options, people: createKeyedMutex(), seats: createKeyedMutex() };
  return {
    ...createMaking(members),
    ...createUpdating(members),
    ...createJoining(members),
    ...createLeaving({ ...members, publisher }),
    ...createRoles(members),
    ...createInvites({ ...members, now }),
    ...createDirect(members),
  };
}

function createMaking({ dynamo, timestamps, people }: MembersOptions) {
  /** One read (the person), one transaction of six items. Throws CONFLICT for who is in 1,000 rooms. */
  async function create(owner: string, { name, topic, visibility, capacity }: NewRoom): Promise<Room> {
    const room: Room = {
      id: newId(),
      name,
      topic,
      visibility,
      createdAt: timestamps.next(),
      rev: 1,
    };
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const joins = await joinsOf(owner);
      const membership = newMembership(
        { room: room.id, user: owner, role: 'OWNER', joins, readPosition: 0 },
        timestamps.next(),
      );
      try {
        await dynamo.transact([
          { put: roomItem(room), condition: 'attribute_not_exists(pk)' },
          {
            put: seatsItem(room.id, { taken: 1, capacity, owners: 1, waiting: 0, rev: 1 }),
            condition: 'attribute_not_exists(pk)',
          },
          { put: counterItem(room.id), condition: 'attribute_not_exists(pk)' },
          { put: memberItem(membership), condition: 'attribute_not_exists(pk)' },
          { put: membershipItem(membership), condition: 'attribute_not_exists(pk)' },
          oneMoreRoom(owner, joins),
        ]);
        return room;
      } catch (error) {
        if (!(error instanceof ConditionsFailed)) throw error;
        refuseTooManyRooms(error.failed[5]);
      }
    }
    throw unavailable();
  }

  async function joinsOf(user: string): Promise<number> {
    const item = await dynamo.get(keys.user(user));
    if (item === undefined) throw unauthenticated();
    return userOf(user, item).joins;
  }

  return { create: (owner: string, room: NewRoom) => people.run(owner, () => create(owner, room)) };
}
