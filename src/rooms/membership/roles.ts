import { notFound, unavailable } from '../../core/errors.ts';
import { ConditionsFailed } from '../../dynamo/errors.ts';
import { createItemLoader } from '../../dynamo/itemLoader.ts';
import { keys } from '../../dynamo/keys.ts';
import type { Write } from '../../dynamo/write.ts';
import { memberAccess } from '../access.ts';
import { assertMay } from '../policy.ts';
import { type Membership, membershipOf, type Role, stillInRole } from '../room.ts';
import { ATTEMPTS, type MembersOptions } from './entering.ts';
import type { ByAnother } from './leave.ts';
import { changeOwners, lastOwner } from './seats.ts';

export function createRoles({ dynamo, seats }: MembersOptions) {
  /**
   * One batch of reads, one transaction, one read of what it has become. Owners may do it to anybody, themselves
   * included. Throws NOT_FOUND (also where `user` is not in the room), FORBIDDEN, and CONFLICT for the last owner
   * who would step down.
   */
  async function setRole({ by, room, user }: ByAnother, role: Role): Promise<Membership> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const items = createItemLoader(dynamo);
      const [{ room: found, membership: mine }, item] = await Promise.all([
        memberAccess(room, by, items),
        items.load(keys.membership(user, room)),
      ]);
      assertMay('changeRoles', found, mine);
      if (item === undefined) throw notFound();
      const theirs = membershipOf(user, room, item);
      if (theirs.role === role) return theirs;
      const owners = ownersWrites(theirs, role);
      try {
        await seats.run(room, () => dynamo.transact([...owners, ...roleWrites(mine, theirs, role)]));
        return await asItIsNow(user, room);
      } catch (error) {
        if (!(error instanceof ConditionsFailed)) throw error;
        const unchanged = error.failed.slice(owners.length).every((failed) => failed === undefined);
        if (unchanged) throw lastOwner();
      }
    }
    throw unavailable();
  }

  async function asItIsNow(user: string, room: string): Promise<Membership> {
    const item = await dynamo.get(keys.membership(user, room));
    if (item === undefined) throw notFound();
    return membershipOf(user, room, item);
  }

  return { setRole };
}

/** The number of owners, where that changes. */
function ownersWrites({ room, role: before }: Membership, role: Role): Write[] {
  if (role === 'OWNER') return [changeOwners(room, 1)];
  return before === 'OWNER' ? [changeOwners(room, -1)] : [];
}

/** Both sides of the membership; and that who does it still may, where that is somebody else. */
function roleWrites(mine: Membership, { room, user, role: before }: Membership, role: Role): Write[] {
  const guard = { condition: '#role = :before', names: { '#role': 'role' } };
  const values = { ':role': role, ':before': before };
  return [
    { key: keys.member(room, user), update: 'SET #role = :role', ...guard, values },
    {
      key: keys.membership(user, room),
      update: 'SET #role = :role, rev = rev + :one',
      ...guard,
      values: { ...values, ':one': 1 },
    },
    ...(mine.user === user ? [] : [stillInRole(mine)]),
  ];
}
