import { isDeepStrictEqual } from 'node:util';
import { defined } from '../core/defined.ts';
import type { Timestamp } from '../core/timestamps.ts';
import type { Item } from '../dynamo/item.ts';
import { directory, keys, memberHandles } from '../dynamo/keys.ts';
import { FIRST_SHAPE } from '../dynamo/shapes.ts';
import type { Write } from '../dynamo/write.ts';
import type { User } from '../users/user.ts';
import { type PendingRead, pendingReadAttributes, pendingReadsFrom } from './pendingReads.ts';

export type Visibility = 'PUBLIC' | 'PRIVATE' | 'DIRECT';
/** What of a room is delivered outside the page to one member. */
export type RoomDelivery = 'ALL' | 'MENTIONS' | 'NOTHING';
export type Role = 'OWNER' | 'MODERATOR' | 'MEMBER';

export interface Room {
  readonly id: string;
  readonly name: string;
  readonly topic: string | null;
  readonly visibility: Visibility;
  /** User ids of a direct room's participants (at most 8), including those who left. Absent for other rooms. */
  readonly people?: readonly string[];
  readonly createdAt: Timestamp;
  /** `import:<source>:<id>` of an imported room. Absent: it was made here. */
  readonly externalId?: string;
  /** Rises with every change, so of two copies the one with the higher value is newer. Other items likewise. */
  readonly version: number;
}

/** The lock that joins and leaves go through. Its conditions decide who gets in, not what was read before. */
export interface Seats {
  /** The number of member items. */
  readonly taken: number;
  /** Null: no limit. */
  readonly capacity: number | null;
  readonly owners: number;
  /** The number of users on the waitlist. While there are any, free seats go to them. */
  readonly waiting: number;
  readonly version: number;
}

/** What changes with every message. Not part of the lock, because that would keep the lock busy. */
export interface Counter {
  /** The number of thread roots that have a position, which is the last position assigned. */
  readonly lastPosition: number;
  /** The last change number assigned: that of the log's last entry, or of a gap after it (`leaveGap`). */
  readonly lastSequence: number;
  /** How often anyone left or was removed, ever. A server that sees it rise checks its readers. */
  readonly membershipEpoch: number;
  /** The latest of the roots that have a position. Absent: there is none, or it is not known (see `counterOf`). */
  readonly newestRoot?: Timestamp;
  /** The last entry of the log that says that someone entered. Absent: no one has, or an earlier release wrote it. */
  readonly newestJoin?: { readonly change: number; readonly at: Timestamp };
}

/** The user's item of a membership. The room's item (`Member`) has only what a list of members shows. */
export interface Membership {
  readonly room: string;
  readonly user: string;
  readonly role: Role;
  /** See `Member`. */
  readonly grant?: string;
  readonly joinedAt: Timestamp;
  /**
   * The user who added this one. Absent if they joined themselves, and in memberships of releases that did not record
   * it.
   */
  readonly addedBy?: string;
  /**
   * Since when the user had waited for the seat. Absent if they did not wait, and in memberships of earlier releases.
   */
  readonly waitedSince?: Timestamp;
  readonly muted: boolean;
  /** Absent: everything, or nothing if the room is muted. */
  readonly delivery?: RoomDelivery;
  /** For which kinds of news the room has a LISTENER item of the user, with the seconds in its key. */
  readonly listens?: Listens;
  /** The section of the user's own list that the room is in. Absent: none. */
  readonly section?: string;
  /** Whether it is among the first of that list. Absent: it is not. */
  readonly starred?: boolean;
  /** The position up to which everything counts as read. Moves down only by "mark unread from here". */
  readonly readPosition: number;
  /** What else was said about how far the room is read, before `pendingReadRoot`. */
  readonly pendingReads?: readonly PendingRead[];
  /**
   * A root that counts as read together with all before it. Set until its position is in `readPosition`, seconds after
   * it got one.
   */
  readonly pendingReadRoot: Timestamp | null;
  /** About when the last root that was read was created. The search for the first unread one begins here. */
  readonly lastReadTs: Timestamp;
  /** Absent: no root of the room has mentioned the user, or not since a release that did not count them. */
  readonly mentioned?: MentionedRoots;
  /**
   * Starts at the join's number × 2³² (see `firstMembershipVersion`), so it is higher than any of an earlier
   * membership.
   */
  readonly version: number;
}

export type Listens = Readonly<Partial<Record<'MESSAGE' | 'JOIN', number>>>;

/** How many unread MENTION notifications are about roots of the room, so that the badge counts these roots once. */
export type MentionedRoots = {
  readonly count: number;
  /** The badge's epoch when it was written. In a later one all of them are read. */
  readonly epoch: number;
};

