import type { Dynamo } from '../../dynamo/dynamo.ts';
import { keys } from '../../dynamo/keys.ts';
import { AGAIN } from '../../dynamo/optimistic.ts';
import { membershipOf } from '../room.ts';
import { endedMembershipWrites } from './membership.ts';

/**
 * Ends a membership of a room that has no seats any more, as if the user were removed: their count of rooms changes in
 * the same transaction. Idempotent. Two or three reads and one transaction.
 */
export const endMembershipOfDeletedRoom = (dynamo: Dynamo, room: string, user: string): Promise<void> =>
  dynamo.optimistic(async () => {
    const [item, left] = await dynamo.batchGet([keys.membership(user, room), keys.left(user, room)]);
    // Another process has ended it, or only half of it exists.
    if (item === undefined) return dynamo.remove(keys.member(room, user));
    const membership = membershipOf(user, room, item);
    const { addedBy } = membership;
    const adder = addedBy === undefined ? undefined : await dynamo.get(keys.adder(user, addedBy));
    const ended = endedMembershipWrites({ membership, left, adder, isOwnWish: false });
    return (await dynamo.tryTransact(ended)) === undefined ? undefined : AGAIN;
  });
