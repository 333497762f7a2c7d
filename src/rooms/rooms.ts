import type { Publisher } from '../bus/publisher.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { TransactionRefused } from '../dynamo/errors.ts';
import { createItemLoader } from '../dynamo/itemLoader.ts';
import { keys } from '../dynamo/keys.ts';
import { createQueues } from '../dynamo/queues.ts';
import type { Stamps } from '../dynamo/stamps.ts';
import type { Write } from '../dynamo/write.ts';
import { conflict, notFound, TsudoiError, unauthenticated, unavailable } from '../errors.ts';
import { newId } from '../ids.ts';
import { MAX_ROOMS, userOf } from '../users/user.ts';
import { accessTo, memberAccess } from './access.ts';
import {
  type Counter,
  counterItem,
  counterOf,
  firstRev,
  lastRev,
  type Membership,
  memberItem,
  membershipItem,
  type Role,
  type Room,
  roomItem,
  type Seats,
  seatsItem,
  seatsOf,
} from './room.ts';
import { personTopic } from './topics.ts';

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
}

/** How often a join or leave is tried anew because what it had read changed in between. */
const ATTEMPTS = 20;

export function createRooms({ dynamo, stamps, publisher }: RoomsOptions) {
  const people = createQueues();

  /** One read (the person), one transaction of six items. */
  async function create(owner: string, { name, topic, visibility, capacity }: NewRoom): Promise<Room> {
    const room: Room = { id: newId(), name, topic, visibility, createdAt: stamps.next(), rev: 1 };
    const seats: Seats = { taken: 0, capacity, owners: 0, waiting: 0, rev: 0 };
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const joins = await joinsOf(owner);
      const membership = newMembership({ room: room.id, user: owner, role: 'OWNER', joins, readPosition: 0 });
      try {
        await dynamo.transact([
          { put: roomItem(room), condition: 'attribute_not_exists(pk)' },
          {
            put: seatsItem(room.id, { ...seats, taken: 1, owners: 1, rev: 1 }),
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

  /**
   * One batch of reads, one transaction of four items. Nothing that was read decides who gets in: the
   * conditions do, and what was read only has to be still so. Throws NOT_FOUND, ALREADY_MEMBER, ROOM_FULL,
   * and CONFLICT for a person who is in 1,000 rooms.
   */
  async function join(user: string, room: string): Promise<Membership> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const items = createItemLoader(dynamo);
      const [access, person, seatsRead, counterRead] = await Promise.all([
        accessTo(room, user, items),
        items.load(keys.user(user)),
        items.load(keys.seats(room)),
        items.load(keys.counter(room)),
      ]);
      if (person === undefined) throw unauthenticated();
      if (access === null || seatsRead === undefined || counterRead === undefined) throw notFound();
      if (access.membership !== null) throw alreadyMember();
      const seats = seatsOf(seatsRead);
      const { joins } = userOf(user, person);
      const { messageCount }: Counter = counterOf(counterRead);
      // A room with members has an owner: whoever comes into an empty one becomes it.
      const role: Role = seats.taken === 0 ? 'OWNER' : 'MEMBER';
      const membership = newMembership({ room, user, role, joins, readPosition: messageCount });
      try {
        await dynamo.transact([
          takeSeat(room, role),
          { put: memberItem(membership), condition: 'attribute_not_exists(pk)' },
          { put: membershipItem(membership), condition: 'attribute_not_exists(pk)' },
          oneMoreRoom(user, joins),
        ]);
        return membership;
      } catch (error) {
        if (!(error instanceof TransactionRefused)) throw error;
        if (error.failed[1] !== undefined) throw alreadyMember();
        refuseTooManyRooms(error.failed[3]);
        const now = error.failed[0]?.item;
        if (now !== undefined && isFull(seatsOf(now)))
          throw new TsudoiError('ROOM_FULL', 'Every seat of this room is taken.');
      }
    }
    throw unavailable();
  }

  /**
   * One batch of reads, one transaction of five items. Throws NOT_FOUND or FORBIDDEN for who is not in the
   * room, CONFLICT for the last owner while others are there.
   */
  async function leave(user: string, room: string): Promise<{ readonly room: Room | null }> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const { room: left, membership } = await memberAccess(room, user, createItemLoader(dynamo));
      const stillSo = {
        condition: '#role = :role',
        names: { '#role': 'role' },
        values: { ':role': membership.role },
      };
      try {
        await dynamo.transact([
          freeSeat(room, membership.role),
          { delete: keys.member(room, user), ...stillSo },
          { delete: keys.membership(user, room), ...stillSo },
          { key: keys.counter(room), update: 'SET removals = removals + :one', values: { ':one': 1 } },
          { key: keys.user(user), update: 'SET rooms = rooms - :one', values: { ':one': 1 } },
        ]);
        // The stream will say it, too; this way it is known at once wherever the person has a websocket.
        void publisher.publish(personTopic(user), { type: 'left', room, rev: lastRev(membership.rev) });
        return { room: left.visibility === 'PUBLIC' ? left : null };
      } catch (error) {
        if (!(error instanceof TransactionRefused)) throw error;
        const [seatRefused, memberRefused] = error.failed;
        if (seatRefused !== undefined && memberRefused === undefined) {
          throw conflict('You are the last owner: make somebody else an owner before you leave.');
        }
      }
    }
    throw unavailable();
  }

  async function joinsOf(user: string): Promise<number> {
    const item = await dynamo.get(keys.user(user));
    if (item === undefined) throw unauthenticated();
    return userOf(user, item).joins;
  }

  interface Joining {
    readonly room: string;
    readonly user: string;
    readonly role: Role;
    readonly joins: number;
    readonly readPosition: number;
  }

  function newMembership({ room, user, role, joins, readPosition }: Joining): Membership {
    const joinedAt = stamps.next();
    return {
      ...{ room, user, role, joinedAt, readPosition },
      muted: false,
      readTo: null,
      readAt: joinedAt,
      rev: firstRev(joins),
    };
  }

  // Each new membership takes the person's next number: those of one process do so one after another.
  return {
    create: (owner: string, room: NewRoom) => people.run(owner, () => create(owner, room)),
    join: (user: string, room: string) => people.run(user, () => join(user, room)),
    leave,
  };
}

const isFull = ({ taken, capacity, waiting }: Seats): boolean =>
  waiting > 0 || (capacity !== null && taken >= capacity);

const alreadyMember = () => new TsudoiError('ALREADY_MEMBER', 'You are in this room already.');

/** `joins` numbers the memberships a person ever had, so no two joins of one person use the same. */
const oneMoreRoom = (user: string, joins: number): Write => ({
  key: keys.user(user),
  update: 'SET rooms = rooms + :one, joins = joins + :one',
  condition: 'rooms < :most AND joins = :joins',
  values: { ':one': 1, ':most': MAX_ROOMS, ':joins': joins },
});

function refuseTooManyRooms(failed: TransactionRefused['failed'][number]): void {
  const rooms = failed?.item?.rooms;
  if (typeof rooms === 'number' && rooms >= MAX_ROOMS) {
    throw conflict(`Nobody can be in more than ${MAX_ROOMS} rooms. Leave one first.`);
  }
}

const takeSeat = (room: string, role: Role): Write => ({
  key: keys.seats(room),
  update: `SET taken = taken + :one, rev = rev + :one${role === 'OWNER' ? ', owners = owners + :one' : ''}`,
  condition: `(attribute_not_exists(#capacity) OR taken < #capacity) AND waiting = :none AND ${
    role === 'OWNER' ? 'taken = :none' : 'taken > :none'
  }`,
  names: { '#capacity': 'capacity' },
  values: { ':one': 1, ':none': 0 },
});

const freeSeat = (room: string, role: Role): Write =>
  role === 'OWNER'
    ? {
        key: keys.seats(room),
        update: 'SET taken = taken - :one, owners = owners - :one, rev = rev + :one',
        condition: 'owners > :one OR taken = :one',
        values: { ':one': 1 },
      }
    : { key: keys.seats(room), update: 'SET taken = taken - :one, rev = rev + :one', values: { ':one': 1 } };
