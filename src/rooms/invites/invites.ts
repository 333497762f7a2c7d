import { defined } from '../../core/defined.ts';
import { forbidden, notFound, TsudoiError } from '../../core/errors.ts';
import { secondsOf } from '../../core/timestamps.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import { createItemLoader, type ItemLoader } from '../../dynamo/itemLoader.ts';
import { keyOf, keys, parseKey, ranges } from '../../dynamo/keys.ts';
import { AGAIN, type Again } from '../../dynamo/optimistic.ts';
import type { Write } from '../../dynamo/write.ts';
import type { PageRead } from '../../graphql/connections.ts';
import { memberAccess } from '../access.ts';
import { createJoin, type JoinMethod } from '../membership/join.ts';
import { alreadyMember, type MembershipOptions } from '../membership/membership.ts';
import { createWaitlist } from '../membership/waitlist.ts';
import { assertCan } from '../policy.ts';
import {
  grantOf,
  grantUnchanged,
  type Membership,
  memberOf,
  type Room,
  roleUnchanged,
  roomOf,
  seatsOf,
} from '../room.ts';
import type { ListPage } from '../roomQueries.ts';
import {
  creatorKeys,
  hasEnded,
  type Invite,
  inviteItem,
  inviteOf,
  inviteOfCode,
  isOpen,
  newCode,
  notLifted,
} from './invite.ts';

export interface NewInvite {
  readonly by: string;
  readonly room: string;
  /** How long the invite is valid. */
  readonly seconds: number;
  /** Null: no limit. */
  readonly maxUses: number | null;
}

