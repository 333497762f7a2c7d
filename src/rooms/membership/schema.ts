/** What people do to each other in a room: adding, removing, banning, roles. */
import { builder } from '../../graphql/builder.ts';
import { connection, pageWanted } from '../../graphql/connections.ts';
import { type Context, requireViewer } from '../../graphql/context.ts';
import { encodeId } from '../../graphql/ids.ts';
import { forwardArgs } from '../../graphql/pageArgs.ts';
import { dateOf } from '../../graphql/scalars.ts';
import { loadUserOrThrow, personIdOf, UserRef } from '../../users/types.ts';
import { memberAccess } from '../access.ts';
import { assertCan } from '../policy.ts';
import type { Ban } from '../roomQueries.ts';
import {
  MembershipRef,
  type MembershipView,
  RoleRef,
  RoomRef,
  type RoomView,
  roomIdOf,
  viewOf,
} from '../types.ts';

const roomId = 'A room that the viewer is in.';

const AddMemberInput = builder.inputType('AddMemberInput', {
  description: 'Somebody to let into a room.',
  fields: (t) => ({
    roomId: t.id({ required: true, description: roomId }),
    userId: t.id({ required: true, description: 'Somebody who is not in it.' }),
  }),
});

const RemoveMemberInput = builder.inputType('RemoveMemberInput', {
  description: 'Somebody to take out of a room.',
  fields: (t) => ({
    roomId: t.id({ required: true, description: roomId }),
    userId: t.id({ required: true, description: 'Somebody else who is in it.' }),
  }),
});

const SetMemberRoleInput = builder.inputType('SetMemberRoleInput', {
  description: 'Another role for somebody.',
  fields: (t) => ({
    roomId: t.id({ required: true, description: roomId }),
    userId: t.id({ required: true, description: 'Somebody who is in it, or the viewer themselves.' }),
    role: t.field({ type: RoleRef, required: true, description: 'Their role from now on.' }),
  }),
});

const BanMemberInput = builder.inputType('BanMemberInput', {
  description: 'Somebody to keep out of a room.',
  fields: (t) => ({
    roomId: t.id({ required: true, description: roomId }),
    userId: t.id({ required: true, description: 'Somebody else, whether or not they are in it.' }),
  }),
});

const UnbanMemberInput = builder.inputType('UnbanMemberInput', {
  description: 'Somebody who may come again.',
  fields: (t) => ({
    roomId: t.id({ required: true, description: roomId }),
    userId: t.id({ required: true, description: 'Somebody who is banned from it.' }),
  }),
});

interface MembershipPayload {
  readonly membership: MembershipView;
}

const AddMemberPayload = builder.objectRef<MembershipPayload>('AddMemberPayload').implement({
  description: 'What `addMember` answers.',
  fields: (t) => ({
    membership: t.expose('membership', { type: MembershipRef, description: 'Their membership.' }),
  }),
});

const SetMemberRolePayload = builder.objectRef<MembershipPayload>('SetMemberRolePayload').implement({
  description: 'What `setMemberRole` answers.',
  fields: (t) => ({
    membership: t.expose('membership', { type: MembershipRef, description: 'As it is now.' }),
  }),
});

interface RemovedPayload {
  readonly room: RoomView;
  readonly deletedMembershipId: string | null;
}

const RemoveMemberPayload = builder
  .objectRef<RemovedPayload & { readonly deletedMembershipId: string }>('RemoveMemberPayload')
  .implement({
    description: 'What `removeMember` answers.',
    fields: (t) => ({
      room: t.expose('room', { type: RoomRef, description: 'The room.' }),
      deletedMembershipId: t.exposeID('deletedMembershipId', {
        description: 'The membership that is no more.',
      }),
    }),
  });

const BanMemberPayload = builder
  .objectRef<RemovedPayload & { readonly user: string }>('BanMemberPayload')
  .implement({
    description: 'What `banMember` answers.',
    fields: (t) => ({
      room: t.expose('room', { type: RoomRef, description: 'The room.' }),
      user: t.field({
        type: UserRef,
        description: 'Who is banned.',
        resolve: ({ user }, _args, { items }) => loadUserOrThrow(user, items),
      }),
      deletedMembershipId: t.exposeID('deletedMembershipId', {
        nullable: true,
        description: 'The membership that is no more; null where they were not in the room.',
      }),
    }),
  });

const UnbanMemberPayload = builder
  .objectRef<{ readonly room: RoomView; readonly user: string }>('UnbanMemberPayload')
  .implement({
    description: 'What `unbanMember` answers.',
    fields: (t) => ({
      room: t.expose('room', { type: RoomRef, description: 'The room.' }),
      user: t.field({
        type: UserRef,
        description: 'Who may come again.',
        resolve: ({ user }, _args, { items }) => loadUserOrThrow(user, items),
      }),
    }),
  });

