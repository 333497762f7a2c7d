import { z } from 'zod';
import { notFound } from '../../core/errors.ts';
import { isId, keys } from '../../dynamo/keys.ts';
import { builder } from '../../graphql/builder.ts';
import { connection, pageWanted } from '../../graphql/connections.ts';
import { requireViewer } from '../../graphql/context.ts';
import { idOf } from '../../graphql/ids.ts';
import { nodeLoader } from '../../graphql/nodes.ts';
import { forwardArgs } from '../../graphql/pageArgs.ts';
import { dateOf } from '../../graphql/scalars.ts';
import { loadUserOrThrow, UserRef } from '../../users/types.ts';
import { accessTo, memberAccess } from '../access.ts';
import { assertCan, can } from '../policy.ts';
import {
  loadRoomOrThrow,
  MembershipRef,
  type MembershipView,
  ownView,
  RoomRef,
  type RoomView,
  roomIdOf,
} from '../types.ts';
import { type Invite, inviteOf } from './invite.ts';

const HOURS_DEFAULT = 7 * 24;
const HOURS_MAX = 30 * 24;
const USES_MAX = 10_000;
/** Longer than every code. */
const CODE_MAX = 100;

const InviteRef = builder.objectRef<Invite>('Invite');

builder.node(InviteRef, {
  description: "A way into a room for whoever has its code; for the room's owners and moderators.",
  id: { resolve: ({ room, id }) => `${room}:${id}` },
  fields: (t) => ({
    room: t.field({
      type: RoomRef,
      description: 'Where to.',
      resolve: ({ room }, _args, context) => loadRoomOrThrow(room, context),
    }),
    createdBy: t.field({
      type: UserRef,
      description: 'Who has made it.',
      resolve: ({ by }, _args, { items }) => loadUserOrThrow(by, items),
    }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'When it was made.',
      resolve: ({ createdAt }) => dateOf(createdAt),
    }),
    expiresAt: t.field({
      type: 'DateTime',
      description: 'Until when it holds.',
      resolve: ({ expiresAt }) => new Date(expiresAt * 1_000),
    }),
    maxUses: t.exposeInt('maxUses', {
      nullable: true,
      description: 'How many may come by it; null: as many as do.',
    }),
    uses: t.exposeInt('uses', { description: 'How many have come by it.' }),
  }),
});

/** The two parts of an invite's id; undefined where it is none. */
function parseInviteId(id: string): { readonly room: string; readonly invite: string } | undefined {
  const [room = '', invite = '', ...more] = id.split(':');
  return isId(room) && isId(invite) && more.length === 0 ? { room, invite } : undefined;
}

nodeLoader('Invite', async (id, context) => {
  const key = parseInviteId(id);
  if (key === undefined) return null;
  const [access, item] = await Promise.all([
    accessTo(key.room, requireViewer(context), context.items),
    context.items.load(keys.invite(key.room, key.invite)),
  ]);
  if (access?.membership == null || item === undefined) return null;
  return can('invite', access.room, access.membership) ? inviteOf(key.room, key.invite, item) : null;
});

const InviteConnection = builder.connectionObject(
  { type: InviteRef, name: 'InviteConnection', description: 'A page of invites.' },
  { name: 'InviteEdge', description: 'An invite in a page.' },
);

builder.objectField(RoomRef, 'invites', (t) =>
  t.field({
    type: InviteConnection,
    description:
      "The room's invites; for its owners and moderators. One that has expired may be among them for some days.",
    args: forwardArgs,
    resolve: async ({ id }, args, context) => {
      const { room, membership } = await memberAccess(id, requireViewer(context), context.items);
      assertCan('invite', room, membership);
      const codec = { list: `invites:${id}`, position: /^[0-9a-z]{1,64}$/ };
      const wanted = pageWanted(args, codec);
      const page = await context.services.rooms.invites(id, wanted);
      return connection(page, wanted, { codec, position: (invite) => invite.id });
    },
  }),
);

const whole = (least: number, most: number) =>
  z
    .int()
    .min(least, { error: `At least ${least}.` })
    .max(most, { error: `At most ${most}.` });

