import type { Role } from '../../generated/graphql.ts';
import { AddMember, Me, SetMemberRole } from './operations.ts';
import { globalId, type Person } from './people.ts';

/** An owner or moderator adds a user to a room. */
export async function admit(by: Person, roomId: string, person: Person): Promise<void> {
  await person.do(Me);
  await by.do(AddMember, { roomId, userId: globalId(person) });
}

/** An owner changes a member's role, to owner by default. */
export async function promote(
  by: Person,
  roomId: string,
  person: Person,
  role: Role = 'OWNER',
): Promise<void> {
  await by.do(SetMemberRole, { roomId, userId: globalId(person), role });
}
