import { builder } from '../graphql/builder.ts';
import { bothWaysArgs, connection, type PageArgs, POSITIONS, parsePageArgs } from '../graphql/connections.ts';
import { type Context, requireViewer } from '../graphql/context.ts';
import { withViewerItems } from '../messages/types.ts';
import { memberAccess } from '../rooms/access.ts';
import { RoomRef } from '../rooms/types.ts';
import type { Threads } from './threads.ts';
import { repliesArg, shownReplies, ThreadConnection } from './types.ts';

declare module '../graphql/context.ts' {
  interface Services {
    readonly threads: Threads;
  }
}

interface ThreadsArgs extends PageArgs {
  readonly replies?: number | null | undefined;
}

async function threadsOf(room: string, { replies, ...args }: ThreadsArgs, context: Context) {
  const { items, services } = context;
  await memberAccess(room, requireViewer(context), items);
  const shown = shownReplies(replies);
  const codec = { list: `threads:${room}`, position: POSITIONS.timestamp };
  const request = parsePageArgs(args, codec, { newest: true });
  const { nodes, more } = await services.messages.roots(room, request);
  const roots = withViewerItems(nodes, context);
  return connection({ nodes: services.threads.page({ roots, shown, items }), more }, request, {
    codec,
    position: ({ root }) => root.ts,
  });
}

builder.objectField(RoomRef, 'threads', (t) =>
  t.field({
    type: ThreadConnection,
    description:
      'The threads of the room in the order of their roots, with their newest replies and stamps; for members only (`FORBIDDEN` otherwise). Without arguments it is the newest page. The number of round trips to the database does not depend on the number of threads.',
    args: { ...bothWaysArgs, ...repliesArg },
    resolve: ({ id }, args, context) => threadsOf(id, args, context),
  }),
);
