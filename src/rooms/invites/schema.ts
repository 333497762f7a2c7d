import { z } from 'zod';
import { notFound } from '../../core/errors.ts';
import { toDate } from '../../core/timestamps.ts';
import { isId, keys } from '../../dynamo/keys.ts';
import { builder } from '../../graphql/builder.ts';
import { forwardArgs, POSITIONS, pagedList, pageTypes } from '../../graphql/connections.ts';
import { requireViewer } from '../../graphql/context.ts';
import { idOf } from '../../graphql/ids.ts';
import { mutation } from '../../graphql/mutation.ts';
import { nodeLoader } from '../../graphql/nodes.ts';
import { wholeNumber } from '../../graphql/validation.ts';
import { loadUserOrThrow, UserRef } from '../../users/types.ts';
import { MAX_ROOMS } from '../../users/user.ts';
import { accessTo, memberAccess } from '../access.ts';
import { enteredPayload } from '../membership/enteredPayload.ts';
import { WAITS_MAX } from '../membership/waitlist.ts';
import { assertCan, can } from '../policy.ts';
import { loadRoomOrThrow, RoomRef, roomIdOf } from '../types.ts';
import { type Invite, inviteOf, inviteOfCode, LIFETIME_MAX_S } from './invite.ts';

const HOURS_DEFAULT = 7 * 24;
const HOURS_MAX = LIFETIME_MAX_S / 3_600;
const USES_MAX = 10_000;
/** Every code is shorter. */
const CODE_MAX = 100;

const InviteRef = builder.objectRef<Invite>('Invite');

builder.node(InviteRef, {
  description:
    "An invite to a room: every user with its code may join. Only the room's owners and moderators can see it.",
  id: { resolve: ({ room, id }) => `${room}:${id}` },
  fields: (t) => ({
    room: t.field({
      type: RoomRef,
      description: 'The room that users join with the invite.',
      resolve: ({ room }, _args, context) => loadRoomOrThrow(room, context),
    }),
    createdBy: t.field({
      type: UserRef,
      description:
        'The user who created the invite. It ends for good when they are banned or demoted, or leave a room that is not public.',
      resolve: ({ by }, _args, { items }) => loadUserOrThrow(by, items),
    }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'When the invite was created.',
      resolve: ({ createdAt }) => toDate(createdAt),
    }),
    expiresAt: t.field({
      type: 'DateTime',
      description: 'When the invite expires.',
      resolve: ({ expiresAt }) => new Date(expiresAt * 1_000),
    }),
    maxUses: t.exposeInt('maxUses', {
      nullable: true,
      description: 'The most users who may join with the invite; null if there is no limit.',
    }),
    uses: t.exposeInt('uses', { description: 'The number of users who joined with the invite.' }),
  }),
});

/** The two parts of an invite's id; undefined if it is malformed. */
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

const InvitePages = pageTypes(InviteRef, 'Invite', {
  edge: 'An invite in a page, with its cursor.',
  page: 'A page of invites.',
});
const roomInvites = pagedList({
  cursors: (room: string) => ({ list: `invites:${room}`, position: POSITIONS.id }),
  position: ({ id }: Invite) => id,
});

builder.objectField(RoomRef, 'invites', (t) =>
  t.field({
    type: InvitePages.connection,
    description:
      'The invites of the room; for its owners and moderators (`FORBIDDEN` otherwise). Invites that have ended with their creator are not in it. Expired ones may remain for some days.',
    args: forwardArgs,
    resolve: async ({ id }, args, context) => {
      const { room, membership } = await memberAccess(id, requireViewer(context), context.items);
      assertCan('invite', room, membership);
      return roomInvites.page(id, args, (request) => context.services.rooms.invites(room, request));
    },
  }),
);

mutation('createInvite', {
  description: 'Creates an invite to a room; for owners and moderators.',
  limit: 'invites',
  input: (t) => ({
    roomId: t.id({ required: true, description: 'A room that the viewer is in.' }),
    expiresInHours: t.int({
      description: `The lifetime of the invite in hours: 1 to ${HOURS_MAX}. The default is ${HOURS_DEFAULT}, which is a week.`,
      validate: wholeNumber(1, HOURS_MAX).nullish(),
    }),
    maxUses: t.int({
      description: `The most users who may join with the invite: 1 to ${USES_MAX}. Without it there is no limit.`,
      validate: wholeNumber(1, USES_MAX).nullish(),
    }),
  }),
  resolve: (viewer, { roomId, expiresInHours, maxUses }, { services }) =>
    services.rooms.createInvite({
      by: viewer,
      room: roomIdOf(roomId),
      seconds: (expiresInHours ?? HOURS_DEFAULT) * 3_600,
      maxUses: maxUses ?? null,
    }),
  payload: (t) => ({
    invite: t.expose('invite', { type: InviteRef, description: 'The new invite.' }),
    inviteEdge: t.field({
      type: InvitePages.edge,
      description: 'The invite in `Room.invites`.',
      resolve: ({ invite }) => roomInvites.edge(invite.room, invite),
    }),
    code: t.exposeString('code', {
      description: 'The secret code that lets users join. It is not stored and is returned only this once.',
    }),
  }),
});

mutation('joinWithInvite', {
  description: `Joins a room with the code of an invite. If every seat is taken, it fails with \`ROOM_FULL\`, or, with \`waitlist\`, adds the viewer to the waitlist, as \`joinRoom\` does: that counts as a use, and the place stays if the invite ends. From the waitlist the viewer sees of a private room what everyone sees of a public one. \`NOT_FOUND\` if the code is wrong or the invite expired, was used up or was revoked, or its creator was banned, was demoted or left the room (a public room may be left); the error does not say which. \`ALREADY_MEMBER\` if the viewer is in the room, \`CONFLICT\` if the viewer is in ${MAX_ROOMS} rooms or on ${WAITS_MAX} waitlists. A banned viewer gets \`FORBIDDEN\` for a public room and \`NOT_FOUND\` for any other. A failed call does not count as a use.`,
  limit: 'joins',
  input: (t) => ({
    code: t.string({
      required: true,
      description: `The code that \`createInvite\` returned: at most ${CODE_MAX} characters.`,
      validate: z.string().max(CODE_MAX),
    }),
    waitlist: t.boolean({
      description: 'Whether to wait for a seat if the room is full. The default is false.',
    }),
  }),
  resolve: async (viewer, { code, waitlist }, { services }) => {
    const { joinWithInvite, joinWithInviteOrWait } = services.rooms;
    const enter = waitlist === true ? joinWithInviteOrWait : joinWithInvite;
    const membership = await enter(viewer, code);
    return { room: inviteOfCode(code)?.room ?? '', membership };
  },
  payload: enteredPayload,
});

mutation('revokeInvite', {
  description:
    'Revokes an invite; for owners and moderators. Users who joined with it stay in the room. `NOT_FOUND` if there is no such invite.',
  limit: 'moderation',
  input: (t) => ({
    inviteId: t.id({ required: true, description: 'The id of the invite, which is not its code.' }),
  }),
  resolve: async (viewer, { inviteId }, { services }) => {
    const key = parseInviteId(idOf('Invite', inviteId) ?? '');
    if (key === undefined) throw notFound();
    const room = await services.rooms.revokeInvite(viewer, key.room, key.invite);
    return { room, deletedInviteId: inviteId };
  },
  payload: (t) => ({
    room: t.expose('room', { type: RoomRef, description: 'The room of the invite.' }),
    deletedInviteId: t.exposeID('deletedInviteId', {
      description: 'The id of the invite that was revoked.',
    }),
  }),
});
