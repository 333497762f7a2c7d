import type { Role, RoomVisibility } from '../generated/graphql.ts';

/** What the viewer's role permits in a room, by the server's rules. Other actions are not offered. */
export interface Powers {
  readonly rename: boolean;
  readonly changeCapacity: boolean;
  /** Adding people, and managing invites and bans. */
  readonly letIn: boolean;
  readonly changeRoles: boolean;
  /** Messages of others. All members can delete their own. */
  readonly deleteMessages: boolean;
  remove(role: Role): boolean;
}

export function powersOf(visibility: RoomVisibility, role: Role | undefined): Powers {
  const isOwner = visibility !== 'DIRECT' && role === 'OWNER';
  const keeps = isOwner || (visibility !== 'DIRECT' && role === 'MODERATOR');
  return {
    rename: keeps,
    changeCapacity: isOwner,
    letIn: keeps,
    changeRoles: isOwner,
    deleteMessages: keeps,
    remove: (theirs) => isOwner || (keeps && theirs === 'MEMBER'),
  };
}
