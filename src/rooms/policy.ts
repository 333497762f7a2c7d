import { forbidden } from '../core/errors.ts';
import type { Membership, Role, Room } from './room.ts';

const OWNERS: readonly Role[] = ['OWNER'];
const OWNERS_AND_MODERATORS: readonly Role[] = ['OWNER', 'MODERATOR'];

/**
 * Which roles may do what to a room and its members. The list is complete: what is not in it (reading, writing,
 * leaving) is open to every member. In a direct room no one may do any of this, because its participants are equals.
 */
const POLICY = {
  /** Change the name and the topic. */
  rename: OWNERS_AND_MODERATORS,
  changeCapacity: OWNERS,
  delete: OWNERS,
  addMembers: OWNERS_AND_MODERATORS,
  /** Create, see and revoke invites. */
  invite: OWNERS_AND_MODERATORS,
  /** Remove and ban members, ban users who are not in the room, and lift bans. */
  removeMembers: OWNERS_AND_MODERATORS,
  removeModeratorsAndOwners: OWNERS,
  changeRoles: OWNERS,
  /** Be sent a delivery when someone enters. */
  receiveJoinDeliveries: OWNERS_AND_MODERATORS,
  /** Delete messages of other members. Authors may always delete their own. */
  deleteMessages: OWNERS_AND_MODERATORS,
} as const satisfies Readonly<Record<string, readonly Role[]>>;

export type Permission = keyof typeof POLICY;

export const can = (
  permission: Permission,
  { visibility }: Room,
  { role }: Pick<Membership, 'role'>,
): boolean => visibility !== 'DIRECT' && POLICY[permission].includes(role);

/** Throws FORBIDDEN with a message that says which roles may do this. */
export function assertCan(permission: Permission, room: Room, membership: Membership): void {
  if (can(permission, room, membership)) return;
  if (room.visibility === 'DIRECT') throw forbidden('This is not possible in a direct room.');
  const roles = POLICY[permission] === OWNERS ? 'owners' : 'owners and moderators';
  throw forbidden(`Only the room's ${roles} may do this.`);
}

/** What it takes to remove or ban a user with this role. Null: the user is not in the room. */
export const removalPermission = (role: Role | null): Permission =>
  role === null || role === 'MEMBER' ? 'removeMembers' : 'removeModeratorsAndOwners';
