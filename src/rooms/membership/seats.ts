/**
 * What may be done to a room's `SEATS`, the lock that everybody who comes or goes has to go through. Each is one
 * write whose condition decides; what was read before decides nothing. `rev` rises with all of them.
 */

import { conflict } from '../../core/errors.ts';
import { keys } from '../../dynamo/keys.ts';
import type { Write } from '../../dynamo/write.ts';
import type { Role, Seats } from '../room.ts';

/** So many may wait for a seat of one room: what their order costs to read has a bound. */
export const WAITLIST_MAX = 100;

export const hasFreeSeat = ({ taken, capacity }: Seats): boolean => capacity === null || taken < capacity;

/** While somebody waits, a free seat is theirs. */
export const isFull = (seats: Seats): boolean => seats.waiting > 0 || !hasFreeSeat(seats);

/** Who comes into an empty room becomes its owner, for a room with members has one; nobody else does by coming. */
export const roleOfNext = ({ taken }: Seats): Role => (taken === 0 ? 'OWNER' : 'MEMBER');

/** Refused where the room is full, and where the role is not that of who comes next any more. */
export const takeSeat = (room: string, role: Role): Write => ({
  key: keys.seats(room),
  update: `SET taken = taken + :one, rev = rev + :one${role === 'OWNER' ? ', owners = owners + :one' : ''}`,
  condition: `(attribute_not_exists(#capacity) OR taken < #capacity) AND waiting = :none AND ${
    role === 'OWNER' ? 'taken = :none' : 'taken > :none'
  }`,
  names: { '#capacity': 'capacity' },
  values: { ':one': 1, ':none': 0 },
});

/** Refused where a seat is free for whoever comes, and where WAITLIST_MAX people wait. */
export const waitInLine = (room: string): Write => ({
  key: keys.seats(room),
  update: 'SET waiting = waiting + :one, rev = rev + :one',
  condition: '((attribute_exists(#capacity) AND taken >= #capacity) OR waiting > :none) AND waiting < :most',
  names: { '#capacity': 'capacity' },
  values: { ':one': 1, ':none': 0, ':most': WAITLIST_MAX },
});

/** To be written together with the end of a place. */
export const leaveLine = (room: string): Write => ({
  key: keys.seats(room),
  update: 'SET waiting = waiting - :one, rev = rev + :one',
  condition: 'waiting > :none',
  values: { ':one': 1, ':none': 0 },
});

/** As `takeSeat`, for the first in line. */
export const seatFromLine = (room: string, role: Role): Write => ({
  key: keys.seats(room),
  update: `SET taken = taken + :one, waiting = waiting - :one, rev = rev + :one${
    role === 'OWNER' ? ', owners = owners + :one' : ''
  }`,
  condition: `(attribute_not_exists(#capacity) OR taken < #capacity) AND waiting > :none AND ${
    role === 'OWNER' ? 'taken = :none' : 'taken > :none'
  }`,
  names: { '#capacity': 'capacity' },
  values: { ':one': 1, ':none': 0 },
});

/** So many owners come at once, into a room that is their own: refused where others came or went since it was read. */
export const takeOwnersSeats = (room: string, { rev }: Seats, count: number): Write => ({
  key: keys.seats(room),
  update: 'SET taken = taken + :count, owners = owners + :count, rev = rev + :one',
  condition: 'rev = :rev',
  values: { ':count': count, ':rev': rev, ':one': 1 },
});

/** Refused for the last owner, unless they are the last of all. */
export const freeSeat = (room: string, role: Role): Write =>
  role === 'OWNER'
    ? {
        key: keys.seats(room),
        update: 'SET taken = taken - :one, owners = owners - :one, rev = rev + :one',
        condition: 'owners > :one OR taken = :one',
        values: { ':one': 1 },
      }
    : { key: keys.seats(room), update: 'SET taken = taken - :one, rev = rev + :one', values: { ':one': 1 } };

/** Somebody becomes an owner, or is one no longer: refused for the last one. */
export const changeOwners = (room: string, by: 1 | -1): Write => ({
  key: keys.seats(room),
  update: 'SET owners = owners + :by, rev = rev + :one',
  condition: by === 1 ? 'owners > :none' : 'owners > :one',
  values: by === 1 ? { ':by': by, ':one': 1, ':none': 0 } : { ':by': by, ':one': 1 },
});

/** Refused where more people are in the room than that. Null: no limit. */
export const resize = (room: string, capacity: number | null): Write =>
  capacity === null
    ? {
        key: keys.seats(room),
        update: 'SET rev = rev + :one REMOVE #capacity',
        condition: 'attribute_exists(pk)',
        names: { '#capacity': 'capacity' },
        values: { ':one': 1 },
      }
    : {
        key: keys.seats(room),
        update: 'SET #capacity = :capacity, rev = rev + :one',
        condition: 'taken <= :capacity',
        names: { '#capacity': 'capacity' },
        values: { ':capacity': capacity, ':one': 1 },
      };

/** What a refused `freeSeat` or `changeOwners` means, where all else was as it had been read. */
export const lastOwner = () => conflict('This is the last owner: somebody else has to become one first.');
