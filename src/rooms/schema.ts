import { defined } from '../core/defined.ts';
import './direct/schema.ts';
import './invites/schema.ts';
import { directoryEdge, RoomPages } from './lists.ts';
import './membership/lists.ts';
import './membership/schema.ts';
import { z } from 'zod';
import { badUserInput, notFound } from '../core/errors.ts';
import { builder } from '../graphql/builder.ts';
import { requireViewer } from '../graphql/context.ts';
import { encodeId, idOf } from '../graphql/ids.ts';
import { mutation } from '../graphql/mutation.ts';
import { MAX_ROOMS } from '../users/user.ts';
import { accessTo } from './access.ts';
import { CAPACITY_MAX, capacityField, NAME_MAX, nameField, TOPIC_MAX, topicField } from './input.ts';
import { enteredPayload } from './membership/enteredPayload.ts';
import { WAITLIST_MAX } from './membership/seats.ts';
import { WAITS_MAX } from './membership/waitlist.ts';
import type { RoomQueries } from './roomQueries.ts';
import type { Rooms } from './rooms.ts';
import {
  enteredEdge,
  MEMBERSHIP_EDGE,
  MembershipPages,
  RoomRef,
  RoomVisibilityRef,
  roomIdOf,
} from './types.ts';

declare module '../graphql/context.ts' {
  interface Services {
    readonly rooms: Rooms;
    readonly roomQueries: RoomQueries;
  }
}

builder.queryFields((t) => ({
  room: t.field({
    type: RoomRef,
    nullable: true,
    description:
      'A room by its id; null without an error if it does not exist or is not visible to the viewer.',
    args: { id: t.arg.id({ required: true, description: 'The id of the room.' }) },
    resolve: async (_root, { id }, context) => {
      const room = idOf('Room', id);
      return room === undefined
        ? null
        : ((await accessTo(room, requireViewer(context), context.items))?.room ?? null);
    },
  }),
}));

/** A blank topic is stored as no topic. */
const topicOf = (topic: string | null | undefined): string | null => (topic ? topic : null);

mutation('createRoom', {
  description: `Creates a room, with the viewer as its owner. \`CONFLICT\` if the viewer is in ${MAX_ROOMS} rooms.`,
  limit: 'rooms',
  input: (t) => ({
    name: t.string({
      required: true,
      description: `The name of the room: 1 to ${NAME_MAX} characters on one line. Outer white space is removed.`,
      validate: nameField,
    }),
    topic: t.string({
      description: `What the room is about: at most ${TOPIC_MAX} characters on one line. Outer white space is removed.`,
      validate: topicField.nullish(),
    }),
    visibility: t.field({
      type: RoomVisibilityRef,
      required: true,
      description: 'PUBLIC or PRIVATE. Use `openDirectRoom` for a direct room.',
      validate: z.enum(['PUBLIC', 'PRIVATE'], { error: 'must be PUBLIC or PRIVATE.' }),
    }),
    capacity: t.int({
      description: `The most members that the room may have, including the owner: 1 to ${CAPACITY_MAX}. Without it there is no limit.`,
      validate: capacityField.nullish(),
    }),
  }),
  resolve: async (viewer, { name, topic, visibility, capacity }, { services }) => {
    if (visibility === 'DIRECT') throw notFound();
    const room = await services.rooms.create(viewer, {
      name,
      topic: topicOf(topic),
      visibility,
      capacity: capacity ?? null,
    });
    return { room };
  },
  payload: (t) => ({
    room: t.expose('room', { type: RoomRef, description: 'The new room.' }),
    roomEdge: t.field({
      type: RoomPages.edge,
      nullable: true,
      description: 'The room in `Query.rooms`; null if it is not public.',
      resolve: ({ room }) => directoryEdge(room),
    }),
    membershipEdge: t.field({
      type: MembershipPages.edge,
      description: MEMBERSHIP_EDGE,
      resolve: ({ room }, _args, context) => enteredEdge(room.id, context),
    }),
  }),
});

mutation('updateRoom', {
  description:
    'Changes the name and the topic of a room (owners and moderators) or its capacity (owners only). `CONFLICT` if the new capacity is below the number of members.',
  limit: 'moderation',
  inputDescription:
    'The arguments of `updateRoom`. An omitted field keeps its value; null removes the value.',
  input: (t) => ({
    roomId: t.id({ required: true, description: 'A room that the viewer is in.' }),
    name: t.string({
      description: `The new name: 1 to ${NAME_MAX} characters on one line. Outer white space is removed. It cannot be removed: null is refused with \`BAD_USER_INPUT\`.`,
      validate: nameField.optional(),
    }),
    topic: t.string({
      description: `The new topic: at most ${TOPIC_MAX} characters on one line. Outer white space is removed. Null and blank text remove it.`,
      validate: topicField.nullish(),
    }),
    capacity: t.int({
      description: `The most members that the room may have: 1 to ${CAPACITY_MAX}, and not below the current number of members. Null removes the limit.`,
      validate: capacityField.nullish(),
    }),
  }),
  resolve: async (viewer, { roomId, name, topic, capacity }, { services }) => {
    if (name === null) throw badUserInput('input.name', '`input.name` must not be null.');
    const changes = defined({ name, topic: topic === undefined ? undefined : topicOf(topic), capacity });
    const room = await services.rooms.update(viewer, roomIdOf(roomId), changes);
    return { room };
  },
  payload: (t) => ({ room: t.expose('room', { type: RoomRef, description: 'The changed room.' }) }),
});

mutation('joinRoom', {
  description: `Joins a public room. If every seat is taken, it fails with \`ROOM_FULL\`, or, with \`waitlist\`, adds the viewer to the waitlist: the first on it gets the next free seat, and the room appears in their \`unread\` subscription. A waitlist has at most ${WAITLIST_MAX} users (\`ROOM_FULL\` otherwise). \`ALREADY_MEMBER\` if the viewer is in the room, \`FORBIDDEN\` if they are banned or wait for a seat of a private room, \`CONFLICT\` if they are in ${MAX_ROOMS} rooms or on ${WAITS_MAX} waitlists.`,
  limit: 'joins',
  input: (t) => ({
    roomId: t.id({ required: true, description: 'A public room.' }),
    waitlist: t.boolean({
      description: 'Whether to wait for a seat if the room is full. The default is false.',
    }),
  }),
  resolve: async (viewer, { roomId, waitlist }, { services }) => {
    const { join, joinOrWait } = services.rooms;
    const room = roomIdOf(roomId);
    const enter = waitlist === true ? joinOrWait : join;
    const membership = await enter(viewer, room);
    return { room, membership };
  },
  payload: enteredPayload,
});

mutation('leaveRoom', {
  description:
    'Leaves a room, or its waitlist. `CONFLICT` if the viewer is the last owner and there are other members.',
  limit: 'leaving',
  input: (t) => ({
    roomId: t.id({
      required: true,
      description: 'A room that the viewer is in, or on whose waitlist they are.',
    }),
  }),
  resolve: async (viewer, { roomId }, { services }) => {
    const id = roomIdOf(roomId);
    const { room } = await services.rooms.leave(viewer, id);
    return { room, deletedMembershipId: encodeId('Membership', `${id}:${viewer}`) };
  },
  payload: (t) => ({
    room: t.field({
      type: RoomRef,
      nullable: true,
      description: 'The room that was left, as non-members see it; null if it is not public.',
      resolve: ({ room }) => room,
    }),
    deletedMembershipId: t.exposeID('deletedMembershipId', {
      description:
        'The id of the membership that was deleted, or, for a user on the waitlist, the id it would have had.',
    }),
  }),
});
