/** The lists of rooms and members: the directory, and a room's members. */
import { directory, keys } from '../dynamo/keys.ts';
import { builder } from '../graphql/builder.ts';
import { type Edge, forwardArgs, POSITIONS, pagedList, pageTypes } from '../graphql/connections.ts';
import { requireViewer } from '../graphql/context.ts';
import { FOUND_MAX, type Found, foundPosition, handlePrefix, matchCodec } from '../users/handleSearch.ts';
import { prefixArg } from '../users/types.ts';
import { memberAccess } from './access.ts';
import { memberOf, roomOf, seatsOf } from './room.ts';
import { MembershipPages, type MembershipView, RoomRef, type RoomView, roomMembers } from './types.ts';

export const RoomPages = pageTypes(RoomRef, 'Room', {
  edge: 'A room in a page, with its cursor.',
  page: 'A page of rooms.',
});
const publicRooms = pagedList({
  cursors: () => ({ list: 'rooms', position: POSITIONS.timestampAndId }),
  position: ({ createdAt, id }: RoomView) => directory.sk(createdAt, id),
});

/** The room in the directory. Null if it is not public. */
export const directoryEdge = (room: RoomView): Edge<RoomView> | null =>
  room.visibility === 'PUBLIC' ? publicRooms.edge(undefined, room) : null;

builder.queryField('rooms', (t) =>
  t.field({
    type: RoomPages.connection,
    description: 'The directory of public rooms, newest first.',
    args: forwardArgs,
    resolve: (_root, args, { services, items }) =>
      publicRooms.page(undefined, args, async (request) => {
        const { nodes: sortKeys, more } = await services.roomQueries.directoryPage(request);
        // The index lags: it only names the rooms. What they show, and that they are public, comes from the table.
        const rooms = await Promise.all(
          sortKeys.map(async (cursor): Promise<RoomView[]> => {
            const id = directory.room(cursor);
            const [item, seats] = await items.loadMany([keys.room(id), keys.seats(id)]);
            if (item === undefined || seats === undefined) return [];
            const room = { ...roomOf(id, item), seats: seatsOf(seats) };
            return room.visibility === 'PUBLIC' ? [room] : [];
          }),
        );
        return { nodes: rooms.flat(), more, end: sortKeys.at(-1) };
      }),
  }),
);

builder.objectField(RoomRef, 'members', (t) =>
  t.field({
    type: MembershipPages.connection,
    description: 'The memberships of the room, by user id; for members only (`FORBIDDEN` otherwise).',
    args: forwardArgs,
    resolve: async ({ id }, args, context) => {
      const viewer = requireViewer(context);
      const { membership } = await memberAccess(id, viewer, context.items);
      return roomMembers.page(id, args, async (request) => {
        const { nodes, more } = await context.services.roomQueries.members(id, request);
        const own = (user: string) => (user === viewer ? membership : null);
        return { nodes: nodes.map((member) => ({ ...member, own: own(member.user) })), more };
      });
    },
  }),
);

const foundMembers = pagedList({
  cursors: ({ room, prefix }: { readonly room: string; readonly prefix: string }) =>
    matchCodec(`searchMembers:${room}`, prefix),
  position: (member: MembershipView & Found) => foundPosition(member),
});

builder.objectField(RoomRef, 'searchMembers', (t) =>
  t.field({
    type: MembershipPages.connection,
    description: `The members whose handle begins with a text, by handle: at most ${FOUND_MAX} in all; for members only (\`FORBIDDEN\` otherwise). Members without a handle are not found.`,
    args: { ...prefixArg, ...forwardArgs },
    resolve: ({ id }, { prefix: text, ...args }, context) => {
      const viewer = requireViewer(context);
      const prefix = handlePrefix(text);
      return foundMembers.page({ room: id, prefix }, args, async (request) => {
        const { items, services } = context;
        const { membership } = await memberAccess(id, viewer, items);
        const { matches, ...page } = await services.roomQueries.findMembers(id, prefix, request);
        // The index lags: the member and the profile say who is in the room, and under which handle.
        const found = await Promise.all(
          matches.map(async (match) => {
            const { user } = match;
            const [member, profile] = await items.loadMany([keys.member(id, user), keys.user(user)]);
            if (member === undefined || profile?.handle !== match.handle) return [];
            const own = user === viewer ? membership : null;
            return [{ ...memberOf(id, user, member), own, match }];
          }),
        );
        return { ...page, nodes: found.flat() };
      });
    },
  }),
);
