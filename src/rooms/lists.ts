/** The lists of rooms and members: the directory, and a room's members. */
import { directory, keys } from '../dynamo/keys.ts';
import { builder } from '../graphql/builder.ts';
import { connection, forwardArgs, POSITIONS, parsePageArgs } from '../graphql/connections.ts';
import { requireViewer } from '../graphql/context.ts';
import {
  FOUND_MAX,
  type HandleMatch,
  handlePrefix,
  matchCodec,
  matchPosition,
} from '../users/handleSearch.ts';
import { prefixArg } from '../users/types.ts';
import { memberAccess } from './access.ts';
import { memberOf, roomOf, seatsOf } from './room.ts';
import { MembershipConnection, type MembershipView, membersCodec, RoomRef, type RoomView } from './types.ts';

const RoomConnection = builder.connectionObject(
  { type: RoomRef, name: 'RoomConnection', description: 'A page of rooms.' },
  { name: 'RoomEdge', description: 'A room in a page, with its cursor.' },
);
builder.queryField('rooms', (t) =>
  t.field({
    type: RoomConnection,
    description: 'The directory of public rooms, newest first.',
    args: forwardArgs,
    resolve: async (_root, args, { services, items }) => {
      const codec = { list: 'rooms', position: POSITIONS.timestampAndId };
      const request = parsePageArgs(args, codec);
      const { nodes: sortKeys, more } = await services.roomQueries.directoryPage(request);
      // The index lags: it only names the rooms. What they show, and that they are public, comes from the table.
      const rooms = await Promise.all(
        sortKeys.map(async (cursor): Promise<Array<RoomView & { readonly cursor: string }>> => {
          const id = directory.room(cursor);
          const [item, seats] = await items.loadMany([keys.room(id), keys.seats(id)]);
          if (item === undefined || seats === undefined) return [];
          const room = { ...roomOf(id, item), seats: seatsOf(seats), cursor };
          return room.visibility === 'PUBLIC' ? [room] : [];
        }),
      );
      const page = { nodes: rooms.flat(), more, end: sortKeys.at(-1) };
      return connection(page, request, { codec, position: ({ cursor }) => cursor });
    },
  }),
);

builder.objectField(RoomRef, 'members', (t) =>
  t.field({
    type: MembershipConnection,
    description: 'The memberships of the room, by user id; for members only (`FORBIDDEN` otherwise).',
    args: forwardArgs,
    resolve: async ({ id }, args, context) => {
      const viewer = requireViewer(context);
      const { membership } = await memberAccess(id, viewer, context.items);
      const codec = membersCodec(id);
      const request = parsePageArgs(args, codec);
      const { nodes, more } = await context.services.roomQueries.members(id, request);
      const views = nodes.map(
        (member): MembershipView => ({ ...member, own: member.user === viewer ? membership : null }),
      );
      return connection({ nodes: views, more }, request, { codec, position: ({ user }) => user });
    },
  }),
);

builder.objectField(RoomRef, 'searchMembers', (t) =>
  t.field({
    type: MembershipConnection,
    description: `The members whose handle begins with a text, by handle: at most ${FOUND_MAX} in all; for members only (\`FORBIDDEN\` otherwise). Members without a handle are not found.`,
    args: { ...prefixArg, ...forwardArgs },
    resolve: async ({ id }, { prefix: text, ...args }, context) => {
      const viewer = requireViewer(context);
      const prefix = handlePrefix(text);
      const codec = matchCodec(`searchMembers:${id}`, prefix);
      const request = parsePageArgs(args, codec);
      const { items, services } = context;
      const { membership } = await memberAccess(id, viewer, items);
      const { matches, more } = await services.roomQueries.findMembers(id, prefix, request);
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
      const position = ({ match }: { readonly match: HandleMatch }) => matchPosition(match);
      const last = matches.at(-1);
      const end = last && matchPosition(last);
      return connection({ nodes: found.flat(), more, end }, request, { codec, position });
    },
  }),
);
