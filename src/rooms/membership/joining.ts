import { conflict, forbidden, notFound, TsudoiError, unavailable } from '../../core/errors.ts';
import { accessTo, memberAccess } from '../access.ts';
import { assertMay } from '../policy.ts';
import { type Membership, stillInRole } from '../room.ts';
import { ATTEMPTS, alreadyMember, createEntering, type MembersOptions } from './entering.ts';
import type { ByAnother } from './leave.ts';
import { createWaitlist } from './waitlist.ts';

/** The ways into a room: joining it, waiting for a seat, and being added to it. Each costs what `createEntering` says. */
export function createJoining(options: MembersOptions) {
  const enter = createEntering(options);
  const waitlist = createWaitlist(options);

  /** Into a public room. Throws NOT_FOUND, ALREADY_MEMBER, ROOM_FULL, FORBIDDEN where banned, CONFLICT. */
  const join = (user: string, room: string): Promise<Membership> =>
    enter({
      user,
      room,
      way: async (items) => {
        const access = await accessTo(room, user, items);
        if (access === null) throw notFound();
        if (access.membership !== null) throw alreadyMember();
        return { besides: [], banned: forbidden('You are banned from this room.') };
      },
    });

  /** As `join`; where the room is full they wait in line, which null says, until that is full as well. */
  async function joinOrWait(user: string, room: string): Promise<Membership | null> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      try {
        return await join(user, room);
      } catch (error) {
        if (!(error instanceof TsudoiError) || error.code !== 'ROOM_FULL') throw error;
      }
      if (await waitlist.wait(user, room)) return null;
    }
    throw unavailable();
  }

  /** Throws NOT_FOUND and FORBIDDEN for who adds, then as `join`; CONFLICT for who is banned. */
  const add = ({ by, room, user }: ByAnother): Promise<Membership> =>
    enter({
      user,
      room,
      way: async (items) => {
        const { room: found, membership } = await memberAccess(room, by, items);
        assertMay('addMembers', found, membership);
        if (user === by) throw alreadyMember();
        return {
          besides: [stillInRole(membership)],
          banned: conflict('They are banned from this room: lift the ban first.'),
        };
      },
    });

  return { join, joinOrWait, add, positionInLine: waitlist.positionOf };
}
