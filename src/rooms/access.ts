import { forbidden, notFound } from '../core/errors.ts';
import type { ItemLoader } from '../dynamo/itemLoader.ts';
import { isId, keys } from '../dynamo/keys.ts';
import { type Counter, counterOf, type Membership, membershipOf, type Room, roomOf } from './room.ts';

/** What the viewer may know of a room: null where there is none, or none for them. */
export interface Access {
  readonly room: Room;
  /** As it was before anything was read that only who has access may read. */
  readonly counter: Counter;
  /** Null: an outsider who sees a public room's name, topic and counts. */
  readonly membership: Membership | null;
}

/**
 * The one place that decides who sees a room. One round trip, shared with whatever else the operation
 * reads in the same turn; from the table, never from an index.
 */
export async function accessTo(room: string, viewer: string, items: ItemLoader): Promise<Access | null> {
  if (!isId(room)) return null;
  const [roomItem, membershipItem, counterItem] = await items.loadMany([
    keys.room(room),
    keys.membership(viewer, room),
    keys.counter(room),
  ]);
  if (roomItem === undefined || counterItem === undefined) return null;
  const found = roomOf(room, roomItem);
  const membership = membershipItem === undefined ? null : membershipOf(viewer, room, membershipItem);
  if (membership === null && found.visibility !== 'PUBLIC') return null;
  return { room: found, counter: counterOf(counterItem), membership };
}

/** Throws NOT_FOUND where the room is not visible to the viewer, FORBIDDEN where it is but they are not in it. */
export async function memberAccess(room: string, viewer: string, items: ItemLoader) {
  const access = await accessTo(room, viewer, items);
  if (access === null) throw notFound();
  const { membership } = access;
  if (membership === null) throw forbidden('Only members of this room may do this. Join it first.');
  return { ...access, membership };
}
