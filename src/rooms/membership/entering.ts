import { conflict, notFound, TsudoiError, unavailable } from '../../core/errors.ts';
import type { KeyedMutex } from '../../core/keyedMutex.ts';
import type { Timestamps } from '../../core/timestamps.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import { ConditionsFailed } from '../../dynamo/errors.ts';
import { createItemLoader, type ItemLoader } from '../../dynamo/itemLoader.ts';
import { keys } from '../../dynamo/keys.ts';
import type { Write } from '../../dynamo/write.ts';
import { MAX_ROOMS, userOf } from '../../users/user.ts';
import { counterOf, type Membership, memberItem, membershipItem, newMembership, seatsOf } from '../room.ts';
import { isFull, roleOfNext, takeSeat } from './seats.ts';

/** How often a change of who is in a room is tried anew because what it had read changed in between. */
export const ATTEMPTS = 20;

export interface MembersOptions {
  readonly dynamo: Dynamo;
  readonly timestamps: Timestamps;
  /** Of each person's joins, which take their numbers one after another. */
  readonly people: KeyedMutex;
  /** Of each room's comings and goings, which all write its seats. */
  readonly seats: KeyedMutex;
}

/** How somebody gets into a room: they join it, are added to it, come by an invite. */
export interface Way {
  /** What has to be written or still be so besides; refused, the way is looked at again. */
  readonly besides: readonly Write[];
  /** What is said where they are banned. */
  readonly banned: Error;
}

export interface Entering {
  readonly user: string;
  readonly room: string;
  /** Looks whether they may, and throws where they may not. What it reads goes out together with the rest. */
  readonly way: (items: ItemLoader) => Promise<Way>;
}

export type Enter = (entering: Entering) => Promise<Membership>;

/**
 * The one door of a room. One batch of reads, one transaction: the seat, both sides of the membership, the
 * person's count of rooms, that they are not banned, and whatever the way takes. Nothing that was read decides
 * who gets in: the conditions do, and what was read only has to be still so. Throws what the way throws,
 * ALREADY_MEMBER, ROOM_FULL, NOT_FOUND where room or person do not exist, and CONFLICT for a person who is in
 * 1,000 rooms.
 */
export function createEntering({ dynamo, timestamps, people, seats }: MembersOptions): Enter {
  async function attempt({ user, room, way }: Entering): Promise<Membership | undefined> {
    const items = createItemLoader(dynamo);
    const [{ besides, banned }, person, seatsRead, counterRead] = await Promise.all([
      way(items),
      items.load(keys.user(user)),
      items.load(keys.seats(room)),
      items.load(keys.counter(room)),
    ]);
    if (person === undefined || seatsRead === undefined || counterRead === undefined) throw notFound();
    const role = roleOfNext(seatsOf(seatsRead));
    const { joins } = userOf(user, person);
    const { messageCount: readPosition } = counterOf(counterRead);
    const membership = newMembership({ room, user, role, joins, readPosition }, timestamps.next());
    try {
      await seats.run(room, () =>
        dynamo.transact([takeSeat(room, role), ...comingIn(membership, joins), ...besides]),
      );
      return membership;
    } catch (error) {
      if (!(error instanceof ConditionsFailed)) throw error;
      const [seat, member, , profile, ban, ...others] = error.failed;
      // Who is not entitled hears nothing of seats.
      if (others.some((failed) => failed !== undefined)) return undefined;
      if (ban !== undefined) throw banned;
      if (member !== undefined) throw alreadyMember();
      refuseTooManyRooms(profile);
      if (seat?.item !== undefined && isFull(seatsOf(seat.item))) throw roomFull();
      return undefined;
    }
  }

  return ({ user, room, way }) =>
    people.run(user, async () => {
      for (let tries = 0; tries < ATTEMPTS; tries++) {
        const membership = await attempt({ user, room, way });
        if (membership !== undefined) return membership;
      }
      throw unavailable();
    });
}

/** Both sides of a new membership, the person's count of rooms, and that they are not banned. */
export const comingIn = (membership: Membership, joins: number): Write[] => [
  { put: memberItem(membership), condition: 'attribute_not_exists(pk)' },
  { put: membershipItem(membership), condition: 'attribute_not_exists(pk)' },
  oneMoreRoom(membership.user, joins),
  { check: keys.ban(membership.room, membership.user), condition: 'attribute_not_exists(pk)' },
];

/** `joins` numbers the memberships a person ever had, so no two joins of one person use the same. */
export const oneMoreRoom = (user: string, joins: number): Write => ({
  key: keys.user(user),
  update: 'SET rooms = rooms + :one, joins = joins + :one',
  condition: 'rooms < :most AND joins = :joins',
  values: { ':one': 1, ':most': MAX_ROOMS, ':joins': joins },
});

/** Throws CONFLICT where that is why a write of the person's profile was refused. */
export function refuseTooManyRooms(failed: ConditionsFailed['failed'][number]): void {
  const rooms = failed?.item?.rooms;
  if (typeof rooms === 'number' && rooms >= MAX_ROOMS) {
    throw conflict(`Nobody can be in more than ${MAX_ROOMS} rooms: one has to be left first.`);
  }
}

export const alreadyMember = () => new TsudoiError('ALREADY_MEMBER', 'Already a member of this room.');
export const roomFull = () => new TsudoiError('ROOM_FULL', 'Every seat of this room is taken.');
