import type { Timestamps } from '../../core/timestamps.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import { keys, ranges } from '../../dynamo/keys.ts';
import { AGAIN, type Again } from '../../dynamo/optimistic.ts';
import type { Visitor } from '../../rebuild/rebuild.ts';
import { userOf } from '../../users/user.ts';
import { counterOf, newMembership, roomOf, type Seats, seatsOf } from '../room.ts';
import { isInTooManyRooms, membershipWrites } from './membership.ts';
import { hasFreeSeat, roleOfNext, seatFromWaitlist } from './seats.ts';
import { deleteEntryWrites, dropEntryWrites, type WaitlistEntry, waitlistEntriesOf } from './waitlist.ts';

export interface WaitlistProcessorOptions {
  readonly dynamo: Dynamo;
  readonly timestamps: Timestamps;
}

/** Whether a seat is free and someone waits for it. */
export const isDue = (seats: Seats): boolean => seats.waiting > 0 && hasFreeSeat(seats);

/**
 * Gives free seats to the users on a room's waitlist, in their order. It acts on what the table says, not on what
 * happened. So a repeated, late or concurrent run gives no seat twice: each seat is one transaction that deletes
 * the entry and takes the seat, or does nothing.
 */
export function createWaitlistProcessor({ dynamo, timestamps }: WaitlistProcessorOptions) {
  /**
   * Runs until no seat is free or no one waits. Each seat takes two rounds of reads and one transaction. Throws
   * `ContentionError` if the list does not move within the time for one optimistic write.
   */
  async function assignFreeSeats(room: string): Promise<void> {
    while (await dynamo.optimistic(() => assignNext(room)));
  }

  /** True if one entry is gone, false if there is nothing to do. */
  async function assignNext(room: string): Promise<boolean | Again> {
    const [[seatsRead, counterRead, roomRead], page] = await Promise.all([
      dynamo.batchGet([keys.seats(room), keys.counter(room), keys.room(room)]),
      dynamo.query(ranges.waitlist(room), { limit: 1 }),
    ]);
    if (seatsRead === undefined || counterRead === undefined || roomRead === undefined) return false;
    const seats = seatsOf(seatsRead);
    if (!isDue(seats)) return false;
    const [first] = waitlistEntriesOf(page.items);
    if (first === undefined) return AGAIN;
    // No member is left who could let anyone in: an invite to such a room has ended, too.
    const isAbandoned = seats.taken === 0 && roomOf(room, roomRead).visibility !== 'PUBLIC';
    if (isAbandoned) return (await dropEntry(first)) || AGAIN;
    return (await assignSeat(first, seats, counterOf(counterRead).lastPosition)) || AGAIN;
  }

  /** False if something changed since it was read. */
  async function assignSeat(entry: WaitlistEntry, seats: Seats, readPosition: number): Promise<boolean> {
    const { room, user, waitingSince: waitedSince } = entry;
    const profileRead = await dynamo.get(keys.user(user));
    if (profileRead === undefined || profileRead.deletedAt !== undefined) return dropEntry(entry);
    const joiner = userOf(user, profileRead);
    const role = roleOfNext(seats);
    const membership = newMembership(
      { room, user, role, joinCount: joiner.joinCount, readPosition, waitedSince },
      timestamps.next(),
    );
    const failed = await dynamo.tryTransact({
      seat: seatFromWaitlist(room, role),
      ...deleteEntryWrites(entry),
      ...membershipWrites(membership, joiner),
    });
    if (failed === undefined) return true;
    // Without their own item, they may have left in the meantime: then nothing is dropped.
    const cannotJoin =
      failed.waiting !== undefined ||
      failed.ban !== undefined ||
      failed.member !== undefined ||
      isInTooManyRooms(failed.profile);
    return cannotJoin && (await dropEntry(entry));
  }

  /** Takes a user off the waitlist who cannot have the seat, so that the next one gets it. */
  const dropEntry = async (entry: WaitlistEntry): Promise<boolean> =>
    (await dynamo.tryTransact(dropEntryWrites(entry))) === undefined;

  /** For a rebuild: assigns the free seats of every room that has a waitlist. */
  const visitor: Visitor = {
    async visit(key, item) {
      if (key.type === 'seats' && Number(item.waiting ?? 0) > 0) await assignFreeSeats(key.room);
    },
  };

  return { assignFreeSeats, visitor };
}

export type WaitlistProcessor = ReturnType<typeof createWaitlistProcessor>;
