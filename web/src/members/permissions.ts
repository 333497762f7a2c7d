import type { Role, RoomVisibility } from '../generated/graphql.ts';

/** What the viewer's role permits in a room, by the server's rules. Other actions are not offered. */
export interface Permissions {
  readonly canRename: boolean;
  readonly canChangeCapacity: boolean;
  /** The room itself. */
  readonly canDelete: boolean;
  /** Adding people, and managing invites and bans. */
  readonly canInvite: boolean;
  readonly canChangeRoles: boolean;
  /** Messages of others. All members can delete their own. */
  readonly canDeleteMessages: boolean;
  canRemove(role: Role): boolean;
}

export function permissionsOf(visibility: RoomVisibility, role: Role | undefined): Permissions {
  const isOwner = visibility !== 'DIRECT' && role === 'OWNER';
  const canModerate = isOwner || (visibility !== 'DIRECT' && role === 'MODERATOR');
  return {
    canRename: canModerate,
    canChangeCapacity: isOwner,
    canDelete: isOwner,
    canInvite: canModerate,
    canChangeRoles: isOwner,
    canDeleteMessages: canModerate,
    canRemove: (theirs) => isOwner || (canModerate && theirs === 'MEMBER'),
  };
}
