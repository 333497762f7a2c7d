import { userTopic } from '../../bus/bus.ts';
import type { Publisher } from '../../bus/publisher.ts';
import { badUserInput, forbidden, notFound } from '../../core/errors.ts';
import type { Timestamp } from '../../core/timestamps.ts';
import type { Item } from '../../dynamo/item.ts';
import { createItemLoader } from '../../dynamo/itemLoader.ts';
import { keys } from '../../dynamo/keys.ts';
import { AGAIN } from '../../dynamo/optimistic.ts';
import { FIRST_SHAPE } from '../../dynamo/shapes.ts';
import type { Write } from '../../dynamo/write.ts';
import { accessTo, memberAccess } from '../access.ts';
import { liftedItem } from '../invites/invite.ts';
import { assertCan, removalPermission } from '../policy.ts';
import {
  grantOf,
  lastMembershipVersion,
  type Membership,
  type MembershipEvent,
  membershipOf,
  type Room,
  roleUnchanged,
} from '../room.ts';
import { endedMembershipWrites, type MembershipOptions, type ModerationTarget } from './membership.ts';
import { freeSeat, lastOwner } from './seats.ts';
import { createWaitlist, leaveWaitlistWrites } from './waitlist.ts';

export interface LeavingOptions extends MembershipOptions {
  readonly publisher: Publisher;
}

interface Ending {
  readonly membership: Membership;
  /** The user's LEFT item of the room, read together with the membership. */
  readonly left: Item | undefined;
  /** The user leaves. Otherwise they are removed. */
  readonly isOwnWish: boolean;
  readonly extraWrites: readonly Write[];
}

/**
 * The ways out of a room: leaving it, being removed, being banned. Each is one batch of reads and one transaction, with
 * one more read if another user had added them, and raises the counter's `membershipEpoch`. A server that sees it rise
 * checks who is still a member before it sends anything of the room.
 */
