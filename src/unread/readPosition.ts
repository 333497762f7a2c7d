import type { Timestamp } from '../core/timestamps.ts';
import type { ItemSource } from '../dynamo/itemLoader.ts';
import { keys } from '../dynamo/keys.ts';
import { type PendingRead, pendingReadsOf } from '../rooms/pendingReads.ts';
import type { Membership } from '../rooms/room.ts';

/**
 * How far a user has read a room: up to a position, then changed by pending reads. If there are any, everything that
 * has a position is read, because what they name will get higher positions.
 */
export interface ReadPosition {
  readonly position: number;
  /** In their order. Empty or begins with a `to` or a `mark`. At most PENDING_MAX. */
  readonly pending: readonly PendingRead[];
}

/** Positions of roots, by timestamp. A root that is absent had none when it was read. */
export type KnownPositions = ReadonlyMap<Timestamp, number>;

/**
 * A user who reads on while no consumer runs adds one after the other. The first one and the newest are kept. What is
 * dropped matters only if clocks differ by more than the whole list covers: then a root may be unread again.
 */
export const PENDING_MAX = 16;

/**
 * The read position after one more thing was said. A root without a position will have a higher one than all that have
 * one, so `known` must not be older for it than for the others.
 */
export function afterRead(current: ReadPosition, read: PendingRead, known: KnownPositions): ReadPosition {
  const { position, pending } = current;
  const isPending = pending.length > 0;
  if ('mark' in read) return { position, pending: [read] };
  if ('to' in read) {
    const to = known.get(read.to);
    // Also behind a mark that is believed to be pending: it may have got a lower position since it was read.
    if (to !== undefined) return { position: Math.max(position, to), pending };
    return said(pending, read) ? current : { position, pending: bounded([...pending, read]) };
  }
  const from = known.get(read.from);
  if (from !== undefined)
    return isPending
      ? { position: from - 1, pending: [] }
      : { position: Math.min(position, from - 1), pending };
  // Without pending reads, a root that has no position is unread already.
  return isPending && !said(pending, read) ? { position, pending: bounded([...pending, read]) } : current;
}

/** Whether it was said, and nothing of the other kind since. */
function said(pending: readonly PendingRead[], read: PendingRead): boolean {
  if ('mark' in read) return false;
  const kind = 'to' in read ? 'to' : 'from';
  const since = pending.slice(pending.findLastIndex((one) => !(kind in one)) + 1);
  return since.some((one) =>
    'to' in read ? 'to' in one && one.to === read.to : 'from' in one && one.from === read.from,
  );
}

function bounded(pending: readonly PendingRead[]): readonly PendingRead[] {
  const [first] = pending;
  if (first === undefined || pending.length <= PENDING_MAX) return pending;
  return [first, ...pending.slice(1 - PENDING_MAX)];
}

/** A membership's read position, from the positions of the roots that it names. */
export const readPositionOf = (membership: Membership, known: KnownPositions): ReadPosition =>
  pendingReadsOf(membership).reduce((current, read) => afterRead(current, read, known), {
    position: membership.readPosition,
    pending: [],
  } as ReadPosition);

/** The roots whose positions decide, without repetition. */
export const rootsNamed = (pending: readonly PendingRead[]): Timestamp[] => [
  ...new Set(pending.flatMap((read) => ('to' in read ? [read.to] : 'from' in read ? [read.from] : []))),
];

/**
 * Reads the positions of roots that are not among the known ones. While a read finds new positions, it reads again the
 * roots that had none. So these were read last, and will have higher positions than all others. Usually one round trip;
 * one more for each time that the consumer was faster.
 */
export async function readPositions(
  room: string,
  roots: readonly Timestamp[],
  { source, known: before = new Map() }: { readonly source: ItemSource; readonly known?: KnownPositions },
): Promise<KnownPositions> {
  const known = new Map(before);
  let unknown = roots.filter((root) => !known.has(root));
  for (let found = true; found && unknown.length > 0; ) {
    const items = await source.batchGet(unknown.map((root) => keys.root(room, root)));
    const size = known.size;
    for (const [i, root] of unknown.entries()) {
      const position = items[i]?.position;
      if (typeof position === 'number') known.set(root, position);
    }
    found = known.size > size;
    unknown = unknown.filter((root) => !known.has(root));
  }
  return known;
}

/** The current read position of a membership. Reads the roots that it names, if there are any. */
export async function currentReadPosition(membership: Membership, source: ItemSource): Promise<ReadPosition> {
  const roots = rootsNamed(pendingReadsOf(membership));
  return readPositionOf(membership, await readPositions(membership.room, roots, { source }));
}

/** The number of roots after the read position. `lastPosition` is the highest position of the room. */
export const unreadCount = (lastPosition: number, { position, pending }: ReadPosition): number =>
  pending.length === 0 ? Math.max(0, lastPosition - position) : 0;

/** The highest position that counts as read. */
export const readUpTo = (lastPosition: number, { position, pending }: ReadPosition): number =>
  pending.length === 0 ? position : Math.max(position, lastPosition);

export const isSamePosition = (a: ReadPosition, b: ReadPosition): boolean =>
  a.position === b.position && JSON.stringify(a.pending) === JSON.stringify(b.pending);
