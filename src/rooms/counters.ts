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

/** A profile counts the rooms that its user is in. */
export const membershipsCounter: Counter = {
  name: 'memberships',
  stored(key, item) {
    if (key.type !== 'user') return undefined;
    const { rooms, joinCount } = userOf(key.user, item);
    // A join raises both numbers, leaving lowers one, so no two states have the same version.
    return { counts: { rooms }, version: `${rooms} of ${joinCount}` };
  },
  contributions: (key) => (key.type === 'membership' ? [{ in: keys.user(key.user), name: 'rooms' }] : []),
  fix: ({ rooms, joins }, counted) => ({
    update: 'SET rooms = :counted',
    condition: 'rooms = :rooms AND joins = :joins',
    values: { ':counted': counted.rooms, ':rooms': rooms, ':joins': joins },
  }),
};
