import { forbidden, notFound } from '../core/errors.ts';
import type { ConsistentLoader } from '../dynamo/itemLoader.ts';
import { isId, keys } from '../dynamo/keys.ts';
import { type Counter, counterOf, type Membership, membershipOf, type Room, roomOf } from './room.ts';

/** What the viewer may see of a room. */
export interface Access {
  readonly room: Room;
  /** The room's counter. It is read before everything that only members may read. */
  readonly counter: Counter;
  /**
   * Null: the viewer is not a member, and sees the room's name, topic and counts: it is public, or they are on its
   * waitlist.
   */
  readonly membership: Membership | null;
}

/**
 * The one place that decides who sees a room. Null if the room does not exist or the viewer may not see it. Takes one
 * round trip, shared with the operation's other reads of the same turn, and a second one if the viewer may see the room
 * only from its waitlist. Reads the table, never an index.
 */
export async function accessTo(
  room: string,
  viewer: string,
  items: Pick<ConsistentLoader, 'loadMany'>,
): Promise<Access | null> {
  if (!isId(room)) return null;
  const [roomItem, membershipItem, counterItem] = await items.loadMany([
    keys.room(room),
    keys.membership(viewer, room),
    keys.counter(room),
  ]);
  const found = roomItem === undefined ? undefined : roomOf(room, roomItem);
  const membership = membershipItem === undefined ? null : membershipOf(viewer, room, membershipItem);
  // For a room that does not exist as well, so that the time of the answer does not say whether it does.
  if (membership === null && found?.visibility !== 'PUBLIC' && !(await isWaiting(room, viewer, items)))
    return null;
  if (found === undefined || counterItem === undefined) return null;
  return { room: found, counter: counterOf(counterItem), membership };
}

/** Whether an invite has let the viewer onto the waitlist. A ban ends it. */
async function isWaiting(
  room: string,
  viewer: string,
  items: Pick<ConsistentLoader, 'loadMany'>,
): Promise<boolean> {
  const [waiting, ban] = await items.loadMany([keys.waiting(viewer, room), keys.ban(room, viewer)]);
  return waiting !== undefined && ban === undefined;
}

/** Whether the viewer is a member of a room that exists: for what only members see. Always one round trip. */
export async function isMember(
  room: string,
  viewer: string,
  items: Pick<ConsistentLoader, 'loadMany'>,
): Promise<boolean> {
  const found = await items.loadMany([keys.room(room), keys.membership(viewer, room)]);
  return found.every((item) => item !== undefined);
}

/** Throws NOT_FOUND if the viewer does not see the room, and FORBIDDEN if they see it but are not a member. */
export async function memberAccess(room: string, viewer: string, items: Pick<ConsistentLoader, 'loadMany'>) {
  const access = await accessTo(room, viewer, items);
  if (access === null) throw notFound();
  const { membership } = access;
  if (membership === null) throw forbidden('Only members of this room may do this. Join it first.');
  return { ...access, membership };
}
