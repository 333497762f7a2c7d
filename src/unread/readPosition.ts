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

/** `rootPosition`: the position of the root that `readTo` names; null if it has none yet. */
export function readPositionOf(
  { readPosition, readTo }: Membership,
  rootPosition: number | null,
): ReadPosition {
  if (readTo === null) return { position: readPosition, pendingReadRoot: null };
  if (rootPosition === null) return { position: readPosition, pendingReadRoot: readTo };
  return { position: Math.max(readPosition, rootPosition), pendingReadRoot: null };
}

/** The current read position. Reads the pending root if the membership names one. */
export async function currentReadPosition(membership: Membership, items: ItemLoader): Promise<ReadPosition> {
  const { room, readTo } = membership;
  const root = readTo === null ? undefined : await items.load(keys.root(room, readTo));
  return readPositionOf(membership, (root?.position as number | undefined) ?? null);
}

/** The number of roots after the read position. `messageCount` is the highest position of the room. */
export const unreadCount = (
  messageCount: number,
  { position, pendingReadRoot: pending }: ReadPosition,
): number => (pending === null ? Math.max(0, messageCount - position) : 0);

/** The highest position that counts as read. */
export const readUpTo = (
  messageCount: number,
  { position, pendingReadRoot: pending }: ReadPosition,
): number => (pending === null ? position : Math.max(position, messageCount));

/** Whether `a` is further than `b`. Of two pending roots the later one is further. */
export function isFurther(a: ReadPosition, b: ReadPosition): boolean {
  if (a.pendingReadRoot !== null) return b.pendingReadRoot === null || a.pendingReadRoot > b.pendingReadRoot;
  return b.pendingReadRoot === null && a.position > b.position;
}
