import { badUserInput, notFound } from '../../core/errors.ts';
import { idFrom } from '../../core/ids.ts';
import { createItemLoader, type ItemLoader } from '../../dynamo/itemLoader.ts';
import { keys } from '../../dynamo/keys.ts';
import { AGAIN, type Again } from '../../dynamo/optimistic.ts';
import { type User, userOf } from '../../users/user.ts';
import { blockedByAdder, isAddedTooOften, notAcceptedInDirect } from '../membership/consent.ts';
import {
  type MembershipOptions,
  newMembershipWrites,
  throwIfInTooManyRooms,
} from '../membership/membership.ts';
import { takeOwnerSeats } from '../membership/seats.ts';
import { counterOf, newMembership, newRoomWrites, type Room, roomOf, seatsOf } from '../room.ts';

/** The most users in a direct room. All of them join by one transaction, and the room is named after them. */
export const DIRECT_MAX = 8;

/** The id is derived from the users, so the same users always get the same room. */
const directRoomId = (sortedUserIds: readonly string[]): string =>
  idFrom(`direct:${sortedUserIds.join(',')}`);

const sortedUnique = (userIds: readonly string[]): string[] => [...new Set(userIds)].sort();

/**
 * A direct room belongs to all of its participants: each is an owner, and the policy gives none of them power over
 * the others. If a participant has left, they join again when they open the room, or when another participant does
 * who may add them (see `consent.ts`), because its id is derived from all of them.
 */
export function createDirect({ dynamo, timestamps, seatsMutex }: MembershipOptions) {
  /**
   * Takes one batch of reads. If the room is new or a participant is missing, also one transaction: 7n - 1 items for a
   * new room of n users, 7 for each missing one and the seats for an old room. Throws NOT_FOUND if a user does not
   * exist or, for a new room, has deleted their account, BAD_USER_INPUT for more than DIRECT_MAX users, CONFLICT if one
   * of them is in 1,000 rooms or blocked by the user, FORBIDDEN if a missing one does not accept to be added.
   */
  async function openDirect(user: string, others: readonly string[]): Promise<Room> {
    const userIds = sortedUnique([user, ...others]);
    if (userIds.length > DIRECT_MAX) {
      const message = `A direct room has at most ${DIRECT_MAX} people, including you.`;
      throw badUserInput('input.userIds', message, DIRECT_MAX);
    }
    const id = directRoomId(userIds);
    // Two requests for one room write the same items, so each waits for the other's whole loop.
    return seatsMutex.run(id, () => dynamo.optimistic(() => open(id, user, userIds)));
  }

  async function open(id: string, opener: string, userIds: readonly string[]): Promise<Room | Again> {
    const items = createItemLoader(dynamo);
    const [profiles, members, [roomRead, seatsRead, counterRead]] = await Promise.all([
      profilesOf(userIds, items),
      items.loadMany(userIds.map((user) => keys.member(id, user))),
      items.loadMany([keys.room(id), keys.seats(id), keys.counter(id)]),
    ]);
    const known = roomRead === undefined ? undefined : roomOf(id, roomRead);
    // What a former member wrote stays in the room, but they cannot come back, and no new room is opened with them.
    if (known === undefined && profiles.some(({ deletedAt }) => deletedAt !== undefined)) throw notFound();
    const missing = profiles.filter(
      ({ deletedAt }, i) => members[i] === undefined && deletedAt === undefined,
    );
    if (known !== undefined && missing.length === 0) return known;
    const room = known ?? newDirectRoom(id, profiles);
    const readPosition = counterRead === undefined ? 0 : counterOf(counterRead).lastPosition;
    const joining = missing.map((joiner) => {
      const { id: user, joinCount } = joiner;
      const by = user === opener ? {} : { addedBy: opener };
      const joined = newMembership(
        { room: id, user, role: 'OWNER', joinCount, readPosition, ...by },
        timestamps.next(),
      );
      return newMembershipWrites(joined, joiner);
    });
    const taken = missing.length;
    const roomWrites =
      seatsRead === undefined
        ? newRoomWrites(room, { taken, capacity: null, owners: taken, waiting: 0, version: 1 })
        : { seats: takeOwnerSeats(id, seatsOf(seatsRead), taken) };
    const failed = await dynamo.tryTransact({
      ...roomWrites,
      memberships: joining.flatMap(({ member, membership }) => [member, membership]),
      profiles: joining.map(({ profile }) => profile),
      ownBlocks: joining.flatMap(({ ownBlock }) => ownBlock ?? []),
      consents: joining.flatMap(({ consent }) => consent),
    });
    if (failed === undefined) return room;
    // Another request has changed who is missing.
    if (failed.memberships !== undefined) return AGAIN;
    for (const [i, profile] of (failed.profiles ?? []).entries()) {
      throwIfInTooManyRooms(profile, { user: missing[i]?.id ?? '', viewer: opener });
    }
    if (failed.ownBlocks !== undefined) throw blockedByAdder();
    if (failed.consents !== undefined || failed.profiles?.some(isAddedTooOften)) throw notAcceptedInDirect();
    return AGAIN;
  }

  async function profilesOf(userIds: readonly string[], items: ItemLoader): Promise<User[]> {
    const found = await items.loadMany(userIds.map((user) => keys.user(user)));
    return userIds.map((user, i) => {
      const item = found[i];
      if (item === undefined) throw notFound();
      return userOf(user, item);
    });
  }

  const newDirectRoom = (id: string, users: readonly User[]): Room => ({
    id,
    name: nameOf(users),
    topic: null,
    visibility: 'DIRECT',
    people: users.map((user) => user.id),
    createdAt: timestamps.next(),
    version: 1,
  });

  return { openDirect };
}

/** A direct room's name: its participants' display names. All of them see the same name. */
export const nameOf = (users: ReadonlyArray<Pick<User, 'displayName'>>): string =>
  users
    .map(({ displayName }) => displayName)
    .sort()
    .join(', ');
