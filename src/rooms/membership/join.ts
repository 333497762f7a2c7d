import { conflict, forbidden, notFound, TsudoiError } from '../../core/errors.ts';
import { createItemLoader, type ItemLoader } from '../../dynamo/itemLoader.ts';
import { keys } from '../../dynamo/keys.ts';
import { AGAIN, type Again } from '../../dynamo/optimistic.ts';
import type { Write } from '../../dynamo/write.ts';
import { userOf } from '../../users/user.ts';
import { accessTo, memberAccess } from '../access.ts';
import { assertCan } from '../policy.ts';
import { counterOf, type Membership, newMembership, roleUnchanged, seatsOf } from '../room.ts';
import { blockedByAdder, isAddedTooOften, notAccepted } from './consent.ts';
import {
  alreadyMember,
  type MembershipOptions,
  type ModerationTarget,
  membershipWrites,
  roomFull,
  throwIfInTooManyRooms,
} from './membership.ts';
import { isFull, roleOfNext, takeSeat } from './seats.ts';
import { createWaitlist } from './waitlist.ts';

/** How a user gets into a room: they join it, are added to it, or use an invite. */
export interface JoinMethod {
  /** Writes of the same transaction. If one fails, the join is tried again from the start. */
  readonly extraWrites: readonly Write[];
  /** The user who adds them. Absent if they join themselves. */
  readonly addedBy?: string;
  /** The error if the user is banned. */
  readonly bannedError: Error;
}

export interface JoinRequest {
  readonly user: string;
  readonly room: string;
  /** Checks that the join is allowed and throws if it is not. Its reads go out in the same batch as the join's. */
  readonly method: (items: ItemLoader) => Promise<JoinMethod>;
}

export type Join = (request: JoinRequest) => Promise<Membership>;

/**
 * The only way to become a member of a room that is not direct. Takes one batch of reads and one transaction: the
 * seat, both items of the membership, the user's count of rooms, that they are not banned, and the method's
 * extra writes; if another user adds them, also that they accept it. The conditions decide who gets in; a read only
 * has to be still true when the transaction runs.
 * Throws what the method throws, ALREADY_MEMBER, ROOM_FULL, NOT_FOUND if the room or the user does not exist,
 * and CONFLICT if the user is in 1,000 rooms.
 */
export function createJoin({ dynamo, timestamps, userMutex, seatsMutex }: MembershipOptions): Join {
  async function attempt({ user, room, method }: JoinRequest): Promise<Membership | Again> {
    const items = createItemLoader(dynamo);
    const [{ extraWrites, bannedError, ...by }, profileRead, seatsRead, counterRead, banRead] =
      await Promise.all([
        method(items),
        items.load(keys.user(user)),
        items.load(keys.seats(room)),
        items.load(keys.counter(room)),
        items.load(keys.ban(room, user)),
      ]);
    if (profileRead?.deletedAt !== undefined) throw notFound();
    if (profileRead === undefined || seatsRead === undefined || counterRead === undefined) throw notFound();
    // Most users of a rush get no seat. They cost no transaction.
    if (by.addedBy === undefined && isFull(seatsOf(seatsRead))) {
      if (banRead !== undefined) throw bannedError;
      throwIfInTooManyRooms({ item: profileRead }, { user, viewer: user });
      throw roomFull();
    }
    const role = roleOfNext(seatsOf(seatsRead));
    const joiner = userOf(user, profileRead);
    const { joinCount } = joiner;
    const { lastPosition: readPosition } = counterOf(counterRead);
    const joining = { room, user, role, joinCount, readPosition, ...by };
    const membership = newMembership(joining, timestamps.next());
    const failed = await seatsMutex.run(room, () =>
      dynamo.tryTransact({
        seat: takeSeat(room, role),
        ...membershipWrites(membership, joiner),
        extra: extraWrites,
      }),
    );
    if (failed === undefined) return membership;
    // A caller who is no longer allowed to join must not learn whether the room is full.
    if (failed.extra !== undefined) return AGAIN;
    if (failed.ban !== undefined) throw bannedError;
    if (failed.member !== undefined) throw alreadyMember();
    throwIfInTooManyRooms(failed.profile, { user, viewer: by.addedBy ?? user });
    if (failed.ownBlock !== undefined) throw blockedByAdder();
    if (failed.consent !== undefined || isAddedTooOften(failed.profile)) throw notAccepted();
    if (failed.seat?.item !== undefined && isFull(seatsOf(failed.seat.item))) throw roomFull();
    return AGAIN;
  }

  return (request) => userMutex.run(request.user, () => dynamo.optimistic(() => attempt(request)));
}

/** Joining a room, waiting for a seat, and adding a user. Each join costs what `createJoin` says. */
export function createJoining(options: MembershipOptions) {
  const enter = createJoin(options);
  const waitlist = createWaitlist(options);

  /** Joins a public room. Throws NOT_FOUND, ALREADY_MEMBER, ROOM_FULL, FORBIDDEN if banned, CONFLICT. */
  const join = (user: string, room: string): Promise<Membership> =>
    enter({
      user,
      room,
      method: async (items) => {
        const access = await accessTo(room, user, items);
        if (access === null) throw notFound();
        if (access.membership !== null) throw alreadyMember();
        // They see the room from its waitlist, to which an invite let them. It is not public.
        if (access.room.visibility !== 'PUBLIC') throw forbidden('Only an invite lets you into this room.');
        return { extraWrites: [], bannedError: forbidden('You are banned from this room.') };
      },
    });

  /**
   * As `join`. If the room is full, puts the user on the waitlist and resolves to null. ROOM_FULL: the waitlist is
   * full, too.
   */
  const joinOrWait = (user: string, room: string): Promise<Membership | null> =>
    options.dynamo.optimistic(async () => {
      try {
        return await join(user, room);
      } catch (error) {
        if (!(error instanceof TsudoiError) || error.code !== 'ROOM_FULL') throw error;
      }
      return (await waitlist.wait({ user, room })) ? null : AGAIN;
    });

  /**
   * Throws NOT_FOUND and FORBIDDEN for the user who adds, CONFLICT if the user is banned or blocked by them, FORBIDDEN
   * if they do not accept it (see `consent.ts`), or as `join`.
   */
  const add = ({ by, room, user }: ModerationTarget): Promise<Membership> =>
    enter({
      user,
      room,
      method: async (items) => {
        const { room: found, membership } = await memberAccess(room, by, items);
        assertCan('addMembers', found, membership);
        if (user === by) throw alreadyMember();
        return {
          extraWrites: [roleUnchanged(membership)],
          addedBy: by,
          bannedError: conflict('BANNED', 'This person is banned from the room. Lift the ban first.'),
        };
      },
    });

  return { join, joinOrWait, add, positionInLine: waitlist.positionOf, waitlistsOf: waitlist.entriesOf };
}
