/** The waitlists that the viewer is on. */
import { toDate } from '../../core/timestamps.ts';
import { keys } from '../../dynamo/keys.ts';
import { builder } from '../../graphql/builder.ts';
import { type Connection, type Edge, forwardArgs, POSITIONS, pagedList } from '../../graphql/connections.ts';
import { type Context, requireViewer } from '../../graphql/context.ts';
import { ViewerRef } from '../../users/types.ts';
import { accessTo } from '../access.ts';
import { RoomRef, type RoomView } from '../types.ts';
import { WAITS_MAX, type WaitlistEntry, waitlistEntryOf, waitOrder } from './waitlist.ts';

/** A room whose waitlist the viewer is on, and their place. */
interface Waited {
  readonly room: RoomView;
  readonly entry: WaitlistEntry;
}

export const WaitlistEdge = builder.objectRef<Edge<Waited>>('WaitlistEdge').implement({
  description: "A room in a page of waitlists, with its cursor and the viewer's place.",
  fields: (t) => ({
    cursor: t.exposeString('cursor', { description: 'The place in the list.' }),
    node: t.field({
      type: RoomRef,
      description: 'The room whose waitlist the viewer is on.',
      resolve: ({ node }) => node.room,
    }),
    position: t.int({
      description: "The viewer's position on the waitlist, where 1 is the first.",
      resolve: ({ node }, _args, { services }) => services.rooms.positionInLine(node.entry),
    }),
    since: t.field({
      type: 'DateTime',
      description: 'When the viewer began to wait.',
      resolve: ({ node }) => toDate(node.entry.waitingSince),
    }),
  }),
});

const WaitlistConnection = builder.objectRef<Connection<Waited>>('WaitlistConnection').implement({
  description: 'A page of waitlists.',
  fields: (t) => ({
    edges: t.field({
      type: [WaitlistEdge],
      description: 'The rooms, each with the place.',
      resolve: ({ edges }) => [...edges],
    }),
    pageInfo: t.field({
      type: builder.pageInfoRef(),
      description: 'The cursors of the page, and whether there are more.',
      resolve: ({ pageInfo }) => pageInfo,
    }),
  }),
});

const waitlists = pagedList({
  cursors: (viewer: string) => ({ list: `waitlists:${viewer}`, position: POSITIONS.timestampAndId }),
  position: ({ entry }: Waited) => waitOrder(entry),
});

/** The viewer's place in a room's waitlist; null if they are not on it. One round trip. */
export async function waitlistEdge(room: string, context: Context): Promise<Edge<Waited> | null> {
  const viewer = requireViewer(context);
  const [item, access] = await Promise.all([
    context.items.load(keys.waiting(viewer, room)),
    accessTo(room, viewer, context.items),
  ]);
  if (item === undefined || access === null) return null;
  return waitlists.edge(viewer, { room: access.room, entry: waitlistEntryOf(viewer, room, item) });
}

builder.objectField(ViewerRef, 'waitlists', (t) =>
  t.field({
    type: WaitlistConnection,
    description: `The rooms whose waitlist the viewer is on, the longest wait first: at most ${WAITS_MAX}. \`leaveRoom\` takes them off.`,
    args: forwardArgs,
    resolve: ({ id: viewer }, args, { services, items }) =>
      waitlists.page(viewer, args, async ({ limit, from = '' }) => {
        const entries = (await services.rooms.waitlistsOf(viewer)).filter((entry) => waitOrder(entry) > from);
        const read = entries.slice(0, limit);
        const found = await Promise.all(
          read.map(async (entry): Promise<Waited[]> => {
            const access = await accessTo(entry.room, viewer, items);
            return access === null ? [] : [{ room: access.room, entry }];
          }),
        );
        const last = read.at(-1);
        return { nodes: found.flat(), more: entries.length > limit, end: last && waitOrder(last) };
      }),
  }),
);
