import type { Role, RoomVisibility } from '../generated/graphql.ts';

/** What the viewer's role lets them do in a room, as the server decides it; of others nothing is offered. */
export interface Powers {
  readonly rename: boolean;
  readonly changeCapacity: boolean;
  /** Adding people, invites, bans. */
  readonly letIn: boolean;
  readonly changeRoles: boolean;
  /** Those of others; one's own everybody may. */
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
