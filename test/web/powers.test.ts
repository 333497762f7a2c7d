import { expect, it } from 'vitest';
import { can, removalPermission } from '../../src/rooms/policy.ts';
import type { Membership, Room } from '../../src/rooms/room.ts';
import { type Powers, powersOf } from '../../web/src/members/powers.ts';

const ROLES = ['OWNER', 'MODERATOR', 'MEMBER'] as const;

it.each(['PUBLIC', 'PRIVATE', 'DIRECT'] as const)(
  'powersOf: matches the server’s policy for each role in a %s room',
  (visibility) => {
    const room = { visibility } as Room;
    for (const role of ROLES) {
      const { remove, ...powers } = powersOf(visibility, role);
      const membership = { role } as Membership;
      expect(powers).toEqual({
        rename: can('rename', room, membership),
        changeCapacity: can('changeCapacity', room, membership),
        letIn: can('invite', room, membership),
        changeRoles: can('changeRoles', room, membership),
        deleteMessages: can('deleteMessages', room, membership),
      } satisfies Omit<Powers, 'remove'>);
      expect(ROLES.map(remove)).toEqual(
        ROLES.map((theirs) => can(removalPermission(theirs), room, membership)),
      );
    }
  },
);
