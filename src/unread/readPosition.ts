import type { Timestamp } from '../core/timestamps.ts';
import type { ItemLoader } from '../dynamo/itemLoader.ts';
import { keys } from '../dynamo/keys.ts';
import type { Membership } from '../rooms/room.ts';

/**
 * How far a user has read a room: up to a position, or up to a root that has no position yet (`pendingReadRoot`, by
 * its timestamp). Such a root, and with it every root that has a position now, counts as read, because the position
 * that it will get is the highest at that moment.
 */
export interface ReadPosition {
  readonly position: number;
  readonly pendingReadRoot: Timestamp | null;
}

/** `rootPosition`: the position of the pending read root; null if it has none yet. */
export function readPositionOf(
  { readPosition, pendingReadRoot }: Membership,
  rootPosition: number | null,
): ReadPosition {
  if (pendingReadRoot === null) return { position: readPosition, pendingReadRoot: null };
  if (rootPosition === null) return { position: readPosition, pendingReadRoot };
  return { position: Math.max(readPosition, rootPosition), pendingReadRoot: null };
}

/** The current read position. Reads the pending root if the membership names one. */
export async function currentReadPosition(membership: Membership, items: ItemLoader): Promise<ReadPosition> {
  const { room, pendingReadRoot } = membership;
  const root = pendingReadRoot === null ? undefined : await items.load(keys.root(room, pendingReadRoot));
  return readPositionOf(membership, (root?.position as number | undefined) ?? null);
}

/** The number of roots after the read position. `lastPosition` is the highest position of the room. */
export const unreadCount = (
  lastPosition: number,
  { position, pendingReadRoot: pending }: ReadPosition,
): number => (pending === null ? Math.max(0, lastPosition - position) : 0);

/** The highest position that counts as read. */
export const readUpTo = (
  lastPosition: number,
  { position, pendingReadRoot: pending }: ReadPosition,
): number => (pending === null ? position : Math.max(position, lastPosition));

/** Whether `a` is further than `b`. Of two pending roots, the later one is further. */
export function isFurther(a: ReadPosition, b: ReadPosition): boolean {
  if (a.pendingReadRoot !== null) return b.pendingReadRoot === null || a.pendingReadRoot > b.pendingReadRoot;
  return b.pendingReadRoot === null && a.position > b.position;
}
