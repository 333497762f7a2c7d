import './direct/schema.ts';
import './invites/schema.ts';
import './membership/schema.ts';
import { z } from 'zod';
import { badUserInput, notFound } from '../core/errors.ts';
import { directory, keys } from '../dynamo/keys.ts';
import { builder } from '../graphql/builder.ts';
import { connection, pageWanted } from '../graphql/connections.ts';
import { requireViewer } from '../graphql/context.ts';
import { encodeId, idOf } from '../graphql/ids.ts';
import { forwardArgs } from '../graphql/pageArgs.ts';
import { text } from '../graphql/validation.ts';
import { accessTo } from './access.ts';
import { roomOf, seatsOf } from './room.ts';
import type { RoomQueries } from './roomQueries.ts';
import type { Rooms } from './rooms.ts';
import {
  loadRoomOrThrow,
  MembershipRef,
  type MembershipView,
  ownView,
  RoomConnection,
  RoomRef,
  type RoomView,
  RoomVisibilityRef,
  roomIdOf,
} from './types.ts';

declare module '../graphql/context.ts' {
  interface Services {
    readonly rooms: Rooms;
    readonly roomQueries: RoomQueries;
  }
}

const NAME_MAX = 80;
const TOPIC_MAX = 250;
const CAPACITY_MAX = 1_000_000;