interface About {
  readonly roomId: string;
  readonly userId: string;
}

/** Who does it, where and to whom. */
const byAnother = (input: About, context: Context) => ({
  by: requireViewer(context),
  room: roomIdOf(input.roomId),
  user: personIdOf(input.userId),
});

/** As `byAnother`, for what keeps order in a room. Throws RATE_LIMITED. */
async function moderating(input: About, context: Context) {
  await context.services.limits.charge('moderation', requireViewer(context));
  return byAnother(input, context);
}

const membershipId = (room: string, user: string): string => encodeId('Membership', `${room}:${user}`);

builder.mutationFields((t) => ({
  addMember: t.field({
    type: AddMemberPayload,
    description:
      'Lets somebody into a room; for owners and moderators. `ALREADY_MEMBER`, `ROOM_FULL`, `CONFLICT` for who is banned or in 1,000 rooms.',
    args: { input: t.arg({ type: AddMemberInput, required: true, description: 'Whom, and where.' }) },
    resolve: async (_root, { input }, context) => {
      await context.services.limits.charge('invites', requireViewer(context));
      const about = byAnother(input, context);
      return { membership: viewOf(await context.services.rooms.add(about), about.by) };
    },
  }),
  removeMember: t.field({
    type: RemoveMemberPayload,
    description:
      'Takes somebody out of a room: owners anybody else, moderators members. They may come again, if they can.',
    args: { input: t.arg({ type: RemoveMemberInput, required: true, description: 'Whom, and where.' }) },
    resolve: async (_root, { input }, context) => {
      const about = await moderating(input, context);
      const room = await context.services.rooms.remove(about);
      return { room, deletedMembershipId: membershipId(about.room, about.user) };
    },
  }),
  setMemberRole: t.field({
    type: SetMemberRolePayload,
    description:
      'Gives somebody another role; for owners. `CONFLICT` for the last owner who would step down.',
    args: { input: t.arg({ type: SetMemberRoleInput, required: true, description: 'Whose, and which.' }) },
    resolve: async (_root, { input }, context) => {
      const about = await moderating(input, context);
      return { membership: viewOf(await context.services.rooms.setRole(about, input.role), about.by) };
    },
  }),
  banMember: t.field({
    type: BanMemberPayload,
    description:
      'Takes somebody out of a room, if they are in it, and lets them in no more by any way. Who may remove them may ban them. Twice is no error.',
    args: { input: t.arg({ type: BanMemberInput, required: true, description: 'Whom, and where.' }) },
    resolve: async (_root, { input }, context) => {
      const about = await moderating(input, context);
      const { room, removed } = await context.services.rooms.ban(about);
      return {
        room,
        user: about.user,
        deletedMembershipId: removed ? membershipId(about.room, about.user) : null,
      };
    },
  }),
  unbanMember: t.field({
    type: UnbanMemberPayload,
    description: 'Lifts a ban; for owners and moderators. Where there is none, nothing happens.',
    args: { input: t.arg({ type: UnbanMemberInput, required: true, description: 'Whom, and where.' }) },
    resolve: async (_root, { input }, context) => {
      const about = await moderating(input, context);
      const room = await context.services.rooms.unban(about);
      return { room, user: about.user };
    },
  }),
}));

const BanRef = builder.objectRef<Ban>('Ban').implement({
  description: 'That somebody is kept out of a room.',
  fields: (t) => ({
    user: t.field({
      type: UserRef,
      description: 'Who.',
      resolve: ({ user }, _args, { items }) => loadUserOrThrow(user, items),
    }),
    bannedBy: t.field({
      type: UserRef,
      description: 'Who has banned them.',
      resolve: ({ by }, _args, { items }) => loadUserOrThrow(by, items),
    }),
    createdAt: t.field({ type: 'DateTime', description: 'When.', resolve: ({ at }) => dateOf(at) }),
  }),
});

const BanConnection = builder.connectionObject(
  { type: BanRef, name: 'BanConnection', description: 'A page of bans.' },
  { name: 'BanEdge', description: 'A ban in a page.' },
);

builder.objectField(RoomRef, 'bans', (t) =>
  t.field({
    type: BanConnection,
    description: 'Who is banned from the room; for its owners and moderators.',
    args: forwardArgs,
    resolve: async ({ id }, args, context) => {
      const { room, membership } = await memberAccess(id, requireViewer(context), context.items);
      assertCan('removeMembers', room, membership);
      const codec = { list: `bans:${id}`, position: /^[0-9a-z]{1,64}$/ };
      const wanted = pageWanted(args, codec);
      const page = await context.services.roomQueries.bans(id, wanted);
      return connection(page, wanted, { codec, position: ({ user }) => user });
    },
  }),
);
