import type { Publisher } from '../bus/publisher.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { TransactionRefused } from '../dynamo/errors.ts';
import { keys } from '../dynamo/keys.ts';
import { createQueues } from '../dynamo/queues.ts';
import type { Stamps } from '../dynamo/stamps.ts';
import { unauthenticated, unavailable } from '../errors.ts';
import { newId } from '../ids.ts';
import { userOf } from '../users/user.ts';
import { createDirect } from './direct.ts';
import { ATTEMPTS, type MembersOptions, oneMoreRoom, refuseTooManyRooms } from './entering.ts';
import { createInvites } from './invites.ts';
import { createJoining } from './joining.ts';
import { createLeaving } from './leaving.ts';
import { createRoles } from './roles.ts';
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
  readonly stamps: Stamps;
  readonly publisher: Publisher;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** What can be done to rooms and to who is in them. */
export function createRooms({ publisher, now = Date.now, ...options }: RoomsOptions) {
  const members: MembersOptions = { ...options, people: createQueues(), seats: createQueues() };
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

function createMaking({ dynamo, stamps, people }: MembersOptions) {
  /** One read (the person), one transaction of six items. Throws CONFLICT for who is in 1,000 rooms. */
  async function create(owner: string, { name, topic, visibility, capacity }: NewRoom): Promise<Room> {
    const room: Room = {
      id: newId(),
      name,
      topic,
      visibility,
      createdAt: stamps.next(),
      rev: 1,
    };
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const joins = await joinsOf(owner);
      const membership = newMembership(
        { room: room.id, user: owner, role: 'OWNER', joins, readPosition: 0 },
        stamps.next(),
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
        if (!(error instanceof TransactionRefused)) throw error;
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
