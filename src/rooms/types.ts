/** The GraphQL types of rooms and memberships; what other features know of a room hangs on these. */

import { notFound } from '../core/errors.ts';
import type { Timestamp } from '../core/timestamps.ts';
import type { ItemLoader } from '../dynamo/itemLoader.ts';
import { isId, keys } from '../dynamo/keys.ts';
import { builder } from '../graphql/builder.ts';
import { connection, pageWanted } from '../graphql/connections.ts';
import { type Context, requireViewer } from '../graphql/context.ts';
import { idOf } from '../graphql/ids.ts';
import { nodeLoader } from '../graphql/nodes.ts';
import { forwardArgs } from '../graphql/pageArgs.ts';
import { dateOf } from '../graphql/scalars.ts';
import { loadUserOrThrow, UserRef, ViewerRef } from '../users/types.ts';
import { accessTo, memberAccess } from './access.ts';
import { nameOf } from './direct/direct.ts';
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

/** A room the viewer may see; its seats where they are known already. */
export type RoomView = Room & { readonly seats?: Seats };

/** A membership as its owner sees it, or the room's side of somebody else's. */
export type MembershipView = Member & { readonly own: Membership | null };

export const ownView = (own: Membership): MembershipView => ({ ...own, own });

/** As the viewer sees it: what is only its owner's affair is left out of another's. */
export const viewOf = (membership: Membership, viewer: string): MembershipView =>
  membership.user === viewer ? ownView(membership) : { ...membership, own: null };

export const RoomVisibilityRef = builder.enumType('RoomVisibility', {
  description: 'Who finds a room and gets into it.',
  values: {
    PUBLIC: { description: 'In the directory: everybody sees name, topic and counts, and may join.' },
    PRIVATE: { description: 'Only its members know of it.' },
    DIRECT: {
      description:
        'A conversation between certain people, at most 8: the same ones have one room, however it was opened.',
    },
  } as const,
});

export const RoleRef = builder.enumType('Role', {
  description: 'What somebody may do in a room.',
  values: {
    OWNER: { description: 'Everything. A room with members always has one.' },
    MODERATOR: {
      description: 'Keeps order: names the room, lets people in, removes members, deletes messages.',
    },
    MEMBER: { description: 'Reads and writes.' },
  } as const,
});

export const RoomRef = builder.objectRef<RoomView>('Room');
export const MembershipRef = builder.objectRef<MembershipView>('Membership');

/** The room's own id out of a global one; what is of another type or malformed is not there. */
export function roomIdOf(globalId: string): string {
  const id = idOf('Room', globalId);
  if (id === undefined) throw notFound();
  return id;
}

/** A room that the viewer is known to see (from a membership, a message …). */
export async function loadRoomOrThrow(id: string, { items }: Context): Promise<RoomView> {
  const item = await items.load(keys.room(id));
  if (item === undefined) throw new Error(`The room ${id} is gone.`);
  return roomOf(id, item);
}

async function seatsIn(room: RoomView, { items }: Context): Promise<Seats> {
  if (room.seats !== undefined) return room.seats;
  const item = await items.load(keys.seats(room.id));
  if (item === undefined) throw new Error(`The seats of ${room.id} are gone.`);
  return seatsOf(item);
}

/** Read together with whatever else the operation reads in the same turn. */
const directName = async (people: readonly string[], items: ItemLoader): Promise<string> =>
  nameOf(await Promise.all(people.map((user) => loadUserOrThrow(user, items))));

