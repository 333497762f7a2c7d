import { z } from 'zod';
import { builder } from '../../graphql/builder.ts';
import { requireViewer } from '../../graphql/context.ts';
import { loadUserOrThrow, personIdOf, UserRef } from '../../users/types.ts';
import { RoomRef, type RoomView } from '../types.ts';
import { DIRECT_MAX } from './direct.ts';

const OpenDirectRoomInput = builder.inputType('OpenDirectRoomInput', {
  description: 'Whom to talk to.',
  fields: (t) => ({
    userIds: t.idList({
      required: true,
      description: `1 to ${DIRECT_MAX} people, the viewer counted whether or not they are named; only oneself is for notes.`,
      validate: z
        .array(z.string())
        .min(1, { error: 'At least 1.' })
        .max(DIRECT_MAX, { error: `At most ${DIRECT_MAX}.` }),
    }),
  }),
});

const OpenDirectRoomPayload = builder
  .objectRef<{ readonly room: RoomView }>('OpenDirectRoomPayload')
  .implement({
    description: 'What `openDirectRoom` answers.',
    fields: (t) => ({ room: t.expose('room', { type: RoomRef, description: 'The room of these people.' }) }),
  });

builder.objectField(RoomRef, 'people', (t) =>
  t.field({
    type: [UserRef],
    nullable: true,
    description: `Whose a direct room is, the viewer among them, whether or not all of them are in it just now: at most ${DIRECT_MAX}. Null of another room: it has \`members\`.`,
    extensions: { most: DIRECT_MAX },
    resolve: ({ people }, _args, { items }) =>
      people === undefined ? null : Promise.all(people.map((user) => loadUserOrThrow(user, items))),
  }),
);

builder.mutationField('openDirectRoom', (t) =>
  t.field({
    type: OpenDirectRoomPayload,
    description:
      'The room of certain people, the same whoever opens it; who has left it is in it again. `CONFLICT` where one of them is in 1,000 rooms.',
    args: { input: t.arg({ type: OpenDirectRoomInput, required: true, description: 'Whose.' }) },
    resolve: async (_root, { input }, context) => {
      const viewer = requireViewer(context);
      await context.services.limits.charge('rooms', viewer);
      const others = input.userIds.map(personIdOf);
      return { room: await context.services.rooms.openDirect(viewer, others) };
    },
  }),
);
