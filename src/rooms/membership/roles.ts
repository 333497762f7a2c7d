import { notFound } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { createItemLoader } from '../../dynamo/itemLoader.ts';
import { keys } from '../../dynamo/keys.ts';
import { AGAIN } from '../../dynamo/optimistic.ts';
import type { Write } from '../../dynamo/write.ts';
import { memberAccess } from '../access.ts';
import { assertCan } from '../policy.ts';
import { type Membership, membershipOf, type Role, roleUnchanged } from '../room.ts';
import type { MembershipOptions, ModerationTarget } from './membership.ts';
import { changeOwnerCount, lastOwner } from './seats.ts';

export function createRoles({ dynamo, seatsMutex }: MembershipOptions) {
  /**
   * Takes one batch of reads, one transaction and one read of the result. Owners may change every role, including
   * their own. Throws NOT_FOUND (also if `user` is not in the room), FORBIDDEN, and CONFLICT if the last owner
   * would step down.
   */
  const setRole = ({ by, room, user }: ModerationTarget, role: Role): Promise<Membership> =>
    dynamo.optimistic(async () => {
      const items = createItemLoader(dynamo);
      const [{ room: found, membership: actor }, item] = await Promise.all([
        memberAccess(room, by, items),
        items.load(keys.membership(user, room)),
      ]);
      assertCan('changeRoles', found, actor);
      if (item === undefined) throw notFound();
      const target = membershipOf(user, room, item);
      if (target.role === role) return target;
      const failed = await seatsMutex.run(room, () =>
        dynamo.tryTransact({
          owners: ownersWrite(target, role),
          ...roleWrites(target, role),
          actor: user === by ? undefined : roleUnchanged(actor),
        }),
      );
      if (failed === undefined) return await currentMembership(user, room);
      const onlyOwners =
        failed.owners?.item !== undefined &&
        failed.member === undefined &&
        failed.membership === undefined &&
        failed.actor === undefined;
      if (onlyOwners) throw lastOwner();
      return AGAIN;
    });

  async function currentMembership(user: string, room: string): Promise<Membership> {
    const item = await dynamo.get(keys.membership(user, room));
    if (item === undefined) throw notFound();
    return membershipOf(user, room, item);
  }

  return { setRole };
}

/** Undefined if the number of owners stays the same. */
function ownersWrite({ room, role: before }: Membership, role: Role): Write | undefined {
  if (role === 'OWNER') return changeOwnerCount(room, 1);
  return before === 'OWNER' ? changeOwnerCount(room, -1) : undefined;
}

/**
 * The new role on both items of the membership, with another `grant` if it is a promotion from MEMBER or a demotion to
 * it. They fail if the membership has another role than was read.
 */
export function roleWrites(
  { room, user, role: before }: Pick<Membership, 'room' | 'user' | 'role'>,
  role: Role,
) {
  // A demotion says with it that the user had power before, which the room's creator has without a promotion.
  const isOtherGrant = before === 'MEMBER' || role === 'MEMBER';
  const names = { '#role': 'role', ...(isOtherGrant && { '#grant': 'grant' }) };
  const guard = { condition: '#role = :before', names };
  const values = { ':role': role, ':before': before, ...(isOtherGrant && { ':grant': newId() }) };
  const set = isOtherGrant ? 'SET #role = :role, #grant = :grant' : 'SET #role = :role';
  return {
    member: { key: keys.member(room, user), update: set, ...guard, values },
    membership: {
      key: keys.membership(user, room),
      update: `${set}, rev = rev + :one`,
      ...guard,
      values: { ...values, ':one': 1 },
    },
  };
}
