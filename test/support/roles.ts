/** What no client can do yet, done to the table as the feature would do it. */
import { keys } from '../../src/dynamo/keys.ts';
import { firstRev, type Membership, memberItem, membershipItem, type Role } from '../../src/rooms/room.ts';
import { userOf } from '../../src/users/user.ts';
import type { TestApp } from './app.ts';
import { Me } from './operations.ts';
import { type Person, rawId } from './people.ts';

/** Lets somebody into a room that one cannot join, a private one. */
export async function admit({ dynamo }: TestApp, roomId: string, person: Person): Promise<void> {
  await person.do(Me);
  const room = rawId(roomId);
  const profile = await dynamo.get(keys.user(person.id));
  if (profile === undefined) throw new Error(`${person.handle} has no profile.`);
  const { joins } = userOf(person.id, profile);
  const joinedAt = String(Date.now() * 1000);
  const membership: Membership = {
    ...{ room, user: person.id, role: 'MEMBER', joinedAt, muted: false },
    ...{ readPosition: 0, readAt: joinedAt, readTo: null, rev: firstRev(joins) },
  };
  await dynamo.transact([
    { put: memberItem(membership) },
    { put: membershipItem(membership) },
    { key: keys.seats(room), update: 'SET taken = taken + :one, rev = rev + :one', values: { ':one': 1 } },
    {
      key: keys.user(person.id),
      update: 'SET rooms = rooms + :one, joins = joins + :one',
      values: { ':one': 1 },
    },
  ]);
}

/** Makes a member an owner. */
export async function promote({ dynamo }: TestApp, roomId: string, person: Person): Promise<void> {
  const room = rawId(roomId);
  const role: Role = 'OWNER';
  const become = { update: 'SET #role = :role', names: { '#role': 'role' }, values: { ':role': role } };
  await dynamo.transact([
    { key: keys.member(room, person.id), ...become },
    { key: keys.membership(person.id, room), ...become },
    { key: keys.seats(room), update: 'SET owners = owners + :one, rev = rev + :one', values: { ':one': 1 } },
  ]);
}