export interface InvitesOptions extends MembershipOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Codes that let anyone who has one join a room. Only a hash of the code is stored. */
export function createInvites({ now, ...options }: InvitesOptions) {
  const { dynamo, timestamps } = options;
  const join = createJoin(options);
  const waitlist = createWaitlist(options);
  const nowSeconds = () => secondsOf(now());

  /** Takes one read and one transaction. Only the result contains the code. Throws NOT_FOUND, FORBIDDEN. */
  const createInvite = ({ by, room, seconds, maxUses }: NewInvite) =>
    dynamo.optimistic(async () => {
      const { room: found, membership } = await memberAccess(room, by, createItemLoader(dynamo));
      assertCan('invite', found, membership);
      const { code, id } = newCode(room);
      const invite: Invite = {
        room,
        id,
        by,
        maxUses,
        uses: 0,
        grant: grantOf(membership),
        createdAt: timestamps.next(),
        expiresAt: nowSeconds() + seconds,
      };
      const failed = await dynamo.tryTransact({
        actor: grantUnchanged(membership),
        invite: { put: inviteItem(invite), condition: 'attribute_not_exists(pk)' },
      });
      return failed === undefined ? { invite, code } : AGAIN;
    });

  /**
   * As `createJoin` says, with one more read. The use is counted in the same transaction, so only successful joins
   * count. Throws NOT_FOUND if the code is unknown, expired, used up or revoked, or if its creator may no longer create
   * invites (see `creatorChecks`); also if the user is banned from a room that they do not see, and for a private room
   * that all members have left. The error does not say which it was.
   */
  async function joinWithInvite(user: string, code: string): Promise<Membership> {
    const named = inviteOfCode(code);
    if (named === undefined) throw notFound();
    const { room, id } = named;
    return join({ user, room, method: (items) => joinByInvite({ user, room, id, items }) });
  }

  /**
   * As `joinWithInvite`. If the room is full, puts the user on the waitlist and resolves with null: that counts as a
   * use, and the seat that they get later does not. Idempotent for a user on the waitlist. ROOM_FULL: the waitlist is
   * full, too.
   */
  async function joinWithInviteOrWait(user: string, code: string): Promise<Membership | null> {
    const named = inviteOfCode(code);
    if (named === undefined) throw notFound();
    const { room, id } = named;
    const isWaiting = async () => (await waitlist.entryOf(user, room)) !== null;
    if (await isWaiting()) return null;
    const attempt = async (): Promise<Membership | null | Again> => {
      try {
        return await joinWithInvite(user, code);
      } catch (error) {
        if (!(error instanceof TsudoiError) || error.code !== 'ROOM_FULL') throw error;
      }
      const method = await joinByInvite({ user, room, id, items: createItemLoader(dynamo) });
      return (await waitlist.wait({ user, room, ...method })) ? null : AGAIN;
    };
    try {
      return await dynamo.optimistic(attempt);
    } catch (error) {
      // Another request of the user may have had the last use.
      if (error instanceof TsudoiError && (await isWaiting())) return null;
      throw error;
    }
  }

  interface InviteUse {
    readonly user: string;
    readonly room: string;
    readonly id: string;
    readonly items: ItemLoader;
  }

  interface InviteCreator {
    readonly room: Room;
    readonly invite: Invite;
    /** The user who joins. */
    readonly user: string;
    readonly items: ItemLoader;
  }

  async function joinByInvite({ user, room, id, items }: InviteUse): Promise<JoinMethod> {
    const [invite, roomItem, seats, membership] = await items.loadMany([
      keys.invite(room, id),
      keys.room(room),
      keys.seats(room),
      keys.membership(user, room),
    ]);
    if (invite === undefined || roomItem === undefined || seats === undefined) throw notFound();
    const found = inviteOf(room, id, invite);
    if (!isOpen(found, nowSeconds())) throw notFound();
    const joined = roomOf(room, roomItem);
    const isPublic = joined.visibility === 'PUBLIC';
    // No member is left who could let anyone in.
    if (!isPublic && seatsOf(seats).taken === 0) throw notFound();
    if (membership !== undefined) throw alreadyMember();
    return {
      extraWrites: [
        countUse(room, id, nowSeconds()),
        ...(await creatorChecks({ room: joined, invite: found, user, items })),
      ],
      bannedError: isPublic ? forbidden('You are banned from this room.') : notFound(),
    };
  }

  /**
   * The conditions that the invite's creator may still let users in. Throws NOT_FOUND if they have been banned or
   * demoted since, and for a room that is not public, if they are not in it any more. (In a public room, users need no
   * invite to join.)
   */
  async function creatorChecks({ room, invite, user, items }: InviteCreator): Promise<Write[]> {
    const { by } = invite;
    const found = await items.loadMany(creatorKeys(room.id, by));
    if (hasEnded(invite, room, found)) throw notFound();
    const [member] = found;
    if (member !== undefined) return [grantUnchanged(memberOf(room.id, by, member))];
    const notBanned = { check: keys.ban(room.id, by), condition: 'attribute_not_exists(pk)' };
    // The join itself checks the ban of the user who joins, and a transaction may name an item once.
    return [notLifted(invite), ...(by === user ? [] : [notBanned])];
  }

  /** Takes one read and one transaction. Users who joined by the invite stay. Throws NOT_FOUND, FORBIDDEN. */
  const revokeInvite = (by: string, room: string, id: string): Promise<Room> =>
    dynamo.optimistic(async () => {
      const items = createItemLoader(dynamo);
      const [{ room: found, membership }, invite] = await Promise.all([
        memberAccess(room, by, items),
        items.load(keys.invite(room, id)),
      ]);
      assertCan('invite', found, membership);
      if (invite === undefined) throw notFound();
      const failed = await dynamo.tryTransact({
        actor: roleUnchanged(membership),
        invite: { delete: keys.invite(room, id), condition: 'attribute_exists(pk)' },
      });
      return failed === undefined ? found : AGAIN;
    });

  return { createInvite, joinWithInvite, joinWithInviteOrWait, revokeInvite, invites: listInvites(dynamo) };
}

/** Fails if the invite is revoked, used up or expired. Expired items may stay in the table for a while. */
const countUse = (room: string, id: string, seconds: number): Write => ({
  key: keys.invite(room, id),
  update: 'SET uses = uses + :one',
  condition: 'expiresAt > :now AND (attribute_not_exists(maxUses) OR uses < maxUses)',
  values: { ':one': 1, ':now': seconds },
});

/**
 * A room's invites, by id, without those that have ended with their creators, but with used-up and expired ones until
 * they are deleted. A page may therefore have fewer than `limit`. Takes one query, and one batch of three items for
 * each creator.
 */
const listInvites =
  (dynamo: Dynamo) =>
  async (room: Room, { limit, from }: ListPage): Promise<PageRead<Invite>> => {
    const after = from === undefined ? undefined : keys.invite(room.id, from).sk;
    const { items, more } = await dynamo.query(ranges.invites(room.id), defined({ limit, after }));
    const nodes = items.flatMap((item) => {
      const key = parseKey(keyOf(item));
      return key.type === 'invite' ? [inviteOf(room.id, key.invite, item)] : [];
    });
    const creators = createItemLoader(dynamo);
    const ended = await Promise.all(
      nodes.map(async (one) => hasEnded(one, room, await creators.loadMany(creatorKeys(room.id, one.by)))),
    );
    return { nodes: nodes.filter((_, i) => ended[i] === false), more, ...defined({ end: nodes.at(-1)?.id }) };
  };