export function createLeaving({ dynamo, timestamps, userMutex, seatsMutex, publisher }: LeavingOptions) {
  const waitlist = createWaitlist({ dynamo, timestamps, userMutex, seatsMutex });

  /**
   * Leaves the room or its waitlist. Throws NOT_FOUND or FORBIDDEN if the user is in neither, and CONFLICT for the
   * last owner while there are other members. Resolves to the room as a non-member sees it.
   */
  const leave = (user: string, room: string): Promise<{ readonly room: Room | null }> =>
    dynamo.optimistic(async () => {
      const items = createItemLoader(dynamo);
      const [access, left] = await Promise.all([
        accessTo(room, user, items),
        items.load(keys.left(user, room)),
      ]);
      if (access === null) throw notFound();
      const { membership } = access;
      const result = { room: access.room.visibility === 'PUBLIC' ? access.room : null };
      if (membership !== null) {
        const ended = await endMembership({ membership, left, isOwnWish: true, extraWrites: [] });
        return ended ? result : AGAIN;
      }
      const entry = await waitlist.entryOf(user, room);
      if (entry !== null) return (await waitlist.leaveWaitlist(entry)) ? result : AGAIN;
      // The user may have got a seat between the two reads.
      if ((await dynamo.get(keys.membership(user, room))) !== undefined) return AGAIN;
      throw forbidden('You are neither in this room nor on its waitlist.');
    });

  /** Throws NOT_FOUND (also if `user` is not in the room), FORBIDDEN, and CONFLICT for the last owner. */
  const remove = (target: ModerationTarget): Promise<Room> =>
    dynamo.optimistic(async () => {
      const { room, actor, membership, left } = await loadTarget(target);
      if (membership === null) throw notFound();
      const extraWrites = [roleUnchanged(actor)];
      return (await endMembership({ membership, left, isOwnWish: false, extraWrites })) ? room : AGAIN;
    });

  /**
   * Removes a user, if they are a member or on the waitlist, and keeps them out by every way until the ban is lifted.
   * Idempotent. Throws as `remove`, but NOT_FOUND only if the user or the room does not exist.
   */
  const ban = (target: ModerationTarget): Promise<{ room: Room; removed: boolean }> =>
    dynamo.optimistic(async () => {
      const { room, actor, membership, left, waiting, banned } = await loadTarget(target);
      if (banned) return { room, removed: false };
      const { by, user } = target;
      const writes: Write[] = [
        roleUnchanged(actor),
        {
          put: { ...keys.ban(room.id, user), v: FIRST_SHAPE, by, at: timestamps.next() },
          condition: 'attribute_not_exists(pk)',
        },
      ];
      if (membership !== null) {
        const ended = await endMembership({ membership, left, isOwnWish: false, extraWrites: writes });
        return ended ? { room, removed: true } : AGAIN;
      }
      const stillOutside = { check: keys.member(room.id, user), condition: 'attribute_not_exists(pk)' };
      const place =
        waiting === undefined
          ? { notWaiting: { check: keys.waiting(user, room.id), condition: 'attribute_not_exists(pk)' } }
          : leaveWaitlistWrites({ room: room.id, user, waitingSince: waiting.w as Timestamp });
      const failed = await dynamo.tryTransact({ writes, stillOutside, ...place });
      return failed === undefined ? { room, removed: false } : AGAIN;
    });

  /** Lifts a ban. Idempotent. Throws as `ban`. */
  const unban = (target: ModerationTarget): Promise<Room> =>
    dynamo.optimistic(async () => {
      const { room, actor, banned } = await loadTarget(target);
      if (!banned) return room;
      const { user } = target;
      const failed = await dynamo.tryTransact({
        actor: roleUnchanged(actor),
        ban: { delete: keys.ban(room.id, user), condition: 'attribute_exists(pk)' },
        lifted: { put: liftedItem({ room: room.id, user, at: timestamps.next() }) },
      });
      return failed === undefined ? room : AGAIN;
    });

  /** Reads the room, both memberships and the ban, and throws if the acting user may not remove the other. */
  async function loadTarget({ by, room: id, user }: ModerationTarget) {
    const items = createItemLoader(dynamo);
    const [{ room, membership: actor }, profileRead, item, banned, left, waiting] = await Promise.all([
      memberAccess(id, by, items),
      items.load(keys.user(user)),
      items.load(keys.membership(user, id)),
      items.load(keys.ban(id, user)),
      items.load(keys.left(user, id)),
      items.load(keys.waiting(user, id)),
    ]);
    assertCan('removeMembers', room, actor);
    if (user === by)
      throw badUserInput('input.userId', 'You cannot do this to yourself. Use leaveRoom to leave.');
    if (profileRead === undefined) throw notFound();
    const membership = item === undefined ? null : membershipOf(user, id, item);
    assertCan(removalPermission(membership?.role ?? null), room, actor);
    return { room, actor, membership, left, waiting, banned: banned !== undefined };
  }

  /** False if something changed since it was read. Throws CONFLICT for the last owner. */
  async function endMembership({ membership, left, isOwnWish, extraWrites }: Ending): Promise<boolean> {
    const { room, user, role, addedBy, version } = membership;
    const adder = addedBy === undefined ? undefined : await dynamo.get(keys.adder(user, addedBy));
    const failed = await seatsMutex.run(room, () =>
      dynamo.tryTransact({
        seat: freeSeat(room, role),
        ...endedMembershipWrites({ membership, isOwnWish, adder, left }),
        // In a public room the invites last that they created with the power that they have now. Others, which ended
        // when they were demoted or banned before, do not come back.
        lifted:
          role === 'MEMBER' && membership.grant === undefined
            ? undefined
            : {
                put: liftedItem({
                  room,
                  user,
                  at: timestamps.next(),
                  grant: role === 'MEMBER' ? undefined : grantOf(membership),
                }),
              },
        counter: {
          key: keys.counter(room),
          update: 'SET removals = removals + :one',
          condition: 'attribute_exists(pk)',
          values: { ':one': 1 },
        },
        extra: extraWrites,
      }),
    );
    if (failed !== undefined) {
      const { seat, ...others } = failed;
      if (seat?.item !== undefined && Object.keys(others).length === 0) throw lastOwner();
      return false;
    }
    // The stream publishes it as well. This way the user's websockets get it at once.
    void publisher.publish(userTopic<MembershipEvent>(user), {
      type: 'left',
      room,
      version: lastMembershipVersion(version),
    });
    return true;
  }

  return { leave, remove, ban, unban };
}
