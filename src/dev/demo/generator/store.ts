import { toTimestamp } from '../../../core/timestamps.ts';
import type { BulkWriteOptions } from '../../../dynamo/bulkWrite.ts';
import type { Dynamo } from '../../../dynamo/dynamo.ts';
import { ConditionsFailed } from '../../../dynamo/errors.ts';
import { IMPORTED } from '../../../dynamo/item.ts';
import { keys } from '../../../dynamo/keys.ts';
import type { Write } from '../../../dynamo/write.ts';
import { createPace } from '../../../import/pace.ts';
import { historyItems, type MessageWithReactions } from '../../../reactions/historyItems.ts';
import {
  counterItem,
  firstMembershipVersion,
  type Membership,
  memberItem,
  membershipItem,
  roomItem,
  seatsItem,
} from '../../../rooms/room.ts';
import { handleItem } from '../../../users/handles.ts';
import { userItem } from '../../../users/user.ts';
import type { Generated } from './generator.ts';
import type { ReadingState, RoomHistory } from './history.ts';
import type { Person } from './people.ts';
import type { PlannedMember } from './rooms.ts';

export interface StoreOptions {
  readonly dynamo: Dynamo;
  readonly generated: Generated;
  readonly by: BulkWriteOptions['by'];
  /** Called with what was written since the last call. */
  readonly onWritten?: (written: Written) => void;
}

export interface Written {
  readonly messages: number;
  readonly stamps: number;
  readonly likes: number;
}

/** The table has these rooms or people already. */
export class AlreadySeeded extends Error {
  override readonly name = 'AlreadySeeded';
}

/** Messages that are in memory: about a thousand items. */
const MESSAGES_AT_ONCE = 500;
/** A person is two items and a member three. A transaction has at most 100. */
const PEOPLE_AT_ONCE = 45;
const MEMBERS_AT_ONCE = 30;

/**
 * Writes everything, in the shape of the table that is in force. Messages come first, in bulk: no one can see them yet,
 * because their rooms do not exist. Then the people, then one room after the other with its members. After each
 * transaction every counter is right. If it is interrupted, some rooms are complete, and some messages have no room.
 * Throws `AlreadySeeded`.
 */
export async function store({ dynamo, generated, by, onWritten }: StoreOptions): Promise<void> {
  const { people, rooms } = generated;
  const first = rooms[0]?.plan.room.id ?? '';
  const [room] = await dynamo.batchGet([keys.room(first)]);
  if (room !== undefined) throw new AlreadySeeded('These rooms are in the table already.');

  const pace = createPace({ dynamo, by, rate: undefined, check: async () => {} });
  for (const some of batchesOf(generated.messages(), MESSAGES_AT_ONCE)) {
    await pace.write(some, historyItems);
    onWritten?.(countsOf(some));
  }
  for (const some of batchesOf(people, PEOPLE_AT_ONCE)) await storePeople(dynamo, some);
  const joins = new Map<Person, number>();
  for (const history of rooms) await storeRoom(dynamo, history, joins);
}

async function storePeople(dynamo: Dynamo, people: readonly Person[]): Promise<void> {
  const absent = { condition: 'attribute_not_exists(pk)' };
  const writes = people.flatMap(({ user }): Write[] => [
    { put: userItem(user), ...absent },
    { put: handleItem(user.handle ?? '', user.id), ...absent },
  ]);
  try {
    await dynamo.transact(writes);
  } catch (error) {
    if (!(error instanceof ConditionsFailed)) throw error;
    throw new AlreadySeeded('These people are in the table already.', { cause: error });
  }
}

/** `joins`: how many rooms each person has joined before this one. */
async function storeRoom(
  dynamo: Dynamo,
  { plan, totals }: RoomHistory,
  joins: Map<Person, number>,
): Promise<void> {
  const { room, members } = plan;
  const { lastPosition, newestRoot, lastSequence, reading } = totals();
  const membershipWrites = members.map((member, i) => writesOf(member, reading[i], i === 0));
  const [owner = [], ...others] = membershipWrites;
  await dynamo.transact([
    { put: roomItem(room), condition: 'attribute_not_exists(pk)' },
    { put: seatsItem(room.id, { taken: 1, capacity: null, owners: 1, waiting: 0, version: 1 }) },
    {
      put: {
        ...counterItem(room.id, room.visibility === 'DIRECT'),
        messageCount: lastPosition,
        changeCount: lastSequence,
        ...(newestRoot === undefined ? {} : { newestRoot, newestRootOf: lastPosition }),
      },
    },
    ...owner,
  ]);
  for (const some of batchesOf(others, MEMBERS_AT_ONCE)) {
    await dynamo.transact([
      {
        key: keys.seats(room.id),
        update: 'SET taken = taken + :more, rev = rev + :more',
        values: { ':more': some.length },
      },
      ...some.flat(),
    ]);
  }

  function writesOf(
    { person, joinedAt }: PlannedMember,
    state: ReadingState | undefined,
    isOwner: boolean,
  ): Write[] {
    const { id: user } = person.user;
    const before = joins.get(person) ?? 0;
    joins.set(person, before + 1);
    const membership: Membership = {
      room: room.id,
      user,
      role: isOwner ? 'OWNER' : 'MEMBER',
      joinedAt: toTimestamp(joinedAt * 1000),
      muted: false,
      readPosition: state?.position ?? 0,
      pendingReadRoot: null,
      lastReadTs: state?.at ?? toTimestamp(joinedAt * 1000),
      version: firstMembershipVersion(before) + (state?.changes ?? 0),
    };
    return [
      { put: { ...memberItem(membership, person.user), ...IMPORTED }, condition: 'attribute_not_exists(pk)' },
      { put: membershipItem(membership), condition: 'attribute_not_exists(pk)' },
      {
        key: keys.user(user),
        update: 'SET rooms = rooms + :one, joins = joins + :one',
        condition: 'joins = :before',
        values: { ':one': 1, ':before': before },
      },
    ];
  }
}

const countsOf = (messages: readonly MessageWithReactions[]): Written => ({
  messages: messages.length,
  stamps: messages.reduce((sum, { stamps }) => sum + stamps.length, 0),
  likes: messages.reduce((sum, { likes }) => sum + likes.length, 0),
});

function* batchesOf<T>(all: Iterable<T>, size: number): Generator<readonly T[]> {
  let batch: T[] = [];
  for (const one of all) {
    batch.push(one);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
