import { keys } from '../dynamo/keys.ts';
import { userOf } from '../users/user.ts';
import type { Audit } from '../verify/audit.ts';
import { seatsOf } from './room.ts';

/** A room's seats count its members, the owners among them, and who waits in line. */
export const seatsAudit: Audit = {
  name: 'seats',
  says(key, item) {
    if (key.type !== 'seats') return undefined;
    const { taken, owners, waiting, rev } = seatsOf(item);
    return { counts: { taken, owners, waiting }, version: String(rev) };
  },
  votes(key, { role }) {
    if (key.type === 'place') return [{ in: keys.seats(key.room), name: 'waiting' }];
    if (key.type !== 'member') return [];
    const seats = keys.seats(key.room);
    const member = { in: seats, name: 'taken' };
    return role === 'OWNER' ? [member, { in: seats, name: 'owners' }] : [member];
  },
  mend: ({ rev }, { taken, owners, waiting }) => ({
    update: 'SET taken = :taken, owners = :owners, waiting = :waiting, rev = rev + :one',
    condition: 'rev = :rev',
    values: { ':taken': taken, ':owners': owners, ':waiting': waiting, ':rev': rev, ':one': 1 },
  }),
};

/** A profile counts the rooms that its person is in. */
export const membershipsAudit: Audit = {
  name: 'memberships',
  says(key, item) {
    if (key.type !== 'user') return undefined;
    const { rooms, joinCount } = userOf(key.user, item);
    // A join raises both, leaving lowers one: no two states look alike.
    return { counts: { rooms }, version: `${rooms} of ${joinCount}` };
  },
  votes: (key) => (key.type === 'membership' ? [{ in: keys.user(key.user), name: 'rooms' }] : []),
  mend: ({ rooms, joins }, counted) => ({
    update: 'SET rooms = :counted',
    condition: 'rooms = :rooms AND joins = :joins',
    values: { ':counted': counted.rooms, ':rooms': rooms, ':joins': joins },
  }),
};
