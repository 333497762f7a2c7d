/** The GraphQL types of rooms and memberships. Other features add their fields to them. */

import { notFound } from '../core/errors.ts';
import type { Timestamp } from '../core/timestamps.ts';
import { toDate } from '../core/timestamps.ts';
import type { ItemLoader } from '../dynamo/itemLoader.ts';
import { isId, keys } from '../dynamo/keys.ts';
import { builder } from '../graphql/builder.ts';
import { type Edge, POSITIONS, pagedList, pageTypes } from '../graphql/connections.ts';
import { type Context, requireViewer } from '../graphql/context.ts';
import { idOf } from '../graphql/ids.ts';
import { nodeLoader } from '../graphql/nodes.ts';
import { loadUserOrThrow, UserRef } from '../users/types.ts';
import { accessTo } from './access.ts';
import { DIRECT_MAX, nameOf } from './direct/direct.ts';
import { WAITLIST_MAX } from './membership/seats.ts';
import {
  type Member,
  type Membership,
  memberOf,
  membershipOf,
  type Room,
  roomOf,
  type Seats,
  seatsOf,
} from './room.ts';

/** A room that the viewer may see, with its seats if they were read with it. */
export type RoomView = Room & { readonly seats?: Seats };

/** The viewer's own membership, or the room's side of another user's. */
export type MembershipView = Member & { readonly own: Membership | null };

export const ownMembershipView = (own: Membership): MembershipView => ({ ...own, own });

/** A membership as the viewer sees it: another user's has no private fields. */
export const membershipViewOf = (membership: Membership, viewer: string): MembershipView =>
  membership.user === viewer ? ownMembershipView(membership) : { ...membership, own: null };

export const RoomVisibilityRef = builder.enumType('RoomVisibility', {
  description: 'The users who can find a room and join it.',
  values: {
    PUBLIC: {
      description:
        'The room is in the directory. Every signed-in user sees its name, topic and counts, and may join.',
    },
    PRIVATE: { description: 'Only members see the room. Others join by an invite or are added.' },
    DIRECT: {
      description: `A conversation between a fixed set of at most ${DIRECT_MAX} users. Each set of users has one such room.`,
    },
  } as const,
});

export const RoleRef = builder.enumType('Role', {
  description: 'What a member may do in a room.',
  values: {
    OWNER: { description: 'May do everything. A room with members always has at least one owner.' },
    MODERATOR: {
      description:
        'May also change name and topic, add members, create invites, remove and ban members, and delete messages.',
    },
    MEMBER: { description: 'A member may read and write.' },
  } as const,
});

export const RoomRef = builder.objectRef<RoomView>('Room');
export const MembershipRef = builder.objectRef<MembershipView>('Membership');

/** The room's id in a global id. Throws NOT_FOUND if it is malformed or belongs to another type. */
export function roomIdOf(globalId: string): string {
  const id = idOf('Room', globalId);
  if (id === undefined) throw notFound();
  return id;
}

/**
 * For ids of rooms that the viewer is known to see, e.g. from a membership or a message. Throws NOT_FOUND if the room
 * was deleted in the meantime.
 */
export async function loadRoomOrThrow(id: string, context: Context): Promise<RoomView> {
  const room = await loadRoom(id, context);
  if (room === null) throw notFound();
  return room;
}

/** Null if there is no such room. It does not check that the viewer may see the room. */
export async function loadRoom(id: string, { items }: Context): Promise<RoomView | null> {
  const item = await items.load(keys.room(id));
  return item === undefined ? null : roomOf(id, item);
}

/** A value of the room's seats: at once if they were read with the room. */
const ofSeats = <T>(room: RoomView, { items }: Context, value: (seats: Seats) => T): T | Promise<T> =>
  room.seats === undefined ? readSeats(room, items).then(value) : value(room.seats);

async function readSeats(room: RoomView, items: ItemLoader): Promise<Seats> {
  const item = await items.load(keys.seats(room.id));
  if (item === undefined) throw notFound();
  return seatsOf(item);
}

/** Reads together with everything that the operation reads in the same turn. */
const directName = async (userIds: readonly string[], items: ItemLoader): Promise<string> =>
  nameOf(await Promise.all(userIds.map((user) => loadUserOrThrow(user, items))));

