import type { Timestamp } from '../core/timestamps.ts';
import type { ItemLoader } from '../dynamo/itemLoader.ts';
import { keys } from '../dynamo/keys.ts';
import type { Membership } from '../rooms/room.ts';

/**
 * How far somebody has read a room. Either up to a position, or up to a root that has none yet (`pending`,
 * by its time stamp): such a root, and with it everything that has a position now, counts as read, for
 * whatever position it gets will be the highest at that moment.
 */
export interface ReadMark {
  readonly position: number;
  readonly pending: Timestamp | null;
}

/** `rootPosition`: the position of the root that `readTo` names; null while it has none. */
export function readMark({ readPosition, readTo }: Membership, rootPosition: number | null): ReadMark {
  if (readTo === null) return { position: readPosition, pending: null };
  if (rootPosition === null) return { position: readPosition, pending: readTo };
  return { position: Math.max(readPosition, rootPosition), pending: null };
}

/** The mark as it is now: where a root is named it is looked up. */
export async function currentMark(membership: Membership, items: ItemLoader): Promise<ReadMark> {
  const { room, readTo } = membership;
  const named = readTo === null ? undefined : await items.load(keys.root(room, readTo));
  return readMark(membership, (named?.position as number | undefined) ?? null);
}

/** Roots with a position past the mark. `messageCount` is the highest position of the room. */
export const unreadCount = (messageCount: number, { position, pending }: ReadMark): number =>
  pending === null ? Math.max(0, messageCount - position) : 0;

/** The highest position that counts as read. */
export const readUpTo = (messageCount: number, { position, pending }: ReadMark): number =>
  pending === null ? position : Math.max(position, messageCount);

/** Whether `a` is further than `b`: read marks only ever move on. Of two pending roots the later counts. */
export function isFurther(a: ReadMark, b: ReadMark): boolean {
  if (a.pending !== null) return b.pending === null || a.pending > b.pending;
  return b.pending === null && a.position > b.position;
}
