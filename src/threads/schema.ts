import { badUserInput } from '../core/errors.ts';
import { builder } from '../graphql/builder.ts';
import { bothWaysArgs, connection, type PageArgs, POSITIONS, parsePageArgs } from '../graphql/connections.ts';
import { type Context, requireViewer } from '../graphql/context.ts';
import { NEWEST_REPLIES_MAX } from '../messages/message.ts';
import { MessageRef, type MessageView, withViewerItems } from '../messages/types.ts';
import { MessageStampRef } from '../reactions/stamps/types.ts';
import { memberAccess } from '../rooms/access.ts';
import { RoomRef } from '../rooms/types.ts';
import { STAMPS_MAX, type Thread, type Threads } from './threads.ts';

declare module '../graphql/context.ts' {
  interface Services {
    readonly threads: Threads;
  }
}

const ThreadRef = builder.objectRef<Thread<MessageView>>('Thread').implement({
  description: 'A thread in a list: its root, its newest replies, and the stamps on both.',
  fields: (t) => ({
    root: t.expose('root', { type: MessageRef, description: 'The first message of the thread.' }),
    replies: t.field({
      type: [MessageRef],
      description: `The newest replies in chronological order, deleted ones included: at most ${NEWEST_REPLIES_MAX}. \`Message.replies\` of the root has all of them.`,
      extensions: { maxItems: NEWEST_REPLIES_MAX, counted: true },
      resolve: (thread) => thread.replies(),
    }),
    hasMoreReplies: t.exposeBoolean('hasMoreReplies', {
      description: 'Whether the thread has more replies than `replies` shows.',
    }),
    stamps: t.field({
      type: [MessageStampRef],
      description: `The stamps on the root and on \`replies\` in the order in which they were added: the first ${STAMPS_MAX}. \`Message.stamps\` has all of them.`,
      extensions: { maxItems: STAMPS_MAX, counted: true },
      resolve: (thread) => thread.stamps(),
    }),
  }),
});

const ThreadConnection = builder.connectionObject(
  { type: ThreadRef, name: 'ThreadConnection', description: 'A page of threads.' },
  { name: 'ThreadEdge', description: 'A thread in a page, with its cursor.' },
);

interface ThreadsArgs extends PageArgs {
  readonly replies?: number | null | undefined;
}

async function threadsOf(room: string, { replies, ...args }: ThreadsArgs, context: Context) {
  const { items, services } = context;
  await memberAccess(room, requireViewer(context), items);
  const shown = replies ?? NEWEST_REPLIES_MAX;
  if (shown < 0 || shown > NEWEST_REPLIES_MAX) {
    throw badUserInput('replies', `A thread shows 0 to ${NEWEST_REPLIES_MAX} replies.`, NEWEST_REPLIES_MAX);
  }
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
    args: {
      ...bothWaysArgs,
      replies: t.arg.int({
        defaultValue: NEWEST_REPLIES_MAX,
        description: `How many of each thread's replies are shown, the newest: 0 to ${NEWEST_REPLIES_MAX}.`,
      }),
    },
    resolve: ({ id }, args, context) => threadsOf(id, args, context),
  }),
);