builder.node(RoomRef, {
  description:
    'A room. Only members see its messages, members and events; of a public room every signed-in user sees name, topic and counts.',
  id: { resolve: ({ id }) => id },
  fields: (t) => ({
    name: t.string({
      description:
        'The name: at most 80 characters on one line. A direct room has the current display names of its participants instead, the same for all of them.',
      resolve: (room, _args, { items }) =>
        room.people === undefined ? room.name : directName(room.people, items),
    }),
    topic: t.exposeString('topic', {
      nullable: true,
      description: 'What the room is about: at most 250 characters on one line; null if none was set.',
    }),
    externalId: t.string({
      nullable: true,
      description:
        'The id of a room that was imported from another system, `import:<source>:<id>`; null for all others.',
      resolve: ({ externalId }) => externalId ?? null,
    }),
    visibility: t.expose('visibility', {
      type: RoomVisibilityRef,
      description: 'The users who can find the room and join it.',
    }),
    capacity: t.int({
      nullable: true,
      description: 'The most members that the room may have, including the owner; null if there is no limit.',
      resolve: (room, _args, context) => ofSeats(room, context, ({ capacity }) => capacity),
    }),
    memberCount: t.int({
      description: 'The exact number of members. It is never more than `capacity`.',
      resolve: (room, _args, context) => ofSeats(room, context, ({ taken }) => taken),
    }),
    waitingCount: t.int({
      description: `The number of users on the waitlist: at most ${WAITLIST_MAX}.`,
      resolve: (room, _args, context) => ofSeats(room, context, ({ waiting }) => waiting),
    }),
    waitlistPosition: t.int({
      nullable: true,
      description: "The viewer's position on the waitlist, where 1 is the first; null if they are not on it.",
      resolve: async ({ id: room }, _args, context) => {
        const user = requireViewer(context);
        const item = await context.items.load(keys.waiting(user, room));
        if (item === undefined) return null;
        return context.services.rooms.positionInLine({ room, user, waitingSince: item.w as Timestamp });
      },
    }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'When the room was created.',
      resolve: ({ createdAt }) => toDate(createdAt),
    }),
    viewerMembership: t.field({
      type: MembershipRef,
      nullable: true,
      description: "The viewer's membership; null if they are not in the room.",
      resolve: async ({ id }, _args, context) => {
        const access = await accessTo(id, requireViewer(context), context.items);
        return access?.membership == null ? null : ownMembershipView(access.membership);
      },
    }),
  }),
});
nodeLoader(
  'Room',
  async (id, context) => (await accessTo(id, requireViewer(context), context.items))?.room ?? null,
);

builder.node(MembershipRef, {
  description: 'The membership of one user in one room.',
  id: { resolve: ({ room, user }) => `${room}:${user}` },
  fields: (t) => ({
    room: t.field({
      type: RoomRef,
      description: 'The room that the user is in.',
      resolve: ({ room }, _args, context) => loadRoomOrThrow(room, context),
    }),
    user: t.field({
      type: UserRef,
      description: 'The user who is in the room.',
      resolve: ({ user }, _args, { items }) => loadUserOrThrow(user, items),
    }),
    role: t.expose('role', { type: RoleRef, description: 'What the user may do in the room.' }),
    joinedAt: t.field({
      type: 'DateTime',
      description: 'When the user joined.',
      resolve: ({ joinedAt }) => toDate(joinedAt),
    }),
    muted: t.boolean({
      nullable: true,
      description: "Whether the room is excluded from the badge's total; null on another user's membership.",
      resolve: ({ own }) => own?.muted ?? null,
    }),
    section: t.string({
      nullable: true,
      description:
        "The section of the viewer's own list of rooms that the room is in; null if it is in none, and on another user's membership.",
      resolve: ({ own }) => own?.section ?? null,
    }),
    starred: t.boolean({
      nullable: true,
      description:
        "Whether the room is among the first of the viewer's own list; null on another user's membership.",
      resolve: ({ own }) => own && (own.starred ?? false),
    }),
  }),
});

export const MembershipPages = pageTypes(MembershipRef, 'Membership', {
  edge: 'A membership in a page, with its cursor.',
  page: 'A page of memberships.',
});

/** A membership with its place in a list: a time, and the room's id for rooms with the same one. */
export interface PlacedMembership {
  readonly membership: Membership;
  readonly place: string;
}

export const placedMembership = (membership: Membership, at: Timestamp): PlacedMembership => ({
  membership,
  place: `${at}#${membership.room}`,
});

/** `Viewer.memberships` in an order. */
export const viewerMemberships = pagedList({
  cursors: ({ user, order }: { readonly user: string; readonly order: 'LAST_ACTIVITY' | 'JOINED' }) => ({
    list: `memberships:${order}:${user}`,
    position: POSITIONS.timestampAndId,
  }),
  position: ({ place }: PlacedMembership) => place,
  node: ({ membership }): MembershipView => ownMembershipView(membership),
});

/** Of the viewer's own memberships by the time of joining, which does not change. */
export const membershipEdge = (own: Membership): Edge<MembershipView> =>
  viewerMemberships.edge({ user: own.user, order: 'JOINED' }, placedMembership(own, own.joinedAt));

/** The same for a room that the viewer has just entered. */
export async function enteredEdge(room: string, context: Context): Promise<Edge<MembershipView>> {
  const access = await accessTo(room, requireViewer(context), context.items);
  if (access?.membership == null) throw notFound();
  return membershipEdge(access.membership);
}

/** The description of such an edge in a payload. */
export const MEMBERSHIP_EDGE =
  "The viewer's new membership in `Viewer.memberships(orderBy: JOINED)`, of which it is the first.";

/** `Room.members`, by user id. */
export const roomMembers = pagedList({
  cursors: (room: string) => ({ list: `members:${room}`, position: POSITIONS.id }),
  position: ({ user }: MembershipView) => user,
});

/** Visible to the user themselves and to the other members of the room. */
nodeLoader('Membership', async (id, context) => {
  const [room, user, ...more] = id.split(':');
  if (room === undefined || user === undefined || more.length > 0 || !isId(room) || !isId(user)) return null;
  const viewer = requireViewer(context);
  const [roomItem, ownItem, memberItem] = await context.items.loadMany([
    keys.room(room),
    keys.membership(viewer, room),
    keys.member(room, user),
  ]);
  if (roomItem === undefined || ownItem === undefined || memberItem === undefined) return null;
  return user === viewer
    ? ownMembershipView(membershipOf(viewer, room, ownItem))
    : { ...memberOf(room, user, memberItem), own: null };
});
