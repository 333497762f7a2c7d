import { forbidden, notFound, unavailable } from '../../core/errors.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import { createItemLoader, type ItemLoader } from '../../dynamo/itemLoader.ts';
import { keys, parseKey, ranges } from '../../dynamo/keys.ts';
import type { Write } from '../../dynamo/write.ts';
import { memberAccess } from '../access.ts';
import {
  ATTEMPTS,
  alreadyMember,
  createEntering,
  type MembersOptions,
  type Way,
} from '../membership/entering.ts';
import type { ListPage } from '../membership/members.ts';
import { assertMay } from '../policy.ts';
import { type Membership, type Room, roomOf, seatsOf, stillInRole } from '../room.ts';
import { written } from '../written.ts';
import { type Invite, inviteItem, inviteOf, inviteOfCode, isOpen, newCode } from './invite.ts';

export interface NewInvite {
  readonly by: string;
  readonly room: string;
  /** For how long it holds. */
  readonly seconds: number;
  /** Null: as many as come. */
  readonly maxUses: number | null;
}

export interface InvitesOptions extends MembersOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Codes that let into a room whoever has one. Of a code only a hash is stored. */
export function createInvites({ now, ...options }: InvitesOptions) {
  const { dynamo, timestamps } = options;
  const enter = createEntering(options);
  const clock = () => Math.floor(now() / 1000);

  /** One read, one transaction. The code is in the answer and nowhere else. Throws NOT_FOUND, FORBIDDEN. */
  async function createInvite({ by, room, seconds, maxUses }: NewInvite) {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const { room: found, membership } = await memberAccess(room, by, createItemLoader(dynamo));
      assertMay('invite', found, membership);
      const { code, id } = newCode(room);
      const invite: Invite = {
        ...{ room, id, by, maxUses, uses: 0 },
        createdAt: timestamps.next(),
        expiresAt: clock() + seconds,
      };
      const put = { put: inviteItem(invite), condition: 'attribute_not_exists(pk)' };
      if (await written(dynamo, [stillInRole(membership), put])) return { invite, code };
    }
    throw unavailable();
  }

  /**
   * As `createEntering` says; the use is counted in the same transaction, and only where somebody gets in. Throws
   * NOT_FOUND for a code of nothing, and where it has expired, is used up or revoked: the same answer; also for
   * who is banned from a room that they do not see, and for a private room that everybody has left.
   */
  async function joinWithInvite(user: string, code: string): Promise<Membership> {
    const named = inviteOfCode(code);
    if (named === undefined) throw notFound();
    const { room, id } = named;
    return enter({ user, room, way: (items) => way({ user, room, id, items }) });
  }

  interface Coming {
    readonly user: string;
    readonly room: string;
    readonly id: string;
    readonly items: ItemLoader;
  }

  async function way({ user, room, id, items }: Coming): Promise<Way> {
    const [invite, roomItem, seats, membership] = await items.loadMany([
      keys.invite(room, id),
      keys.room(room),
      keys.seats(room),
      keys.membership(user, room),
    ]);
    if (invite === undefined || roomItem === undefined || seats === undefined) throw notFound();
    if (!isOpen(inviteOf(room, id, invite), clock())) throw notFound();
    const isPublic = roomOf(room, roomItem).visibility === 'PUBLIC';
    // Nobody is there any more who could let anybody in.
    if (!isPublic && seatsOf(seats).taken === 0) throw notFound();
    if (membership !== undefined) throw alreadyMember();
    return {
      besides: [useOf(room, id, clock())],
      banned: isPublic ? forbidden('You are banned from this room.') : notFound(),
    };
  }

  /** One read, one transaction. Who has come by it stays. Throws NOT_FOUND, FORBIDDEN. */
  async function revokeInvite(by: string, room: string, id: string): Promise<Room> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const items = createItemLoader(dynamo);
      const [{ room: found, membership }, invite] = await Promise.all([
        memberAccess(room, by, items),
        items.load(keys.invite(room, id)),
      ]);
      assertMay('invite', found, membership);
      if (invite === undefined) throw notFound();
      const gone = { delete: keys.invite(room, id), condition: 'attribute_exists(pk)' };
      if (await written(dynamo, [stillInRole(membership), gone])) return found;
    }
    throw unavailable();
  }

  return { createInvite, joinWithInvite, revokeInvite, invites: invitesOf(dynamo) };
}

/** Counts one use. Refused where the invite is gone, has expired (items past it may linger) or is used up. */
const useOf = (room: string, id: string, seconds: number): Write => ({
  key: keys.invite(room, id),
  update: 'SET uses = uses + :one',
  condition: 'expiresAt > :now AND (attribute_not_exists(maxUses) OR uses < maxUses)',
  values: { ':one': 1, ':now': seconds },
});

/** A room's invites, by id: also those that nobody can come by any more, for as long as they linger. One query. */
const invitesOf =
  (dynamo: Dynamo) =>
  async (room: string, { limit, from }: ListPage): Promise<{ nodes: Invite[]; more: boolean }> => {
    const after = from === undefined ? {} : { after: keys.invite(room, from).sk };
    const { items, more } = await dynamo.query(ranges.invites(room), { limit, ...after });
    const nodes = items.flatMap((item) => {
      const key = parseKey(item as { pk: string; sk: string });
      return key.type === 'invite' ? [inviteOf(room, key.invite, item)] : [];
    });
    return { nodes, more };
  };
