/** What users do to other members of a room: adding, removing, banning, changing roles. */
import { defined } from '../../core/defined.ts';
import { toDate } from '../../core/timestamps.ts';
import { keys } from '../../dynamo/keys.ts';
import { builder } from '../../graphql/builder.ts';
import { forwardArgs, POSITIONS, pagedList, pageTypes } from '../../graphql/connections.ts';
import { type Context, requireViewer } from '../../graphql/context.ts';
import { encodeId } from '../../graphql/ids.ts';
import { mutation } from '../../graphql/mutation.ts';
import { text } from '../../graphql/validation.ts';
import { loadUserOrThrow, requireUserId, UserRef } from '../../users/types.ts';
import { MAX_ROOMS } from '../../users/user.ts';
import { memberAccess } from '../access.ts';
import { assertCan } from '../policy.ts';
import { type Ban, banOf } from '../roomQueries.ts';
import {
  MembershipPages,
  MembershipRef,
  membershipViewOf,
  ownMembershipView,
  RoleRef,
  RoomRef,
  roomIdOf,
  roomMembers,
} from '../types.ts';
import { SECTION_MAX } from './arrange.ts';
import { NOT_ACCEPTED } from './consent.ts';

const roomId = 'A room that the viewer is in.';

interface TargetInput {
  readonly roomId: string;
  readonly userId: string;
}

/** The user who acts, the room, and the user it is about. Throws NOT_FOUND for ids of other types. */
const targetOf = (by: string, { roomId, userId }: TargetInput) => ({
  by,
  room: roomIdOf(roomId),
  user: requireUserId(userId),
});

const membershipId = (room: string, user: string): string => encodeId('Membership', `${room}:${user}`);

mutation('addMember', {
  description: `Adds a user to a room; for owners and moderators. \`ALREADY_MEMBER\` if the user is in the room, \`ROOM_FULL\` if every seat is taken, \`CONFLICT\` if the user is banned or in ${MAX_ROOMS} rooms. ${NOT_ACCEPTED}`,
  limit: 'invites',
  input: (t) => ({
    roomId: t.id({ required: true, description: roomId }),
    userId: t.id({ required: true, description: 'A user who is not in the room.' }),
  }),
  resolve: async (viewer, input, { services }) => ({
    membership: membershipViewOf(await services.rooms.add(targetOf(viewer, input)), viewer),
  }),
  payload: (t) => ({
    membership: t.expose('membership', {
      type: MembershipRef,
      description: 'The new membership of the user.',
    }),
    membershipEdge: t.field({
      type: MembershipPages.edge,
      description: 'The new membership in `Room.members`.',
      resolve: ({ membership }) => roomMembers.edge(membership.room, membership),
    }),
  }),
});

mutation('removeMember', {
  description:
    'Removes another member from a room. Owners may remove every other member, moderators only those with the role MEMBER. `BAD_USER_INPUT` if the user is the viewer: use `leaveRoom`. A removed user may join again.',
  limit: 'moderation',
  input: (t) => ({
    roomId: t.id({ required: true, description: roomId }),
    userId: t.id({ required: true, description: 'Another member of the room.' }),
  }),
  resolve: async (viewer, input, { services }) => {
    const target = targetOf(viewer, input);
    const room = await services.rooms.remove(target);
    return { room, deletedMembershipId: membershipId(target.room, target.user) };
  },
  payload: (t) => ({
    room: t.expose('room', { type: RoomRef, description: 'The room that the user was removed from.' }),
    deletedMembershipId: t.exposeID('deletedMembershipId', {
      description: 'The id of the membership that was deleted.',
    }),
  }),
});

mutation('setMemberRole', {
  description:
    'Changes the role of a member; for owners. `CONFLICT` if the last owner would lose the role. Idempotent.',
  limit: 'moderation',
  input: (t) => ({
    roomId: t.id({ required: true, description: roomId }),
    userId: t.id({ required: true, description: 'A member of the room, which may be the viewer.' }),
    role: t.field({ type: RoleRef, required: true, description: 'The new role of the member.' }),
  }),
  resolve: async (viewer, input, { services }) => ({
    membership: membershipViewOf(await services.rooms.setRole(targetOf(viewer, input), input.role), viewer),
  }),
  payload: (t) => ({
    membership: t.expose('membership', {
      type: MembershipRef,
      description: 'The membership with its new role.',
    }),
  }),
});

const BanRef = builder.objectRef<Ban>('Ban').implement({
  description: 'The ban of a user from a room.',
  fields: (t) => ({
    user: t.field({
      type: UserRef,
      description: 'The user who is banned.',
      resolve: ({ user }, _args, { items }) => loadUserOrThrow(user, items),
    }),
    bannedBy: t.field({
      type: UserRef,
      description: 'The user who set the ban.',
      resolve: ({ by }, _args, { items }) => loadUserOrThrow(by, items),
    }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'When the ban was set.',
      resolve: ({ at }) => toDate(at),
    }),
  }),
});

