import type { Dynamo } from '../../dynamo/dynamo.ts';
import { keys } from '../../dynamo/keys.ts';
import { type Membership, membershipOf } from '../../rooms/room.ts';
import { badgeChangeWrite, deletePointerWrite, markReadWrite } from '../derive/store.ts';
import { countedBy, mentionedWrite } from '../mentionedRoots.ts';
import type { Notification } from '../notification.ts';

/**
 * Notifications per transaction. Each takes up to three items, and a larger transaction conflicts with others more
 * often.
 */
export const AT_ONCE = 25;

export interface Reading {
  readonly user: string;
  /** The badge's, when the notifications were read from the table. */
  readonly epoch: number;
  /** At most AT_ONCE notifications that `asRead` returned. */
  readonly read: readonly Notification[];
}

/**
 * One transaction; before it one read, of the memberships, if they count any of the notifications. Resolves to false,
 * with nothing written, if a notification, the badge's epoch or such a membership changed.
 */
export async function writeRead(dynamo: Dynamo, { user, epoch, read }: Reading): Promise<boolean> {
  const rooms = new Set(read.flatMap(({ join, room }) => (join === undefined ? [] : [room])));
  const memberships = rooms.size === 0 ? [] : await membershipsIn(dynamo, user, [...rooms]);
  const failed = await dynamo.tryTransact({
    notifications: read.flatMap((one) => [markReadWrite(one), deletePointerWrite(one)]),
    badge: badgeChangeWrite(user, epoch, -read.reduce((sum, { count }) => sum + count, 0)),
    memberships: memberships.flatMap((membership) => {
      const counted = read.reduce((sum, one) => sum + countedBy(membership, one), 0);
      return counted === 0 ? [] : [mentionedWrite(membership, epoch, -counted)];
    }),
  });
  return failed === undefined;
}

/** Those that exist. */
async function membershipsIn(dynamo: Dynamo, user: string, rooms: readonly string[]): Promise<Membership[]> {
  const items = await dynamo.batchGet(rooms.map((room) => keys.membership(user, room)));
  return items.flatMap((item, i) => (item === undefined ? [] : [membershipOf(user, rooms[i] ?? '', item)]));
}
