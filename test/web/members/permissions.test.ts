import { expect, it } from 'vitest';
import { can, removalPermission } from '../../../src/rooms/policy.ts';
import type { Membership, Room } from '../../../src/rooms/room.ts';
import { type Permissions, permissionsOf } from '../../../web/src/members/permissions.ts';

const ROLES = ['OWNER', 'MODERATOR', 'MEMBER'] as const;

it.each(['PUBLIC', 'PRIVATE', 'DIRECT'] as const)(
  'permissionsOf: matches the server’s policy for each role in a %s room',
  (visibility) => {
    const room = { visibility } as Room;
    for (const role of ROLES) {
      const { canRemove, ...permissions } = permissionsOf(visibility, role);
      const membership = { role } as Membership;
      expect(permissions).toEqual({
        canRename: can('rename', room, membership),
        canChangeCapacity: can('changeCapacity', room, membership),
        canDelete: can('delete', room, membership),
        canInvite: can('invite', room, membership),
        canChangeRoles: can('changeRoles', room, membership),
        canDeleteMessages: can('deleteMessages', room, membership),
      } satisfies Omit<Permissions, 'canRemove'>);
      expect(ROLES.map(canRemove)).toEqual(
        ROLES.map((theirs) => can(removalPermission(theirs), room, membership)),
      );
    }
  },
);
