import { conflict, forbidden, notFound } from '../../core/errors.ts';
import type { Timestamp } from '../../core/timestamps.ts';
import type { Item } from '../../dynamo/item.ts';
import { keyOf, keys, parseKey, ranges } from '../../dynamo/keys.ts';
import { AGAIN } from '../../dynamo/optimistic.ts';
import { FIRST_SHAPE } from '../../dynamo/shapes.ts';
import { ifVersion, type Write } from '../../dynamo/write.ts';
import { NOT_DELETED } from '../../users/user.ts';
import { seatsOf } from '../room.ts';
import { alreadyMember, type MembershipOptions, roomFull } from './membership.ts';
import { addWaiting, removeWaiting, WAITLIST_MAX } from './seats.ts';

/** A user's place on the waitlist. Entries with an earlier time get a seat first. */
export interface WaitlistEntry {
  readonly room: string;
  readonly user: string;
  readonly waitingSince: Timestamp;
}

/** The most waitlists that one user is on. */
export const WAITS_MAX = 50;

export interface WaitRequest {
  readonly user: string;
  readonly room: string;
  /** Writes of the same transaction. If one fails, the user does not wait. */
  readonly extraWrites?: readonly Write[];
  /** The error if the user is banned. */
  readonly bannedError?: Error;
}

/**
 * The waitlist of a full room, ordered by time. An entry is two items: the room's, which gives the order, and the
 * user's, which says when they began to wait. `SEATS.waiting` is the number of entries. While it is not zero no
 * one takes a seat by joining: `waitlistProcessor.ts` gives free seats to the first on the list.
 */
export function createWaitlist({ dynamo, timestamps, seatsMutex }: MembershipOptions) {
  /**
   * Takes one read, then one query of at most 100 small items (see `entriesOf`), and one transaction. True: the user is
   * on the waitlist, now or already. False: a seat is free, or an extra write failed. Throws NOT_FOUND if their account
   * was deleted, FORBIDDEN if they are banned, ALREADY_MEMBER, ROOM_FULL if WAITLIST_MAX users wait, and CONFLICT if
   * the user is on WAITS_MAX waitlists.
   */
  const wait = ({ user, room, extraWrites = [], bannedError }: WaitRequest): Promise<boolean> =>
    dynamo.optimistic(async () => {
      // In this order: a place that another request takes is then among the entries, or has changed what was counted.
      const counted = await dynamo.get(keys.waits(user));
      const entries = await entriesOf(user);
      if (entries.some((known) => known.room === room)) return true;
      if (entries.length >= WAITS_MAX) {
        throw conflict(
          'LIMIT_REACHED',
          `You are on ${WAITS_MAX} waitlists, which is the maximum. Leave one first.`,
        );
      }
      const failed = await seatsMutex.run(room, () =>
        dynamo.tryTransact({
          seats: addWaiting(room),
          // The time is taken here: with an earlier one, a user could get ahead of those who are on the list already.
          ...newEntryWrites({ room, user, waitingSince: timestamps.next() }),
          counted: countedWrite(user, counted),
          extra: extraWrites,
        }),
      );
      if (failed === undefined) return true;
      if (failed.profile !== undefined) throw notFound();
      if (failed.ban !== undefined) throw bannedError ?? forbidden('You are banned from this room.');
      if (failed.member !== undefined) throw alreadyMember();
      if (failed.waiting !== undefined) return true;
      if (failed.extra !== undefined) return false;
      if (failed.seats === undefined) return AGAIN;
      const { item } = failed.seats;
      if (item !== undefined && seatsOf(item).waiting >= WAITLIST_MAX) throw roomFull();
      return false;
    });

  /** Null: the user is not on the waitlist. */
  async function entryOf(user: string, room: string): Promise<WaitlistEntry | null> {
    const item = await dynamo.get(keys.waiting(user, room));
    return item === undefined ? null : waitlistEntryOf(user, room, item);
  }

  /**
   * The user's places, the longest wait first. One query, of at most 100 small items: an earlier release did not limit
   * them to WAITS_MAX.
   */
  async function entriesOf(user: string): Promise<WaitlistEntry[]> {
    const { items } = await dynamo.query(ranges.waits(user), { limit: 2 * WAITS_MAX });
    const entries = items.flatMap((item) => {
      const key = parseKey(keyOf(item));
      return key.type === 'waiting' ? [waitlistEntryOf(user, key.room, item)] : [];
    });
    return entries.sort((a, b) => (waitOrder(a) < waitOrder(b) ? -1 : 1));
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

  return { wait, entryOf, entriesOf, leaveWaitlist, positionOf };
}

/** From the user's own item. */
export const waitlistEntryOf = (user: string, room: string, { w }: Item): WaitlistEntry => ({
  room,
  user,
  waitingSince: w as Timestamp,
});

/** Sorts a user's places by time. No two are the same. */
export const waitOrder = ({ waitingSince, room }: WaitlistEntry): string => `${waitingSince}#${room}`;

/** Fails if the user has begun to wait elsewhere since `counted` was read. */
const countedWrite = (user: string, counted: Item | undefined): Write => ({
  put: { ...keys.waits(user), v: FIRST_SHAPE, rev: Number(counted?.rev ?? 0) + 1 },
  ...ifVersion(Number(counted?.rev ?? 0)),
});

/** Both items of a new entry. They fail if the user is a member or banned, or their account was deleted. */
const newEntryWrites = ({ room, user, waitingSince }: WaitlistEntry) => ({
  place: {
    put: { ...keys.waitlistEntry(room, waitingSince, user), v: FIRST_SHAPE },
    condition: 'attribute_not_exists(pk)',
  },
  waiting: {
    put: { ...keys.waiting(user, room), v: FIRST_SHAPE, w: waitingSince },
    condition: 'attribute_not_exists(pk)',
  },
  member: { check: keys.member(room, user), condition: 'attribute_not_exists(pk)' },
  ban: { check: keys.ban(room, user), condition: 'attribute_not_exists(pk)' },
  profile: { check: keys.user(user), condition: NOT_DELETED },
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

/**
 * As `leaveWaitlistWrites`, also if only the room's item is left. One that stayed would keep all others from their
 * seats.
 */
export const dropEntryWrites = (entry: WaitlistEntry) => ({
  ...leaveWaitlistWrites(entry),
  waiting: { delete: keys.waiting(entry.user, entry.room) },
});

/** The entries of one page of a room's waitlist. */
export const waitlistEntriesOf = (items: readonly Item[]): WaitlistEntry[] =>
  items.flatMap((item) => {
    const key = parseKey(keyOf(item));
    return key.type === 'waitlistEntry'
      ? [{ room: key.room, user: key.user, waitingSince: key.waitingSince }]
      : [];
  });