const BanPages = pageTypes(BanRef, 'Ban', {
  edge: 'A ban in a page, with its cursor.',
  page: 'A page of bans.',
});
const roomBans = pagedList({
  cursors: (room: string) => ({ list: `bans:${room}`, position: POSITIONS.id }),
  position: ({ user }: Ban) => user,
});

/** Null if the ban was lifted in the meantime. */
async function banEdge(room: string, user: string, { items }: Context) {
  const item = await items.load(keys.ban(room, user));
  return item === undefined ? null : roomBans.edge(room, banOf(user, item));
}

mutation('banMember', {
  description:
    'Bans a user from a room, and removes them if they are in it. A banned user cannot join, be added or use an invite until the ban is lifted. Owners may ban every other user, moderators only users with the role MEMBER and users who are not in the room. `BAD_USER_INPUT` if the user is the viewer. Idempotent.',
  limit: 'moderation',
  input: (t) => ({
    roomId: t.id({ required: true, description: roomId }),
    userId: t.id({ required: true, description: 'Another user, who need not be in the room.' }),
  }),
  resolve: async (viewer, input, { services }) => {
    const target = targetOf(viewer, input);
    const { room, removed } = await services.rooms.ban(target);
    const deletedMembershipId = removed ? membershipId(target.room, target.user) : null;
    return { room, user: target.user, deletedMembershipId };
  },
  payload: (t) => ({
    room: t.expose('room', { type: RoomRef, description: 'The room that the user is banned from.' }),
    user: t.field({
      type: UserRef,
      description: 'The user who is banned.',
      resolve: ({ user }, _args, { items }) => loadUserOrThrow(user, items),
    }),
    banEdge: t.field({
      type: BanPages.edge,
      nullable: true,
      description: 'The ban in `Room.bans`; null if it was lifted in the meantime.',
      resolve: ({ room, user }, _args, context) => banEdge(room.id, user, context),
    }),
    deletedMembershipId: t.exposeID('deletedMembershipId', {
      nullable: true,
      description: 'The id of the membership that was deleted; null if the user was not in the room.',
    }),
  }),
});

mutation('unbanMember', {
  description: 'Lifts a ban; for owners and moderators. Idempotent.',
  limit: 'moderation',
  input: (t) => ({
    roomId: t.id({ required: true, description: roomId }),
    userId: t.id({ required: true, description: 'A user who is banned from the room.' }),
  }),
  resolve: async (viewer, input, { services }) => {
    const target = targetOf(viewer, input);
    return { room: await services.rooms.unban(target), user: target.user };
  },
  payload: (t) => ({
    room: t.expose('room', { type: RoomRef, description: 'The room that the user may join again.' }),
    user: t.field({
      type: UserRef,
      description: 'The user whose ban was lifted.',
      resolve: ({ user }, _args, { items }) => loadUserOrThrow(user, items),
    }),
  }),
});

builder.objectField(RoomRef, 'bans', (t) =>
  t.field({
    type: BanPages.connection,
    description: 'The bans of the room, by user id; for its owners and moderators (`FORBIDDEN` otherwise).',
    args: forwardArgs,
    resolve: async ({ id }, args, context) => {
      const { room, membership } = await memberAccess(id, requireViewer(context), context.items);
      assertCan('removeMembers', room, membership);
      return roomBans.page(id, args, (request) => context.services.roomQueries.bans(id, request));
    },
  }),
);

mutation('arrangeRoom', {
  description:
    "Puts a room in a section of the viewer's own list of rooms, or among its first. Only the viewer sees it. It ends with the membership. Idempotent.",
  limit: 'reading',
  inputDescription:
    'The arguments of `arrangeRoom`. An omitted field keeps its value; null removes the value.',
  input: (t) => ({
    roomId: t.id({ required: true, description: roomId }),
    section: t.string({
      description: `The name of a section: 1 to ${SECTION_MAX} characters. Rooms with the same name are together.`,
      validate: text({ characters: SECTION_MAX, name: true }).nullish(),
    }),
    starred: t.boolean({ description: 'Whether the room is among the first. Null is the same as false.' }),
  }),
  resolve: async (viewer, { roomId: id, section, starred }, { services }) => {
    const membership = await services.rooms.arrange(viewer, roomIdOf(id), {
      ...defined({ section }),
      ...(starred === undefined ? {} : { starred: starred ?? false }),
    });
    return { membership: ownMembershipView(membership) };
  },
  payload: (t) => ({
    membership: t.expose('membership', {
      type: MembershipRef,
      description: "The viewer's membership, with the new `section` and `starred`.",
    }),
  }),
});