builder.node(RoomRef, {
  description:
    'A place to talk. What is in it is for its members; of a public one everybody sees name, topic and counts.',
  id: { resolve: ({ id }) => id },
  fields: (t) => ({
    name: t.string({
      description:
        'At most 80 characters, on one line. Of a direct room: the display names that its people have now, the same for all of them.',
      resolve: (room, _args, { items }) =>
        room.people === undefined ? room.name : directName(room.people, items),
    }),
    topic: t.exposeString('topic', { nullable: true, description: 'What it is about, on one line.' }),
    visibility: t.expose('visibility', { type: RoomVisibilityRef, description: 'Who finds it and gets in.' }),
    capacity: t.int({
      nullable: true,
      description: 'How many may be in it, the owner counted; null: no limit.',
      resolve: async (room, _args, context) => (await seatsIn(room, context)).capacity,
    }),
    memberCount: t.int({
      description: 'How many are in it: exact, and never more than `capacity`.',
      resolve: async (room, _args, context) => (await seatsIn(room, context)).taken,
    }),
    waitingCount: t.int({
      description: 'How many wait in line for a seat, at most 100.',
      resolve: async (room, _args, context) => (await seatsIn(room, context)).waiting,
    }),
    waitlistPosition: t.int({
      nullable: true,
      description: 'Where in that line the viewer waits, 1: the first; null where they do not.',
      resolve: async ({ id: room }, _args, context) => {
        const user = requireViewer(context);
        const item = await context.items.load(keys.waiting(user, room));
        if (item === undefined) return null;
        return context.services.rooms.positionInLine({ room, user, waitingSince: item.w as Timestamp });
      },
    }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'When it was made.',
      resolve: ({ createdAt }) => dateOf(createdAt),
    }),
    viewerMembership: t.field({
      type: MembershipRef,
      nullable: true,
      description: "The viewer's membership; null where they are not in the room.",
      resolve: async ({ id }, _args, context) => {
        const access = await accessTo(id, requireViewer(context), context.items);
        return access?.membership == null ? null : ownView(access.membership);
      },
    }),
  }),
});
nodeLoader(
  'Room',
  async (id, context) => (await accessTo(id, requireViewer(context), context.items))?.room ?? null,
);

builder.node(MembershipRef, {
  description: 'One person in one room.',
  id: { resolve: ({ room, user }) => `${room}:${user}` },
  fields: (t) => ({
    room: t.field({
      type: RoomRef,
      description: 'The room.',
      resolve: ({ room }, _args, context) => loadRoomOrThrow(room, context),
    }),
    user: t.field({
      type: UserRef,
      description: 'The person.',
      resolve: ({ user }, _args, { items }) => loadUserOrThrow(user, items),
    }),
    role: t.expose('role', { type: RoleRef, description: 'What they may do there.' }),
    joinedAt: t.field({
      type: 'DateTime',
      description: 'When they came.',
      resolve: ({ joinedAt }) => dateOf(joinedAt),
    }),
    muted: t.boolean({
      nullable: true,
      description: "Whether the room is left out of the badge's total; null on another's membership.",
      resolve: ({ own }) => own?.muted ?? null,
    }),
  }),
});

/** Visible to the person themselves and to whoever is in the room with them. */
nodeLoader('Membership', async (id, context) => {
  const [room, user, ...more] = id.split(':');
  if (room === undefined || user === undefined || more.length > 0 || !isId(room) || !isId(user)) return null;
  const viewer = requireViewer(context);
  const [mine, theirs] = await context.items.loadMany([
    keys.membership(viewer, room),
    keys.member(room, user),
  ]);
  if (mine === undefined || theirs === undefined) return null;
  return user === viewer
    ? ownView(membershipOf(viewer, room, mine))
    : { ...memberOf(room, user, theirs), own: null };
});

export const RoomConnection = builder.connectionObject(
  { type: RoomRef, name: 'RoomConnection', description: 'A page of rooms.' },
  { name: 'RoomEdge', description: 'A room in a page.' },
);
const MembershipConnection = builder.connectionObject(
  { type: MembershipRef, name: 'MembershipConnection', description: 'A page of memberships.' },
  { name: 'MembershipEdge', description: 'A membership in a page.' },
);

const ID = /^[0-9a-z]{1,64}$/;

builder.objectField(RoomRef, 'members', (t) =>
  t.field({
    type: MembershipConnection,
    description: 'Who is in the room; for members only.',
    args: forwardArgs,
    resolve: async ({ id }, args, context) => {
      const viewer = requireViewer(context);
      const { membership } = await memberAccess(id, viewer, context.items);
      const codec = { list: `members:${id}`, position: ID };
      const wanted = pageWanted(args, codec);
      const { nodes, more } = await context.services.roomQueries.members(id, wanted);
      const views = nodes.map(
        (member): MembershipView => ({ ...member, own: member.user === viewer ? membership : null }),
      );
      return connection({ nodes: views, more }, wanted, { codec, position: ({ user }) => user });
    },
  }),
);

builder.objectField(ViewerRef, 'memberships', (t) =>
  t.field({
    type: MembershipConnection,
    description: 'The rooms that the viewer is in.',
    args: forwardArgs,
    resolve: async ({ user }, args, { services }) => {
      const codec = { list: `memberships:${user.id}`, position: ID };
      const wanted = pageWanted(args, codec);
      const { nodes, more } = await services.roomQueries.memberships(user.id, wanted);
      return connection({ nodes: nodes.map(ownView), more }, wanted, { codec, position: ({ room }) => room });
    },
  }),
);
