import { defined } from '../../core/defined.ts';
import { idFrom, newSecret } from '../../core/ids.ts';
import { DAY_S, microsOf, type Timestamp } from '../../core/timestamps.ts';
import type { Item } from '../../dynamo/item.ts';
import { isId, keys } from '../../dynamo/keys.ts';
import { FIRST_SHAPE } from '../../dynamo/shapes.ts';
import type { Write } from '../../dynamo/write.ts';
import { can } from '../policy.ts';
import { grantOf, memberOf, type Room } from '../room.ts';

/** Lets anyone who has its code join a room. */
export interface Invite {
  readonly room: string;
  /** A hash of the code. */
  readonly id: string;
  /** The user who created it. It ends for good when they are banned or demoted, or leave a room that is not public. */
  readonly by: string;
  /** What their power was when they created it (`grantOf`). Absent: by a release that did not record it. */
  readonly grant?: string;
  readonly createdAt: Timestamp;
  /** Seconds since 1970. */
  readonly expiresAt: number;
  /** Null: no limit. */
  readonly maxUses: number | null;
  readonly uses: number;
}

/** The longest lifetime of an invite, in seconds. */
export const LIFETIME_MAX_S = 30 * DAY_S;

const CODE = /^([0-9a-z]{1,64})\.([0-9a-z]{26})$/;

/** A new code and the id that is stored for it. The code is returned once and never stored. */
export function newCode(room: string): { readonly code: string; readonly id: string } {
  const code = `${room}.${newSecret()}`;
  return { code, id: idFrom(`invite:${code}`) };
}

/** The invite that a code belongs to. Undefined if the text is not a code. */
export function inviteOfCode(code: string): { readonly room: string; readonly id: string } | undefined {
  const room = CODE.exec(code)?.[1];
  return room !== undefined && isId(room) ? { room, id: idFrom(`invite:${code}`) } : undefined;
}

export const inviteItem = (invite: Invite) => ({
  ...keys.invite(invite.room, invite.id),
  v: FIRST_SHAPE,
  by: invite.by,
  ...defined({ grant: invite.grant }),
  createdAt: invite.createdAt,
  expiresAt: invite.expiresAt,
  uses: invite.uses,
  ...defined({ maxUses: invite.maxUses ?? undefined }),
});

export const inviteOf = (room: string, id: string, item: Item): Invite => ({
  room,
  id,
  by: item.by as string,
  ...defined({ grant: item.grant as string | undefined }),
  createdAt: item.createdAt as Timestamp,
  expiresAt: item.expiresAt as number,
  maxUses: (item.maxUses as number | undefined) ?? null,
  uses: item.uses as number,
});

interface Lifted {
  readonly room: string;
  /** They were banned, which was lifted, or left after they had been able to invite. */
  readonly user: string;
  /** The power that they had when they left (`grantOf`). Absent if they had none, and after a ban. */
  readonly grant?: string | undefined;
  readonly at: Timestamp;
}

/**
 * Says which invites of a user who is not in the room any more have not ended: those that they created with this power.
 * Kept until the last of the others has expired.
 */
export const liftedItem = ({ room, user, grant, at }: Lifted) => ({
  ...keys.lifted(room, user),
  v: FIRST_SHAPE,
  ...defined({ grant }),
  expiresAt: Math.ceil(microsOf(at) / 1_000_000) + LIFETIME_MAX_S,
});

/** The room's items that say whether the creator of an invite may still let users in. */
export const creatorKeys = (room: string, by: string) => [
  keys.member(room, by),
  keys.ban(room, by),
  keys.lifted(room, by),
];

/** Whether the invite has ended with its creator. `items`: those of `creatorKeys`. */
export function hasEnded(
  { by, grant }: Pick<Invite, 'by' | 'grant'>,
  room: Room,
  [member, ban, lifted]: readonly (Item | undefined)[],
): boolean {
  if (member === undefined) {
    const isLifted = lifted !== undefined && (grant === undefined || lifted.grant !== grant);
    return room.visibility !== 'PUBLIC' || ban !== undefined || isLifted;
  }
  const creator = memberOf(room.id, by, member);
  return !can('invite', room, creator) || (grant !== undefined && grant !== grantOf(creator));
}

/** Fails if what `hasEnded` read of `keys.lifted` would end the invite now. */
export const notLifted = ({ room, by, grant }: Pick<Invite, 'room' | 'by' | 'grant'>): Write => {
  const check = keys.lifted(room, by);
  const absent = 'attribute_not_exists(pk)';
  if (grant === undefined) return { check, condition: absent };
  const names = { '#grant': 'grant' };
  return { check, condition: `${absent} OR #grant = :grant`, names, values: { ':grant': grant } };
};

/** Whether the invite can still be used. `seconds`: now. */
export const isOpen = (
  { expiresAt, maxUses, uses }: Pick<Invite, 'expiresAt' | 'maxUses' | 'uses'>,
  seconds: number,
): boolean => expiresAt > seconds && (maxUses === null || uses < maxUses);
