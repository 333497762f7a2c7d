import { forbidden } from '../core/errors.ts';
import type { Membership, Role, Room } from './room.ts';

const OWNERS: readonly Role[] = ['OWNER'];
const KEEPERS: readonly Role[] = ['OWNER', 'MODERATOR'];

/**
 * Who may do what to a room and to the people in it: all of it. What is not here (reading, writing, leaving)
 * every member may. In a direct room nobody may do any of this, for there nobody is above another.
 */
const POLICY = {
  /** Name and topic. */
  rename: KEEPERS,
  changeCapacity: OWNERS,
  addMembers: KEEPERS,
  /** Making, seeing and revoking invites. */
  invite: KEEPERS,
  /** And banning, them and those who are not in the room; and lifting bans. */
  removeMembers: KEEPERS,
  removeModeratorsAndOwners: OWNERS,
  changeRoles: OWNERS,
  /** Those of others; one's own everybody may. */
  deleteMessages: KEEPERS,
} as const satisfies Readonly<Record<string, readonly Role[]>>;

export type Permission = keyof typeof POLICY;

export const may = (act: Permission, { visibility }: Room, { role }: Membership): boolean =>
  visibility !== 'DIRECT' && POLICY[act].includes(role);

/** Throws FORBIDDEN, which says who may. */
export function assertMay(act: Permission, room: Room, membership: Membership): void {
  if (may(act, room, membership)) return;
  if (room.visibility === 'DIRECT') throw forbidden('Nobody may do this in a direct room.');
  const who = POLICY[act] === OWNERS ? 'owners' : 'owners and moderators';
  throw forbidden(`Only the room's ${who} may do this.`);
}

/** Removing or banning somebody in this role takes this; null: they are not in the room. */
export const actOfRemoving = (role: Role | null): Permission =>
  role === null || role === 'MEMBER' ? 'removeMembers' : 'removeModeratorsAndOwners';
