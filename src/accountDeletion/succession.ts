import type { Dynamo } from '../dynamo/dynamo.ts';
import { type KeyRange, keyOf, parseKey, ranges } from '../dynamo/keys.ts';
import { AGAIN } from '../dynamo/optimistic.ts';
import { roleWrites } from '../rooms/membership/roles.ts';
import { changeOwnerCount } from '../rooms/membership/seats.ts';
import { type Member, memberOf } from '../rooms/room.ts';

/** The most members that are considered: one query of about 100 bytes for each. */
const CANDIDATES_MAX = 1_000;

/** Finds a new owner for a room whose last owner goes. */
export function createSuccession({ dynamo }: { readonly dynamo: Dynamo }) {
  /**
   * Makes the moderator who has been in the room for the longest time an owner; without moderators, the member who has.
   * Of a room with more than CANDIDATES_MAX members, among the first of them by id. One query and one transaction. Does
   * nothing in a room without other members.
   */
  const appoint = (room: string, leaving: string): Promise<void> =>
    dynamo.optimistic(async () => {
      const others = (await membersOf(ranges.members(room))).filter(({ user }) => user !== leaving);
      if (others.some(({ role }) => role === 'OWNER')) return undefined;
      const [next] = others.sort(bySeniority);
      if (next === undefined) return undefined;
      const failed = await dynamo.tryTransact({
        seats: changeOwnerCount(room, 1),
        ...roleWrites(next, 'OWNER'),
      });
      // The room was deleted, if its seats are gone.
      return failed === undefined || (failed.seats !== undefined && failed.seats.item === undefined)
        ? undefined
        : AGAIN;
    });

  async function membersOf(range: KeyRange): Promise<Member[]> {
    const { items } = await dynamo.query(range, { limit: CANDIDATES_MAX });
    return items.flatMap((item) => {
      const key = parseKey(keyOf(item));
      return key.type === 'member' ? [memberOf(key.room, key.user, item)] : [];
    });
  }

  return { appoint };
}

/** Moderators first, and then the longest membership. */
function bySeniority(one: Member, other: Member): number {
  if (one.role !== other.role) return one.role === 'MODERATOR' ? -1 : 1;
  return one.joinedAt < other.joinedAt ? -1 : 1;
}
