import type { Role } from '../generated/graphql.ts';
import { AddMember, Me, SetMemberRole } from './operations.ts';
import { globalId, type Person } from './people.ts';

/** Somebody with power in a room lets another in. */
export async function admit(by: Person, roomId: string, person: Person): Promise<void> {
  await person.do(Me);
  await by.do(AddMember, { roomId, userId: globalId(person) });
}

/** An owner gives a member another role: makes them an owner, if nothing else is said. */
export async function promote(
  by: Person,
  roomId: string,
  person: Person,
  role: Role = 'OWNER',
): Promise<void> {
  await by.do(SetMemberRole, { roomId, userId: globalId(person), role });
}