builder.queryFields((t) => ({
  room: t.field({
    type: RoomRef,
    nullable: true,
    description: 'A room by its id. Null, without an error, where there is none for the viewer.',
    args: { id: t.arg.id({ required: true, description: "The room's id." }) },
    resolve: async (_root, { id }, context) => {
      const room = idOf('Room', id);
      return room === undefined
        ? null
        : ((await accessTo(room, requireViewer(context), context.items))?.room ?? null);
    },
  }),
  rooms: t.field({
    type: RoomConnection,
    description: 'The directory: the public rooms, newest first.',
    args: forwardArgs,
    resolve: async (_root, args, { services, items }) => {
      const codec = { list: 'rooms', position: /^\d{16}#[0-9a-z]{1,64}$/ };
      const wanted = pageWanted(args, codec);
      const { nodes: places, more } = await services.roomQueries.directoryPage(wanted);
      // The index only says which; the rooms themselves come from the table.
      const rooms = await Promise.all(
        places.map(async (place): Promise<Array<RoomView & { readonly place: string }>> => {
          const id = directory.room(place);
          const [item, seats] = await items.loadMany([keys.room(id), keys.seats(id)]);
          if (item === undefined || seats === undefined) return [];
          const room = { ...roomOf(id, item), seats: seatsOf(seats), place };
          return room.visibility === 'PUBLIC' ? [room] : [];
        }),
      );
      return connection({ nodes: rooms.flat(), more }, wanted, { codec, position: ({ place }) => place });
    },
  }),
}));

const nameField = text({ characters: NAME_MAX });
const topicField = text({ characters: TOPIC_MAX, blank: true });
const capacityField = z
  .int()
  .min(1, { error: 'At least 1.' })
  .max(CAPACITY_MAX, { error: `At most ${CAPACITY_MAX}.` });

/** A topic of nothing but blanks is none. */
const topicOf = (topic: string | null | undefined): string | null => (topic?.trim() ? topic : null);

const CreateRoomInput = builder.inputType('CreateRoomInput', {
  description: 'A new room; the viewer becomes its owner.',
  fields: (t) => ({
    name: t.string({
      required: true,
      description: `1 to ${NAME_MAX} characters, on one line.`,
      validate: nameField,
    }),
    topic: t.string({
      description: `What it is about: at most ${TOPIC_MAX} characters, on one line.`,
      validate: topicField.nullish(),
    }),
    visibility: t.field({
      type: RoomVisibilityRef,
      required: true,
      description: 'PUBLIC or PRIVATE; direct rooms come about otherwise.',
      validate: z.enum(['PUBLIC', 'PRIVATE'], { error: 'PUBLIC or PRIVATE.' }),
    }),
    capacity: t.int({
      description: `How many may be in it, you counted: 1 to ${CAPACITY_MAX}; left out: no limit.`,
      validate: capacityField.nullish(),
    }),
  }),
});

const UpdateRoomInput = builder.inputType('UpdateRoomInput', {
  description: 'What is left out stays as it is; null removes.',
  fields: (t) => ({
    roomId: t.id({ required: true, description: 'A room that the viewer is in.' }),
    name: t.string({
      description: `1 to ${NAME_MAX} characters, on one line; cannot be removed.`,
      validate: nameField.nullish(),
    }),
    topic: t.string({
      description: `At most ${TOPIC_MAX} characters, on one line; null or blank: none.`,
      validate: topicField.nullish(),
    }),
    capacity: t.int({
      description: `1 to ${CAPACITY_MAX}, and not under the people who are in it; null: no limit.`,
      validate: capacityField.nullish(),
    }),
  }),
});

const JoinRoomInput = builder.inputType('JoinRoomInput', {
  description: 'Which room to join.',
  fields: (t) => ({
    roomId: t.id({ required: true, description: 'A public room.' }),
    waitlist: t.boolean({
      description: 'Where it is full: whether to wait in line for a seat. Left out: no.',
    }),
  }),
});

const LeaveRoomInput = builder.inputType('LeaveRoomInput', {
  description: 'Which room to leave.',
  fields: (t) => ({
    roomId: t.id({ required: true, description: 'A room that the viewer is in, or waits for a seat of.' }),
  }),
});

const CreateRoomPayload = builder.objectRef<{ readonly room: RoomView }>('CreateRoomPayload').implement({
  description: 'What `createRoom` answers.',
  fields: (t) => ({ room: t.expose('room', { type: RoomRef, description: 'The new room.' }) }),
});

const UpdateRoomPayload = builder.objectRef<{ readonly room: RoomView }>('UpdateRoomPayload').implement({
  description: 'What `updateRoom` answers.',
  fields: (t) => ({ room: t.expose('room', { type: RoomRef, description: 'The room as it is now.' }) }),
});

const JoinRoomPayload = builder
  .objectRef<{ readonly room: string; readonly membership: MembershipView | null }>('JoinRoomPayload')
  .implement({
    description: 'What `joinRoom` answers.',
    fields: (t) => ({
      membership: t.expose('membership', {
        type: MembershipRef,
        nullable: true,
        description: 'The new membership; null: the viewer waits in line.',
      }),
      room: t.field({
        type: RoomRef,
        description: 'The room, with `waitlistPosition`.',
        resolve: ({ room }, _args, context) => loadRoomOrThrow(room, context),
      }),
    }),
  });

const LeaveRoomPayload = builder
  .objectRef<{ readonly room: RoomView | null; readonly deletedMembershipId: string }>('LeaveRoomPayload')
  .implement({
    description: 'What `leaveRoom` answers.',
    fields: (t) => ({
      room: t.expose('room', {
        type: RoomRef,
        nullable: true,
        description: 'The room as an outsider sees it; null where they do not.',
      }),
      deletedMembershipId: t.exposeID('deletedMembershipId', {
        description: 'The membership that is no more, or, of who waited, will not be.',
      }),
    }),
  });

builder.mutationFields((t) => ({
  createRoom: t.field({
    type: CreateRoomPayload,
    description: 'Makes a room. `CONFLICT` for who is in 1,000 rooms already.',
    args: { input: t.arg({ type: CreateRoomInput, required: true, description: 'What it shall be.' }) },
    resolve: async (_root, { input }, context) => {
      const { name, topic, visibility, capacity } = input;
      const viewer = requireViewer(context);
      await context.services.limits.charge('rooms', viewer);
      if (visibility === 'DIRECT') throw notFound();
      const room = await context.services.rooms.create(viewer, {
        name,
        topic: topicOf(topic),
        visibility,
        capacity: capacity ?? null,
      });
      return { room };
    },
  }),
  updateRoom: t.field({
    type: UpdateRoomPayload,
    description:
      'Changes name and topic (owners and moderators) and capacity (owners). `CONFLICT` for a capacity under the people who are in it.',
    args: { input: t.arg({ type: UpdateRoomInput, required: true, description: 'The changes.' }) },
    resolve: async (_root, { input }, context) => {
      const { roomId, name, topic, capacity } = input;
      const viewer = requireViewer(context);
      await context.services.limits.charge('moderation', viewer);
      if (name === null) throw badUserInput('input.name', 'It cannot be removed.');
      const room = await context.services.rooms.update(viewer, roomIdOf(roomId), {
        ...(name === undefined ? {} : { name }),
        ...(topic === undefined ? {} : { topic: topicOf(topic) }),
        ...(capacity === undefined ? {} : { capacity }),
      });
      return { room };
    },
  }),
  joinRoom: t.field({
    type: JoinRoomPayload,
    description:
      'Joins a public room. Where every seat is taken: `ROOM_FULL`, or, with `waitlist`, a place in line, whose first gets the next seat and hears of it in their badge; `ALREADY_MEMBER`, `FORBIDDEN` for who is banned, `CONFLICT` for who is in 1,000 rooms.',
    args: { input: t.arg({ type: JoinRoomInput, required: true, description: 'Which room.' }) },
    resolve: async (_root, { input }, context) => {
      const viewer = requireViewer(context);
      await context.services.limits.charge('joins', viewer);
      const { join, joinOrWait } = context.services.rooms;
      const room = roomIdOf(input.roomId);
      const enter = input.waitlist === true ? joinOrWait : join;
      const membership = await enter(viewer, room);
      return { room, membership: membership === null ? null : ownView(membership) };
    },
  }),
  leaveRoom: t.field({
    type: LeaveRoomPayload,
    description:
      'Leaves a room, or the line for a seat of it. `CONFLICT` for the last owner while others are there.',
    args: { input: t.arg({ type: LeaveRoomInput, required: true, description: 'Which room.' }) },
    resolve: async (_root, { input }, context) => {
      const viewer = requireViewer(context);
      await context.services.limits.charge('leaving', viewer);
      const id = roomIdOf(input.roomId);
      const { room } = await context.services.rooms.leave(viewer, id);
      return { room, deletedMembershipId: encodeId('Membership', `${id}:${viewer}`) };
    },
  }),
}));
