import { keys } from '../dynamo/keys.ts';
import { userOf } from '../users/user.ts';
import type { Counter } from '../verify/counter.ts';
import { seatsOf } from './room.ts';

/** A room's seats item counts its members, its owners and its waitlist. */
export const seatsCounter: Counter = {
  name: 'seats',
  stored(key, item) {
    if (key.type !== 'seats') return undefined;
    const { taken, owners, waiting, version } = seatsOf(item);
    return { counts: { taken, owners, waiting }, version: String(version) };
  },
  contributions(key, { role }) {
    if (key.type === 'waitlistEntry') return [{ in: keys.seats(key.room), name: 'waiting' }];
    if (key.type !== 'member') return [];
    const seats = keys.seats(key.room);
    const member = { in: seats, name: 'taken' };
    return role === 'OWNER' ? [member, { in: seats, name: 'owners' }] : [member];
  },
  fix: ({ rev }, { taken, owners, waiting }) => ({
    update: 'SET taken = :taken, owners = :owners, waiting = :waiting, rev = rev + :one',
    condition: 'rev = :rev',
    values: { ':taken': taken, ':owners': owners, ':waiting': waiting, ':rev': rev, ':one': 1 },
  }),
};

/** A profile counts the rooms that its user is in, and those among them that others have added the user to. */
export const membershipsCounter: Counter = {
  name: 'memberships',
  stored(key, item) {
    if (key.type !== 'user') return undefined;
    const { rooms, joinCount } = userOf(key.user, item);
    // A join raises both numbers, leaving lowers one, so no two states have the same version.
    const counts = { rooms, addedRooms: Number(item.addedRooms ?? 0) };
    return { counts, version: `${rooms} of ${joinCount}` };
  },
  contributions(key, { addedBy }) {
    if (key.type !== 'membership') return [];
    const profile = keys.user(key.user);
    const membership = { in: profile, name: 'rooms' };
    return addedBy === undefined ? [membership] : [membership, { in: profile, name: 'addedRooms' }];
  },
  fix: ({ rooms, joins }, counted) => ({
    update: 'SET rooms = :counted, addedRooms = :added',
    condition: 'rooms = :rooms AND joins = :joins',
    values: {
      ':counted': counted.rooms,
      ':added': counted.addedRooms ?? 0,
      ':rooms': rooms,
      ':joins': joins,
    },
  }),
};

/** How many of a user's rooms another user has added them to. */
export const addersCounter: Counter = {
  name: 'adders',
  stored: (key, { added, rev }) =>
    key.type === 'adder' ? { counts: { added: Number(added) }, version: String(rev) } : undefined,
  contributions: (key, { addedBy }) =>
    key.type === 'membership' && typeof addedBy === 'string'
      ? [{ in: keys.adder(key.user, addedBy), name: 'added' }]
      : [],
  fix: ({ rev }, { added }) => ({
    update: 'SET added = :added, rev = rev + :one',
    condition: 'rev = :rev',
    values: { ':added': added, ':rev': rev, ':one': 1 },
  }),
};
