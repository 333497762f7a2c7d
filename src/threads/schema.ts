import { builder } from '../graphql/builder.ts';
import { bothWaysArgs, type PageArgs, POSITIONS, pagedList } from '../graphql/connections.ts';
import { type Context, requireViewer } from '../graphql/context.ts';
import { isRoot, NEWEST_REPLIES_MAX } from '../messages/message.ts';
import { sendMessage } from '../messages/sendMessage.ts';
import { type MessageView, withViewerItems } from '../messages/types.ts';
import { memberAccess } from '../rooms/access.ts';
import { RoomRef } from '../rooms/types.ts';
import type { Thread, Threads } from './threads.ts';
import { repliesArg, shownReplies, ThreadPages } from './types.ts';

declare module '../graphql/context.ts' {
  interface Services {
    readonly threads: Threads;
  }
}

interface ThreadsArgs extends PageArgs {
  readonly replies?: number | null | undefined;
}

const roomThreads = pagedList({
  cursors: (room: string) => ({ list: `threads:${room}`, position: POSITIONS.timestamp }),
  position: ({ root }: Thread<MessageView>) => root.ts,
  newest: true,
});

async function threadsOf(room: string, { replies, ...args }: ThreadsArgs, context: Context) {
  const { items, services } = context;
  await memberAccess(room, requireViewer(context), items);
  const shown = shownReplies(replies);
  return roomThreads.page(room, args, async (request) => {
    const { nodes, more } = await services.messages.roots(room, request);
    const roots = withViewerItems(nodes, context);
    return { nodes: services.threads.page({ roots, shown, items }), more };
  });
}

builder.objectField(RoomRef, 'threads', (t) =>
  t.field({
    type: ThreadPages.connection,
    description:
      'The threads of the room in the order of their roots, with their newest replies and stamps; for members only (`FORBIDDEN` otherwise). Without arguments it is the newest page. The number of round trips to the database does not depend on the number of threads.',
    args: { ...bothWaysArgs, ...repliesArg },
    resolve: ({ id }, args, context) => threadsOf(id, args, context),
  }),
);

builder.objectField(sendMessage.payloadType, 'threadEdge', (t) =>
  t.field({
    type: ThreadPages.edge,
    nullable: true,
    description: 'The thread that the message begins, in `Room.threads`; null for a reply.',
    resolve: ({ message }, _args, context) => {
      if (!isRoot(message)) return null;
      const roots = withViewerItems([message], context);
      const [thread] = context.services.threads.page({
        roots,
        shown: NEWEST_REPLIES_MAX,
        items: context.items,
      });
      return thread === undefined ? null : roomThreads.edge(message.room, thread);
    },
  }),
);
