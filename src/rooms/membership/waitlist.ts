import { forbidden } from '../../core/errors.ts';
import type { Timestamp } from '../../core/timestamps.ts';
import { ConditionsFailed } from '../../dynamo/errors.ts';
import { keys, parseKey, ranges } from '../../dynamo/keys.ts';
import { SCHEMA_VERSION } from '../../dynamo/table.ts';
import type { Write } from '../../dynamo/write.ts';
import { seatsOf } from '../room.ts';
import { written } from '../written.ts';
import { ATTEMPTS, alreadyMember, type MembersOptions, roomFull } from './entering.ts';
import { leaveLine, WAITLIST_MAX, waitInLine } from './seats.ts';

/** Where somebody waits: before everybody whose place was taken later. */
export interface Place {
  readonly room: string;
  readonly user: string;
  /** When it was taken. */
  readonly w: Timestamp;
}

/**
 * The line in front of a full room, in the order of time stamps. A place is two items, the room's side, which is
 * the order, and the person's, which says that they wait and where; and `SEATS.waiting` is their number. While it
 * is not zero nobody takes a seat by coming: seats go to the first in line (`seating.ts`).
 */
export function createWaitlist({ dynamo, timestamps, seats }: MembersOptions) {
  /**
   * One transaction. True: they wait, now or already. False: a seat is free. Throws FORBIDDEN for who is banned,
   * ALREADY_MEMBER, and ROOM_FULL where WAITLIST_MAX people wait.
   */
  async function wait(user: string, room: string): Promise<boolean> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const place: Place = { room, user, w: timestamps.next() };
      try {
        await seats.run(room, () => dynamo.transact([waitInLine(room), ...placeWrites(place)]));
        return true;
      } catch (error) {
        if (!(error instanceof ConditionsFailed)) throw error;
        const [seat, , waiting, member, ban] = error.failed;
        if (ban !== undefined) throw forbidden('You are banned from this room.');
        if (member !== undefined) throw alreadyMember();
        if (waiting !== undefined) return true;
        if (seat?.item !== undefined) {
          if (seatsOf(seat.item).waiting >= WAITLIST_MAX) throw roomFull();
          return false;
        }
      }
    }
    return false;
  }

  /** Where somebody waits; null where they do not. */
  async function placeOf(user: string, room: string): Promise<Place | null> {
    const item = await dynamo.get(keys.waiting(user, room));
    return item === undefined ? null : { room, user, w: item.w as Timestamp };
  }

  /** False where they do not wait there any more: maybe they have got a seat. */
  const giveUp = (place: Place): Promise<boolean> =>
    seats.run(place.room, () => written(dynamo, givingUp(place)));

  /** 1: the first in line. One query, of WAITLIST_MAX small items at most. */
  async function positionOf({ room, user, w }: Place): Promise<number> {
    const range = { ...ranges.places(room), to: keys.place(room, w, user).sk };
    const { items } = await dynamo.query(range, { limit: WAITLIST_MAX });
    return items.length;
  }

  return { wait, placeOf, giveUp, positionOf };
}

/** Both sides of a new place; and that the person is neither in the room nor banned from it. */
const placeWrites = ({ room, user, w }: Place): Write[] => [
  { put: { ...keys.place(room, w, user), v: SCHEMA_VERSION }, condition: 'attribute_not_exists(pk)' },
  { put: { ...keys.waiting(user, room), v: SCHEMA_VERSION, w }, condition: 'attribute_not_exists(pk)' },
  { check: keys.member(room, user), condition: 'attribute_not_exists(pk)' },
  { check: keys.ban(room, user), condition: 'attribute_not_exists(pk)' },
];

/** Both sides of a place go, while they are there. */
export const placeEnds = ({ room, user, w }: Place): Write[] => [
  { delete: keys.place(room, w, user), condition: 'attribute_exists(pk)' },
  { delete: keys.waiting(user, room), condition: 'attribute_exists(pk)' },
];

export const givingUp = (place: Place): Write[] => [leaveLine(place.room), ...placeEnds(place)];

/** The places of a page of a room's line. */
export const placesOf = (items: readonly object[]): Place[] =>
  items.flatMap((item) => {
    const key = parseKey(item as { pk: string; sk: string });
    return key.type === 'place' ? [{ room: key.room, user: key.user, w: key.w }] : [];
  });
