import type { Timestamps } from '../../core/timestamps.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import { ConditionsFailed } from '../../dynamo/errors.ts';
import type { Item } from '../../dynamo/item.ts';
import { keys, ranges } from '../../dynamo/keys.ts';
import type { Visitor } from '../../rebuild/rebuild.ts';
import { MAX_ROOMS, userOf } from '../../users/user.ts';
import { counterOf, newMembership, type Seats, seatsOf } from '../room.ts';
import { written } from '../written.ts';
import { ATTEMPTS, comingIn } from './entering.ts';
import { hasFreeSeat, roleOfNext, seatFromLine } from './seats.ts';
import { givingUp, type Place, placeEnds, placesOf } from './waitlist.ts';

export interface SeatingOptions {
  readonly dynamo: Dynamo;
  readonly timestamps: Timestamps;
}

/** Whether somebody waits for a seat that is free. */
export const isDue = (seats: Seats): boolean => seats.waiting > 0 && hasFreeSeat(seats);

/**
 * Gives free seats to those who wait for one, the first first. It goes by what the table says, not by what has
 * happened: told again, late, or by two at once it gives no seat twice, for each is one transaction that ends the
 * place and takes the seat, or does nothing.
 */
export function createSeating({ dynamo, timestamps }: SeatingOptions) {
  /** Until no seat is free or nobody waits. For each seat two rounds of reads and one transaction. */
  async function fill(room: string): Promise<void> {
    for (let failures = 0; failures < ATTEMPTS; ) {
      const [[seatsRead, counterRead], line] = await Promise.all([
        dynamo.batchGet([keys.seats(room), keys.counter(room)]),
        dynamo.query(ranges.places(room), { limit: 1 }),
      ]);
      if (seatsRead === undefined || counterRead === undefined) return;
      const seats = seatsOf(seatsRead);
      if (!isDue(seats)) return;
      const [first] = placesOf(line.items);
      const done = first !== undefined && (await seat(first, seats, counterOf(counterRead).messageCount));
      failures = done ? 0 : failures + 1;
    }
    // Not UNAVAILABLE, which would be tried for ever: whatever is wrong here does not go away by itself.
    throw new Error(`The line of the room ${room} does not move.`);
  }

  /** False where something is not as it was read. */
  async function seat(place: Place, seats: Seats, readPosition: number): Promise<boolean> {
    const { room, user } = place;
    const person = await dynamo.get(keys.user(user));
    if (person === undefined) return written(dynamo, givingUp(place));
    const { joins } = userOf(user, person);
    const role = roleOfNext(seats);
    const membership = newMembership({ room, user, role, joins, readPosition }, timestamps.next());
    try {
      await dynamo.transact([seatFromLine(room, role), ...placeEnds(place), ...comingIn(membership, joins)]);
      return true;
    } catch (error) {
      if (!(error instanceof ConditionsFailed)) throw error;
      const [, , , member, , profile, ban] = error.failed;
      // Who cannot take it lets the next one have it.
      const cannot = ban !== undefined || member !== undefined || isInTooManyRooms(profile?.item);
      return cannot && (await written(dynamo, givingUp(place)));
    }
  }

  /** For a rebuild: fills the free seats of every room that has a waitlist. */
  const visitor: Visitor = {
    async visit(key, item) {
      if (key.type === 'seats' && Number(item.waiting ?? 0) > 0) await fill(key.room);
    },
  };

  return { fill, visitor };
}

export type Seating = ReturnType<typeof createSeating>;

const isInTooManyRooms = (person: Item | undefined): boolean =>
  typeof person?.rooms === 'number' && person.rooms >= MAX_ROOMS;