const CreateInviteInput = builder.inputType('CreateInviteInput', {
  description: 'An invite into a room.',
  fields: (t) => ({
    roomId: t.id({ required: true, description: 'A room that the viewer is in.' }),
    expiresInHours: t.int({
      description: `For how long it holds: 1 to ${HOURS_MAX}; left out: ${HOURS_DEFAULT}, a week.`,
      validate: whole(1, HOURS_MAX).nullish(),
    }),
    maxUses: t.int({
      description: `How many may come by it: 1 to ${USES_MAX}; left out: as many as do.`,
      validate: whole(1, USES_MAX).nullish(),
    }),
  }),
});

const JoinWithInviteInput = builder.inputType('JoinWithInviteInput', {
  description: 'What lets the viewer in.',
  fields: (t) => ({
    code: t.string({
      required: true,
      description: 'As `createInvite` answered it.',
      validate: z.string().max(CODE_MAX, { error: `At most ${CODE_MAX} characters.` }),
    }),
  }),
});

const RevokeInviteInput = builder.inputType('RevokeInviteInput', {
  description: 'An invite that shall let in nobody any more.',
  fields: (t) => ({ inviteId: t.id({ required: true, description: 'Its id, not its code.' }) }),
});

const CreateInvitePayload = builder
  .objectRef<{ readonly invite: Invite; readonly code: string }>('CreateInvitePayload')
  .implement({
    description: 'What `createInvite` answers.',
    fields: (t) => ({
      invite: t.expose('invite', { type: InviteRef, description: 'The new invite.' }),
      code: t.exposeString('code', {
        description: 'Whoever has it comes in: a secret. It is told this once, and stored nowhere.',
      }),
    }),
  });

const JoinWithInvitePayload = builder
  .objectRef<{ readonly membership: MembershipView }>('JoinWithInvitePayload')
  .implement({
    description: 'What `joinWithInvite` answers.',
    fields: (t) => ({
      membership: t.expose('membership', { type: MembershipRef, description: 'The new membership.' }),
    }),
  });

const RevokeInvitePayload = builder
  .objectRef<{ readonly room: RoomView; readonly deletedInviteId: string }>('RevokeInvitePayload')
  .implement({
    description: 'What `revokeInvite` answers.',
    fields: (t) => ({
      room: t.expose('room', { type: RoomRef, description: 'The room.' }),
      deletedInviteId: t.exposeID('deletedInviteId', { description: 'The invite that is no more.' }),
    }),
  });

builder.mutationFields((t) => ({
  createInvite: t.field({
    type: CreateInvitePayload,
    description: 'Makes an invite into a room; for its owners and moderators.',
    args: { input: t.arg({ type: CreateInviteInput, required: true, description: 'Where to.' }) },
    resolve: async (_root, { input }, context) => {
      const viewer = requireViewer(context);
      await context.services.limits.charge('invites', viewer);
      return context.services.rooms.createInvite({
        by: viewer,
        room: roomIdOf(input.roomId),
        seconds: (input.expiresInHours ?? HOURS_DEFAULT) * 3_600,
        maxUses: input.maxUses ?? null,
      });
    },
  }),
  joinWithInvite: t.field({
    type: JoinWithInvitePayload,
    description:
      'Joins a room by a code. `NOT_FOUND` for one that is wrong, has expired, is used up or revoked: the same answer. `ALREADY_MEMBER`, `ROOM_FULL`; who does not get in uses nothing up.',
    args: { input: t.arg({ type: JoinWithInviteInput, required: true, description: 'The code.' }) },
    resolve: async (_root, { input }, context) => {
      const viewer = requireViewer(context);
      await context.services.limits.charge('joins', viewer);
      return { membership: ownView(await context.services.rooms.joinWithInvite(viewer, input.code)) };
    },
  }),
  revokeInvite: t.field({
    type: RevokeInvitePayload,
    description: "Ends an invite; for the room's owners and moderators. Who has come by it stays.",
    args: { input: t.arg({ type: RevokeInviteInput, required: true, description: 'Which.' }) },
    resolve: async (_root, { input }, context) => {
      const viewer = requireViewer(context);
      await context.services.limits.charge('moderation', viewer);
      const key = parseInviteId(idOf('Invite', input.inviteId) ?? '');
      if (key === undefined) throw notFound();
      const room = await context.services.rooms.revokeInvite(viewer, key.room, key.invite);
      return { room, deletedInviteId: input.inviteId };
    },
  }),
}));
