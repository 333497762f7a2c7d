/** What joining, leaving and waiting have in common: their options, their writes and their errors. */

import { defined } from '../../core/defined.ts';
import { conflict, TsudoiError } from '../../core/errors.ts';
import type { KeyedMutex } from '../../core/keyedMutex.ts';
import type { Timestamps } from '../../core/timestamps.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import { keys } from '../../dynamo/keys.ts';
import type { FailedCondition } from '../../dynamo/namedWrites.ts';
import type { Write } from '../../dynamo/write.ts';
import { MAX_ROOMS, NOT_DELETED, sameHandleRev, type User } from '../../users/user.ts';
import { type Membership, memberItem, membershipItem } from '../room.ts';
import {
  ADDED_ROOMS_MAX,
  adderHasNotBlocked,
  consentWrites,
  type EndedMembership,
  endedConsentWrites,
} from './consent.ts';

export interface MembershipOptions {
  readonly dynamo: Dynamo;
  readonly timestamps: Timestamps;
  /** By user id: a user's joins run one after another, because each one takes the next number. */
  readonly userMutex: KeyedMutex;
  /** By room id: joins and leaves of a room run one after another, because all of them write its seats. */
  readonly seatsMutex: KeyedMutex;
}

/** A moderator's action on another user. */
export interface ModerationTarget {
  /** The user who acts. */
  readonly by: string;
  readonly room: string;
  /** The user it is done to. */
  readonly user: string;
}

/** The profile of the user who joins, as it was read. */
export type Joiner = Pick<User, 'id' | 'handle' | 'handleRev' | 'joinCount'>;

/**
 * Creates both items of a membership and counts it in the user's profile. Fails if their handle has changed since, or
 * their account was deleted. If another user adds them, fails unless they accept it: see `consent.ts`.
 */
export const newMembershipWrites = (membership: Membership, joiner: Joiner) => ({
  member: { put: memberItem(membership, joiner), condition: 'attribute_not_exists(pk)' },
  membership: { put: membershipItem(membership), condition: 'attribute_not_exists(pk)' },
  profile: countJoin(membership, joiner),
  ownBlock: adderHasNotBlocked(membership),
  consent: consentWrites(membership),
});

/** As `newMembershipWrites`; fails also if the user is banned. */
export const membershipWrites = (membership: Membership, joiner: Joiner) => ({
  ...newMembershipWrites(membership, joiner),
  ban: { check: keys.ban(membership.room, membership.user), condition: 'attribute_not_exists(pk)' },
});

/**
 * Deletes both items of a membership, and counts it no longer in the user's profile. Fails if it has changed since it
 * was read.
 */
export function endedMembershipWrites(ended: EndedMembership & { readonly membership: Membership }) {
  const { room, user, role, joinedAt, addedBy, grant } = ended.membership;
  // A later membership may have the same role, but not the same time.
  const unchanged = {
    condition: '#role = :role AND joinedAt = :joinedAt',
    names: { '#role': 'role' },
    values: { ':role': role, ':joinedAt': joinedAt },
  };
  // They may have been demoted and promoted again.
  const sameGrant = {
    condition: `${unchanged.condition} AND ${grant === undefined ? 'attribute_not_exists(#grant)' : '#grant = :grant'}`,
    names: { ...unchanged.names, '#grant': 'grant' },
    values: { ...unchanged.values, ...defined({ ':grant': grant }) },
  };
  return {
    member: { delete: keys.member(room, user), ...unchanged },
    membership: { delete: keys.membership(user, room), ...sameGrant },
    profile: {
      key: keys.user(user),
      update: `SET rooms = rooms - :one${addedBy === undefined ? '' : ', addedRooms = addedRooms - :one'}`,
      values: { ':one': 1 },
    },
    consent: endedConsentWrites(ended),
  };
}

/** `joinCount` numbers all memberships a user has ever had, so no two joins of one user use the same number. */
function countJoin({ user, addedBy }: Membership, joiner: Joiner): Write {
  const sameHandle = sameHandleRev(joiner);
  const own: Write = {
    key: keys.user(user),
    update: 'SET rooms = rooms + :one, joins = joins + :one',
    condition: `rooms < :max AND joins = :joins AND ${NOT_DELETED} AND ${sameHandle.condition}`,
    values: { ':one': 1, ':max': MAX_ROOMS, ':joins': joiner.joinCount, ...sameHandle.values },
  };
  if (addedBy === undefined) return own;
  return {
    ...own,
    update: `${own.update}, addedRooms = if_not_exists(addedRooms, :none) + :one`,
    condition: `${own.condition} AND (attribute_not_exists(addedRooms) OR addedRooms < :maxAdded)`,
    values: { ...own.values, ':none': 0, ':maxAdded': ADDED_ROOMS_MAX },
  };
}

/** Whether the write of the profile failed because the user is in MAX_ROOMS rooms. */
export function isInTooManyRooms(profile: FailedCondition | undefined): boolean {
  const rooms = profile?.item?.rooms;
  return typeof rooms === 'number' && rooms >= MAX_ROOMS;
}

/**
 * Throws CONFLICT if the write of the profile failed because the user is in MAX_ROOMS rooms. `viewer`: who sent the
 * request.
 */
export function throwIfInTooManyRooms(
  profile: FailedCondition | undefined,
  { user, viewer }: { user: string; viewer: string },
): void {
  if (!isInTooManyRooms(profile)) return;
  throw user === viewer
    ? conflict('TOO_MANY_ROOMS', `You are in ${MAX_ROOMS} rooms, which is the maximum. Leave one first.`)
    : conflict(
        'USER_IN_TOO_MANY_ROOMS',
        `This person is in ${MAX_ROOMS} rooms, which is the maximum. They have to leave one first.`,
      );
}

export const alreadyMember = () => new TsudoiError('ALREADY_MEMBER', 'Already a member of this room.');
export const roomFull = () => new TsudoiError('ROOM_FULL', 'Every seat of this room is taken.');