/** What this feature publishes on a user's channel (`userTopic`). */
export type MembershipEvent =
  /** The current membership. The receiver keeps the one with the highest `version`. */
  | { readonly type: 'membership'; readonly membership: MembershipPayload }
  /** The membership has ended. `version` is higher than every one that it had. */
  | { readonly type: 'left'; readonly room: string; readonly version: number };

/** As `Membership`, in a type that can travel as JSON. */
export type MembershipPayload = { readonly [K in keyof Membership]: Membership[K] };

const JOIN_VERSIONS = 2 ** 32;

/** `joinCount`: how many memberships the user had before this one. */
export const firstMembershipVersion = (joinCount: number): number => (joinCount + 1) * JOIN_VERSIONS;

/** The same for all versions of a membership, and another for the user's next one in the room. */
export const joinNumber = (version: number): number => Math.floor(version / JOIN_VERSIONS);

/** The lowest and the highest version that a membership with this `joinNumber` can have. */
export const versionsOfJoin = (join: number) => ({
  first: join * JOIN_VERSIONS,
  last: (join + 1) * JOIN_VERSIONS - 1,
});

/** Whether the user has just entered the room: every later change of the membership raises its version. */
export const isFirstMembershipVersion = (version: number): boolean => version % JOIN_VERSIONS === 0;

/** Higher than every version that this membership can have had, and lower than those of the user's next one. */
export const lastMembershipVersion = (version: number): number => versionsOfJoin(joinNumber(version)).last;

export const roomItem = (room: Room) => ({
  v: FIRST_SHAPE,
  name: room.name,
  visibility: room.visibility,
  createdAt: room.createdAt,
  rev: room.version,
  ...defined({ topic: room.topic ?? undefined, people: room.people, externalId: room.externalId }),
  ...(room.visibility === 'PUBLIC'
    ? { gsi1pk: directory.pk, gsi1sk: directory.sk(room.createdAt, room.id) }
    : {}),
  ...keys.room(room.id),
});

export const roomOf = (id: string, item: Item): Room => ({
  id,
  name: item.name as string,
  topic: (item.topic as string | undefined) ?? null,
  visibility: item.visibility as Visibility,
  ...defined({
    people: item.people as string[] | undefined,
    externalId: item.externalId as string | undefined,
  }),
  createdAt: item.createdAt as Timestamp,
  version: item.rev as number,
});

export const seatsItem = (room: string, seats: Seats) => ({
  v: FIRST_SHAPE,
  taken: seats.taken,
  owners: seats.owners,
  waiting: seats.waiting,
  rev: seats.version,
  ...defined({ capacity: seats.capacity ?? undefined }),
  ...keys.seats(room),
});

export const seatsOf = (item: Item): Seats => ({
  taken: item.taken as number,
  capacity: (item.capacity as number | undefined) ?? null,
  owners: item.owners as number,
  waiting: item.waiting as number,
  version: item.rev as number,
});

/** `isDirect`: stored for those who read the stream, and see only this item when someone has written. */
export const counterItem = (room: string, isDirect = false) => ({
  v: FIRST_SHAPE,
  direct: isDirect,
  messageCount: 0,
  changeCount: 0,
  removals: 0,
  ...keys.counter(room),
});

/**
 * `newestRoot` counts only if it was stored for this number of roots: a consumer of the release before raises the
 * number alone. Then the room's next root makes it known again (`roomEvents/roomLog.ts`), and until then readers ask
 * the roots.
 */
export const counterOf = (item: Item): Counter => ({
  lastPosition: item.messageCount as number,
  lastSequence: item.changeCount as number,
  membershipEpoch: item.removals as number,
  ...(item.newestRootOf === item.messageCount ? { newestRoot: item.newestRoot as Timestamp } : {}),
  ...defined({ newestJoin: item.newestJoin as Counter['newestJoin'] }),
});

/** The three items of a new room. They fail if the room exists. */
export const newRoomWrites = (room: Room, seats: Seats) => ({
  room: { put: roomItem(room), condition: 'attribute_not_exists(pk)' },
  seats: { put: seatsItem(room.id, seats), condition: 'attribute_not_exists(pk)' },
  counter: { put: counterItem(room.id, room.visibility === 'DIRECT'), condition: 'attribute_not_exists(pk)' },
});

export const membershipItem = (membership: Membership) => ({
  v: FIRST_SHAPE,
  role: membership.role,
  joinedAt: membership.joinedAt,
  muted: membership.muted,
  readPosition: membership.readPosition,
  readAt: membership.lastReadTs,
  rev: membership.version,
  ...pendingReadAttributes(membership),
  ...defined({
    addedBy: membership.addedBy,
    waitedSince: membership.waitedSince,
    mentioned: membership.mentioned,
    delivery: membership.delivery,
    listens: membership.listens,
    section: membership.section,
    starred: membership.starred,
    grant: membership.grant,
  }),
  ...keys.membership(membership.user, membership.room),
});

