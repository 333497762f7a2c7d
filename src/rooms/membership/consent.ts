/**
 * What one user may do to another who was not asked: add them to a room. At most ADDED_ROOMS_MAX of a user's rooms came
 * about like that, and at most ADDED_BY_ONE_MAX of them by one user, so that there is always space for rooms that they
 * choose. A user that they have blocked adds them to none. After they left a room, the user who had added them may not
 * do it again, until they have joined it themselves.
 *
 * Every refusal of a room of one kind is the same error. It does not say which rule it was.
 */
import { conflict, forbidden } from '../../core/errors.ts';
import type { Item } from '../../dynamo/item.ts';
import { keys } from '../../dynamo/keys.ts';
import type { FailedCondition } from '../../dynamo/namedWrites.ts';
import { FIRST_SHAPE } from '../../dynamo/shapes.ts';
import type { Write } from '../../dynamo/write.ts';
import { notBlocked } from '../../users/blocks/block.ts';
import { MAX_ROOMS } from '../../users/user.ts';
import type { Membership } from '../room.ts';

/** The most rooms of a user that others have added them to. */
export const ADDED_ROOMS_MAX = 200;
/** The most of those that one other user has added them to. */
export const ADDED_BY_ONE_MAX = 10;
/** If a user has left a room after this many others had added them to it, no one may add them again. */
const LEFT_MAX = 10;

/** For the schema. */
export const NOT_ACCEPTED = `\`FORBIDDEN\` if a user does not accept to be added by the viewer: others have added them to ${ADDED_ROOMS_MAX} of their rooms, the viewer to ${ADDED_BY_ONE_MAX}, they left this room after the viewer had added them and have not joined it themselves since, or they have blocked the viewer. \`CONFLICT\` if the viewer has blocked the user.`;

export const blockedByAdder = () => conflict('BLOCKED', 'You have blocked this person. Unblock them first.');

export const notAccepted = () => forbidden('This person cannot be added. They can join by an invite.');

/** A direct room has no invites. */
export const notAcceptedInDirect = () => forbidden('You cannot add this person to a direct room.');

/** Whether the write of a profile failed because others have added the user to ADDED_ROOMS_MAX rooms. */
export function isAddedTooOften(profile: FailedCondition | undefined): boolean {
  const { rooms, addedRooms } = profile?.item ?? {};
  return typeof addedRooms === 'number' && addedRooms >= ADDED_ROOMS_MAX && Number(rooms) < MAX_ROOMS;
}

type Added = Pick<Membership, 'user' | 'room' | 'addedBy'>;

/** Absent if the user joins themselves. Fails if the user who adds them has blocked them. */
export const adderHasNotBlocked = ({ user, addedBy }: Added): Write | undefined =>
  addedBy === undefined ? undefined : notBlocked(addedBy, user);

/** Empty if the user joins themselves. Fails if they may not be added by this user. */
export function consentWrites({ user, room, addedBy }: Added): Write[] {
  if (addedBy === undefined) return [];
  return [
    notBlocked(user, addedBy),
    {
      key: keys.adder(user, addedBy),
      update:
        'SET added = if_not_exists(added, :none) + :one, rev = if_not_exists(rev, :none) + :one, v = :v',
      condition: 'attribute_not_exists(added) OR added < :max',
      values: { ':none': 0, ':one': 1, ':max': ADDED_BY_ONE_MAX, ':v': FIRST_SHAPE },
    },
    {
      check: keys.left(user, room),
      condition: 'attribute_not_exists(#by) OR (NOT contains(#by, :adder) AND size(#by) < :max)',
      names: { '#by': 'by' },
      values: { ':adder': addedBy, ':max': LEFT_MAX },
    },
  ];
}

export interface EndedMembership {
  readonly membership: Added;
  /** The user leaves. Otherwise they are removed, and may be added again. */
  readonly isOwnWish: boolean;
  /** The user's ADDER item of the user who added them. Undefined if they joined themselves. */
  readonly adder: Item | undefined;
  /** The user's LEFT item of the room. */
  readonly left: Item | undefined;
}

/**
 * What the end of a membership changes. The items must have been read while the membership existed: the transaction
 * has to fail if it has ended since, because no other write changes LEFT.
 */
export function endedConsentWrites({ membership, isOwnWish, adder, left }: EndedMembership): Write[] {
  const { user, room, addedBy } = membership;
  if (addedBy === undefined) return left === undefined ? [] : [{ delete: keys.left(user, room) }];
  const counted = adder === undefined ? [] : [uncount(user, addedBy, adder)];
  return isOwnWish ? [...counted, remember(user, room, addedBy)] : counted;
}

function uncount(user: string, by: string, { added, rev }: Item): Write {
  const unchanged = { condition: 'rev = :rev', values: { ':rev': rev } };
  if (Number(added) <= 1) return { delete: keys.adder(user, by), ...unchanged };
  return {
    key: keys.adder(user, by),
    update: 'SET added = added - :one, rev = rev + :one',
    condition: unchanged.condition,
    values: { ...unchanged.values, ':one': 1 },
  };
}

const remember = (user: string, room: string, by: string): Write => ({
  key: keys.left(user, room),
  update: 'SET #by = list_append(if_not_exists(#by, :none), :by), v = :v',
  names: { '#by': 'by' },
  values: { ':none': [], ':by': [by], ':v': FIRST_SHAPE },
});
