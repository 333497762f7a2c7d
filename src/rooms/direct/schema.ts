import { z } from 'zod';
import { builder } from '../../graphql/builder.ts';
import { mutation } from '../../graphql/mutation.ts';
import { loadUserOrThrow, requireUserId, UserRef } from '../../users/types.ts';
import { MAX_ROOMS } from '../../users/user.ts';
import { NOT_ACCEPTED } from '../membership/consent.ts';
import { enteredEdge, MembershipPages, RoomRef } from '../types.ts';
import { DIRECT_MAX } from './direct.ts';

builder.objectField(RoomRef, 'people', (t) =>
  t.field({
    type: [UserRef],
    nullable: true,
    description: `The participants of a direct room: at most ${DIRECT_MAX}, including the viewer and those who left. Null for other rooms, which have \`members\`.`,
    extensions: { maxItems: DIRECT_MAX },
    resolve: ({ people }, _args, { items }) =>
      people === undefined ? null : Promise.all(people.map((user) => loadUserOrThrow(user, items))),
  }),
);

mutation('openDirectRoom', {
  description: `Opens the direct room of a set of users, and creates it if there is none. It is the same room for each of them. Participants who left it become members again. \`NOT_FOUND\` if a user does not exist, \`CONFLICT\` if one of them is in ${MAX_ROOMS} rooms. ${NOT_ACCEPTED}`,
  limit: 'rooms',
  input: (t) => ({
    userIds: t.idList({
      required: true,
      description: `The participants: 1 to ${DIRECT_MAX} users including the viewer, who need not be named. A room for the viewer alone is for notes.`,
      validate: z.array(z.string()).min(1).max(DIRECT_MAX),
    }),
  }),
  resolve: async (viewer, { userIds }, { services }) => ({
    room: await services.rooms.openDirect(viewer, userIds.map(requireUserId)),
  }),
  payload: (t) => ({
    room: t.expose('room', { type: RoomRef, description: 'The direct room of these users.' }),
    membershipEdge: t.field({
      type: MembershipPages.edge,
      description:
        "The viewer's membership in `Viewer.memberships(orderBy: JOINED)`. It is the first there, unless the viewer was in the room already.",
      resolve: ({ room }, _args, context) => enteredEdge(room.id, context),
    }),
  }),
});