export const membershipOf = (user: string, room: string, item: Item): Membership => ({
  user,
  room,
  role: item.role as Role,
  joinedAt: item.joinedAt as Timestamp,
  ...defined({
    addedBy: item.addedBy as string | undefined,
    waitedSince: item.waitedSince as Timestamp | undefined,
    delivery: item.delivery as RoomDelivery | undefined,
    listens: item.listens as Listens | undefined,
    section: item.section as string | undefined,
    starred: item.starred as boolean | undefined,
    grant: item.grant as string | undefined,
  }),
  muted: item.muted as boolean,
  readPosition: item.readPosition as number,
  ...pendingReadsFrom(item),
  lastReadTs: item.readAt as Timestamp,
  ...defined({ mentioned: item.mentioned as MentionedRoots | undefined }),
  version: item.rev as number,
});

/** The number of unread MENTION notifications about the room's roots, in this epoch of the badge. */
export const mentionedRoots = ({ mentioned }: Membership, epoch: number): number =>
  mentioned?.epoch === epoch ? mentioned.count : 0;

/** Whether nothing else of the membership has changed. Then its event is sent with the badge's. */
export function isMentionChange(old: Item | undefined, now: Item | undefined): boolean {
  if (old === undefined || now === undefined) return false;
  const others = Object.keys({ ...old, ...now }).filter((name) => name !== 'mentioned' && name !== 'rev');
  return (
    !isDeepStrictEqual(old.mentioned, now.mentioned) &&
    others.every((name) => isDeepStrictEqual(old[name], now[name]))
  );
}

export interface NewMembership {
  readonly room: string;
  readonly user: string;
  readonly role: Role;
  /** How many memberships the user had before. */
  readonly joinCount: number;
  readonly readPosition: number;
  /** Absent if the user joins themselves. */
  readonly addedBy?: string;
  /** Absent if the user did not wait for the seat. */
  readonly waitedSince?: Timestamp;
}

export const newMembership = ({ joinCount, ...rest }: NewMembership, joinedAt: Timestamp): Membership => ({
  ...rest,
  joinedAt,
  muted: false,
  pendingReadRoot: null,
  lastReadTs: joinedAt,
  version: firstMembershipVersion(joinCount),
});

/** Fails if the member's role has changed since it was read, so what they were allowed to do they still are. */
export const roleUnchanged = ({ room, user, role }: Pick<Member, 'room' | 'user' | 'role'>) =>
  ({
    check: keys.member(room, user),
    condition: '#role = :role',
    names: { '#role': 'role' },
    values: { ':role': role },
  }) satisfies Write;

/**
 * Names what gave a member their power over invites: the promotion, or the join that made them an owner. Another one
 * after a ban or a demotion, so invites that they created before do not come back.
 */
export const grantOf = ({ grant, joinedAt }: Pick<Member, 'grant' | 'joinedAt'>): string => grant ?? joinedAt;

/** As `roleUnchanged`, and fails as well if the member was demoted and promoted again. */
export const grantUnchanged = (member: Member): Write => {
  const { check, condition, names, values } = roleUnchanged(member);
  const isSame =
    member.grant === undefined ? 'attribute_not_exists(#grant) AND joinedAt = :grant' : '#grant = :grant';
  return {
    check,
    condition: `${condition} AND ${isSame}`,
    names: { ...names, '#grant': 'grant' },
    values: { ...values, ':grant': grantOf(member) },
  };
};

/** The room's item of a membership. */
export interface Member {
  readonly room: string;
  readonly user: string;
  readonly role: Role;
  /** The id of their last promotion from MEMBER, or demotion to it. Absent: they had none, or by an earlier release. */
  readonly grant?: string;
  readonly joinedAt: Timestamp;
}

/** A user's handle, and its version. */
export type Named = Pick<User, 'id' | 'handle' | 'handleRev'>;

/** What an item of the room stores about the handle of its member. Empty if its version is not known yet. */
export const handleOfMember = (
  room: string,
  { id, handle, handleRev }: Named,
): { readonly handleRev?: number; readonly gsi1pk?: string; readonly gsi1sk?: string } => {
  if (handleRev === undefined || handle === null) return defined({ handleRev });
  return { handleRev, gsi1pk: memberHandles.pk(room), gsi1sk: memberHandles.sk(handle, id) };
};

/** `named`: the member. Absent: not found by handle until the stream's consumer has read their profile. */
export const memberItem = ({ room, user, role, joinedAt }: Member, named?: Named) => ({
  v: FIRST_SHAPE,
  role,
  joinedAt,
  ...(named === undefined ? {} : handleOfMember(room, named)),
  ...keys.member(room, user),
});

export const memberOf = (room: string, user: string, item: Item): Member => ({
  room,
  user,
  role: item.role as Role,
  joinedAt: item.joinedAt as Timestamp,
  ...defined({ grant: item.grant as string | undefined }),
});
