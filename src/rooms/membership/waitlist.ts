import { forbidden } from '../../core/errors.ts';
import type { Timestamp } from '../../core/timestamps.ts';
import type { Item } from '../../dynamo/item.ts';
import { keyOf, keys, parseKey, ranges } from '../../dynamo/keys.ts';
import { AGAIN } from '../../dynamo/optimistic.ts';
import { SCHEMA_VERSION } from '../../dynamo/table.ts';
import { seatsOf } from '../room.ts';
import { alreadyMember, type MembershipOptions, roomFull } from './membership.ts';
import { addWaiting, removeWaiting, WAITLIST_MAX } from './seats.ts';

/** A user's place on the waitlist. Entries with an earlier time get a seat first. */
export interface WaitlistEntry {
  readonly room: string;
  readonly user: string;
  readonly waitingSince: Timestamp;
}

/**
 * The waitlist of a full room, ordered by time. An entry is two items: the room's, which gives the order, and the
 * user's, which says when they began to wait. `SEATS.waiting` is the number of entries. While it is not zero no
 * one takes a seat by joining: `waitlistProcessor.ts` gives free seats to the first on the list.
 */
export function createWaitlist({ dynamo, timestamps, seatsMutex }: MembershipOptions) {
  /**
   * Takes one transaction. True: the user is on the waitlist, now or already. False: a seat is free. Throws
   * FORBIDDEN if they are banned, ALREADY_MEMBER, and ROOM_FULL if WAITLIST_MAX users wait.
   */
  const wait = (user: string, room: string): Promise<boolean> =>
    dynamo.optimistic(async () => {
      const entry: WaitlistEntry = { room, user, waitingSince: timestamps.next() };
      const failed = await seatsMutex.run(room, () =>
        dynamo.tryTransact({ seats: addWaiting(room), ...newEntryWrites(entry) }),
      );
      if (failed === undefined) return true;
      if (failed.ban !== undefined) throw forbidden('You are banned from this room.');
      if (failed.member !== undefined) throw alreadyMember();
      if (failed.waiting !== undefined) return true;
      if (failed.seats === undefined) return AGAIN;
      const { item } = failed.seats;
      if (item !== undefined && seatsOf(item).waiting >= WAITLIST_MAX) throw roomFull();
      return false;
    });

  /** Null: the user is not on the waitlist. */
  async function entryOf(user: string, room: string): Promise<WaitlistEntry | null> {
    const item = await dynamo.get(keys.waiting(user, room));
    return item === undefined ? null : { room, user, waitingSince: item.w as Timestamp };
  }

  /** False if the entry is gone, perhaps because the user got a seat. */
  const leaveWaitlist = async (entry: WaitlistEntry): Promise<boolean> =>
    (await seatsMutex.run(entry.room, () => dynamo.tryTransact(leaveWaitlistWrites(entry)))) === undefined;

  /** 1: the first on the list. Takes one query of at most WAITLIST_MAX small items. */
  async function positionOf({ room, user, waitingSince }: WaitlistEntry): Promise<number> {
    const range = { ...ranges.waitlist(room), to: keys.waitlistEntry(room, waitingSince, user).sk };
    const { items } = await dynamo.query(range, { limit: WAITLIST_MAX });
    return items.length;
  }

  return { wait, entryOf, leaveWaitlist, positionOf };
}

/** Both items of a new entry. They fail if the user is a member or banned. */
const newEntryWrites = ({ room, user, waitingSince }: WaitlistEntry) => ({
  place: {
    put: { ...keys.waitlistEntry(room, waitingSince, user), v: SCHEMA_VERSION },
    condition: 'attribute_not_exists(pk)',
  },
  waiting: {
    put: { ...keys.waiting(user, room), v: SCHEMA_VERSION, w: waitingSince },
    condition: 'attribute_not_exists(pk)',
  },
  member: { check: keys.member(room, user), condition: 'attribute_not_exists(pk)' },
  ban: { check: keys.ban(room, user), condition: 'attribute_not_exists(pk)' },
});

/** Deletes both items of an entry. Fails if they are gone. */
export const deleteEntryWrites = ({ room, user, waitingSince }: WaitlistEntry) => ({
  place: { delete: keys.waitlistEntry(room, waitingSince, user), condition: 'attribute_exists(pk)' },
  waiting: { delete: keys.waiting(user, room), condition: 'attribute_exists(pk)' },
});

export const leaveWaitlistWrites = (entry: WaitlistEntry) => ({
  seats: removeWaiting(entry.room),
  ...deleteEntryWrites(entry),
});

/** The entries of one page of a room's waitlist. */
export const waitlistEntriesOf = (items: readonly Item[]): WaitlistEntry[] =>
  items.flatMap((item) => {
    const key = parseKey(keyOf(item));
    return key.type === 'waitlistEntry'
      ? [{ room: key.room, user: key.user, waitingSince: key.waitingSince }]
      : [];
  });
