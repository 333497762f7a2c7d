import { badUserInput, notFound, unavailable } from '../../core/errors.ts';
import { idFrom } from '../../core/ids.ts';
import { ConditionsFailed } from '../../dynamo/errors.ts';
import { createItemLoader, type ItemLoader } from '../../dynamo/itemLoader.ts';
import { keys } from '../../dynamo/keys.ts';
import type { Write } from '../../dynamo/write.ts';
import { type User, userOf } from '../../users/user.ts';
import { ATTEMPTS, type MembersOptions, oneMoreRoom, refuseTooManyRooms } from '../membership/entering.ts';
import { takeOwnersSeats } from '../membership/seats.ts';
import {
  counterItem,
  counterOf,
  memberItem,
  membershipItem,
  newMembership,
  type Room,
  roomItem,
  roomOf,
  seatsItem,
  seatsOf,
} from '../room.ts';

/** People in a direct room: all of them come in by one transaction, and the room is named after them. */
export const DIRECT_MAX = 8;

/** The same people have the same room: its id is made of theirs, so whoever opens it finds or makes this one. */
const roomOfPeople = (sorted: readonly string[]): string => idFrom(`direct:${sorted.join(',')}`);

/** People in the order of their ids, each once. */
const asASet = (people: readonly string[]): string[] => [...new Set(people)].sort();

/**
 * A direct room is all of its people's: each is an owner, and the policy gives none of them power over another.
 * Who has left it comes back when any of them opens it again, or the set would not be the room's any more.
 */
export function createDirect({ dynamo, timestamps, seats }: MembersOptions) {
  /**
   * One batch of reads; where it is new or somebody is missing, one transaction: for n people 3n + 3 items, or 3
   * for each who is missing and the seats. Throws NOT_FOUND where a person does not exist, BAD_USER_INPUT beyond
   * DIRECT_MAX people, CONFLICT where one of them is in 1,000 rooms.
   */
  async function openDirect(user: string, others: readonly string[]): Promise<Room> {
    const people = asASet([user, ...others]);
    if (people.length > DIRECT_MAX) {
      throw badUserInput('input.userIds', `At most ${DIRECT_MAX} people, you counted.`, DIRECT_MAX);
    }
    const id = roomOfPeople(people);
    return seats.run(id, async () => {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const room = await opened(id, people);
        if (room !== undefined) return room;
      }
      throw unavailable();
    });
  }

  /** Undefined where something is not as it was read. */
  async function opened(id: string, people: readonly string[]): Promise<Room | undefined> {
    const items = createItemLoader(dynamo);
    const [profiles, members, [roomRead, seatsRead, counterRead]] = await Promise.all([
      profilesOf(people, items),
      items.loadMany(people.map((user) => keys.member(id, user))),
      items.loadMany([keys.room(id), keys.seats(id), keys.counter(id)]),
    ]);
    const known = roomRead === undefined ? undefined : roomOf(id, roomRead);
    const missing = profiles.filter((_, i) => members[i] === undefined);
    if (known !== undefined && missing.length === 0) return known;
    const room = known ?? newDirectRoom(id, profiles);
    const readPosition = counterRead === undefined ? 0 : counterOf(counterRead).messageCount;
    const before: Write[] =
      seatsRead === undefined
        ? newRoomWrites(room, missing.length)
        : [takeOwnersSeats(id, seatsOf(seatsRead), missing.length)];
    const writes = [...before, ...missing.flatMap((person) => comesIn(person, id, readPosition))];
    try {
      await dynamo.transact(writes);
      return room;
    } catch (error) {
      if (!(error instanceof ConditionsFailed)) throw error;
      for (const failed of error.failed.slice(before.length)) refuseTooManyRooms(failed);
      return undefined;
    }
  }

  async function profilesOf(people: readonly string[], items: ItemLoader): Promise<User[]> {
    const found = await items.loadMany(people.map((user) => keys.user(user)));
    return people.map((user, i) => {
      const item = found[i];
      if (item === undefined) throw notFound();
      return userOf(user, item);
    });
  }

  const newDirectRoom = (id: string, people: readonly User[]): Room => ({
    id,
    name: nameOf(people),
    topic: null,
    visibility: 'DIRECT',
    people: people.map((person) => person.id),
    createdAt: timestamps.next(),
    rev: 1,
  });

  function comesIn({ id: user, joins }: User, room: string, readPosition: number): Write[] {
    const membership = newMembership({ room, user, role: 'OWNER', joins, readPosition }, timestamps.next());
    return [
      { put: memberItem(membership), condition: 'attribute_not_exists(pk)' },
      { put: membershipItem(membership), condition: 'attribute_not_exists(pk)' },
      oneMoreRoom(user, joins),
    ];
  }

  return { openDirect };
}

const newRoomWrites = (room: Room, people: number): Write[] => [
  { put: roomItem(room), condition: 'attribute_not_exists(pk)' },
  {
    put: seatsItem(room.id, { taken: people, capacity: null, owners: people, waiting: 0, rev: 1 }),
    condition: 'attribute_not_exists(pk)',
  },
  { put: counterItem(room.id), condition: 'attribute_not_exists(pk)' },
];

/** What a direct room is called: its people's display names, the same for all of them. */
export const nameOf = (people: ReadonlyArray<Pick<User, 'displayName'>>): string =>
  people
    .map(({ displayName }) => displayName)
    .sort()
    .join(', ');
