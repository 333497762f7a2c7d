/**
 * The writes of a room's `SEATS`, the lock that every join and leave goes through. Each is one write whose
 * condition decides; what was read before decides nothing. All of them raise the version (`rev`).
 */

import { conflict } from '../../core/errors.ts';
import { keys } from '../../dynamo/keys.ts';
import type { Write } from '../../dynamo/write.ts';
import type { Role, Seats } from '../room.ts';

/** The most users on one room's waitlist. It bounds what reading a position on the list costs. */
export const WAITLIST_MAX = 100;

export const hasFreeSeat = ({ taken, capacity }: Seats): boolean => capacity === null || taken < capacity;

/** A free seat belongs to the users who wait, so a room with a waitlist is full for all others. */
export const isFull = (seats: Seats): boolean => seats.waiting > 0 || !hasFreeSeat(seats);

/** The first user in an empty room becomes its owner, because a room with members has one. Others are members. */
export const roleOfNext = ({ taken }: Seats): Role => (taken === 0 ? 'OWNER' : 'MEMBER');

/** Fails if the room is full, or if `role` is not the next user's role any more. */
export const takeSeat = (room: string, role: Role): Write => ({
  key: keys.seats(room),
  update: `SET taken = taken + :one, rev = rev + :one${role === 'OWNER' ? ', owners = owners + :one' : ''}`,
  condition: `(attribute_not_exists(#capacity) OR taken < #capacity) AND waiting = :none AND ${
    role === 'OWNER' ? 'taken = :none' : 'taken > :none'
  }`,
  names: { '#capacity': 'capacity' },
  values: { ':one': 1, ':none': 0 },
});

/** Fails if a seat is free, or if WAITLIST_MAX users wait. */
export const addWaiting = (room: string): Write => ({
  key: keys.seats(room),
  update: 'SET waiting = waiting + :one, rev = rev + :one',
  condition: '((attribute_exists(#capacity) AND taken >= #capacity) OR waiting > :none) AND waiting < :max',
  names: { '#capacity': 'capacity' },
  values: { ':one': 1, ':none': 0, ':max': WAITLIST_MAX },
});

/** Belongs into one transaction with the deletes of a waitlist entry. */
export const removeWaiting = (room: string): Write => ({
  key: keys.seats(room),
  update: 'SET waiting = waiting - :one, rev = rev + :one',
  condition: 'waiting > :none',
  values: { ':one': 1, ':none': 0 },
});

/** As `takeSeat`, for the first user on the waitlist. */
export const seatFromWaitlist = (room: string, role: Role): Write => ({
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

/** Seats for `count` owners of a direct room at once. Fails if anyone joined or left since the seats were read. */
export const takeOwnerSeats = (room: string, { version }: Seats, count: number): Write => ({
  key: keys.seats(room),
  update: 'SET taken = taken + :count, owners = owners + :count, rev = rev + :one',
  condition: 'rev = :rev',
  values: { ':count': count, ':rev': version, ':one': 1 },
});

/** Fails for the last owner, unless they are the last member, and if the room was deleted. */
export const freeSeat = (room: string, role: Role): Write =>
  role === 'OWNER'
    ? {
        key: keys.seats(room),
        update: 'SET taken = taken - :one, owners = owners - :one, rev = rev + :one',
        condition: 'owners > :one OR taken = :one',
        values: { ':one': 1 },
      }
    : {
        key: keys.seats(room),
        update: 'SET taken = taken - :one, rev = rev + :one',
        condition: 'attribute_exists(pk)',
        values: { ':one': 1 },
      };

/** For a member who becomes an owner (1) or stops being one (-1). Fails for the last owner. */
export const changeOwnerCount = (room: string, by: 1 | -1): Write => ({
  key: keys.seats(room),
  update: 'SET owners = owners + :by, rev = rev + :one',
  condition: by === 1 ? 'owners > :none' : 'owners > :one',
  values: by === 1 ? { ':by': by, ':one': 1, ':none': 0 } : { ':by': by, ':one': 1 },
});

/** Fails if the room has more members than `capacity`. Null: no limit. */
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

/** What a failed `freeSeat` or `changeOwnerCount` means if the room exists and all other conditions held. */
export const lastOwner = () =>
  conflict('LAST_OWNER', 'This is the last owner of the room. Make another member an owner first.');
