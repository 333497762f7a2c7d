/** The lists of messages: a room's timeline and a thread. */
import { badUserInput } from '../core/errors.ts';
import { PAGE_DEFAULT } from '../core/pages.ts';
import { firstTimestampOf, toDate } from '../core/timestamps.ts';
import { keys } from '../dynamo/keys.ts';
import { builder } from '../graphql/builder.ts';
import { bothWaysArgs, type Edge, type PageArgs, POSITIONS, pagedList } from '../graphql/connections.ts';
import { type Context, requireViewer } from '../graphql/context.ts';
import { idOf } from '../graphql/ids.ts';
import { accessTo, memberAccess } from '../rooms/access.ts';
import { RoomRef } from '../rooms/types.ts';
import { lastRootOf } from './lastRoot.ts';
import { isRoot, type Message, type MessageKey, messageOf, parseMessageId } from './message.ts';
import { MessagePages, MessageRef, withViewerItems } from './types.ts';

const byTimestamp = ({ ts }: Message) => ts;

const roots = pagedList({
  cursors: (room: string) => ({ list: `messages:${room}`, position: POSITIONS.timestamp }),
  position: byTimestamp,
  newest: true,
});
const repliesOf = pagedList({
  cursors: ({ room, threadTs }: Pick<MessageKey, 'room' | 'threadTs'>) => ({
    list: `replies:${room}:${threadTs}`,
    position: POSITIONS.timestamp,
  }),
  position: byTimestamp,
  newest: true,
});

/** The message in the list that it belongs to. */
export const messageEdge = (message: Message): Edge<Message> =>
  isRoot(message) ? roots.edge(message.room, message) : repliesOf.edge(message, message);

async function timeline(room: string, args: TimelineArgs, context: Context) {
  await memberAccess(room, requireViewer(context), context.items);
  const jump = jumpOf(args);
  if (jump !== undefined) return jumpTo(room, jump, args, context);
  return roots.page(room, args, async (request) => {
    const { nodes, more } = await context.services.messages.roots(room, request);
    return { nodes: withViewerItems(nodes, context), more };
  });
}

type TimelineArgs = PageArgs & {
  readonly around?: string | null | undefined;
  readonly from?: Date | null | undefined;
};

/** A place in the room that a page is requested for: the message in its middle, or the time at which it starts. */
type Jump = { readonly around: string } | { readonly from: Date };

function jumpOf({ around, from, ...args }: TimelineArgs): Jump | undefined {
  const hasOther = args.after != null || args.before != null || args.last != null;
  if (around != null) {
    if (!hasOther && from == null) return { around };
    throw badUserInput('around', '`around` can be combined with `first` only.');
  }
  if (from == null) return undefined;
  if (!hasOther) return { from };
  throw badUserInput('from', '`from` can be combined with `first` only.');
}

const jumpTo = (room: string, jump: Jump, { first }: TimelineArgs, context: Context) =>
  roots.page(room, { first: first ?? PAGE_DEFAULT }, async ({ limit }) => {
    const { nodes, moreBefore, moreAfter } = await jumpPage(room, jump, limit, context);
    return { nodes: withViewerItems(nodes, context), more: moreAfter, moreBehind: moreBefore };
  });

async function jumpPage(room: string, jump: Jump, limit: number, { services: { messages } }: Context) {
  if ('from' in jump) return messages.since(room, firstTimestampOf(jump.from), limit);
  const key = parseMessageId(idOf('Message', jump.around) ?? '');
  const page = key?.room === room ? await messages.around(room, key.threadTs, limit) : null;
  if (page === null) throw badUserInput('around', 'This message is not in this room.');
  return page;
}

const thread = (root: Message, args: PageArgs, context: Context) =>
  repliesOf.page(root, args, async (request) => {
    // `replyCount` is written together with each reply, so nothing has to be read if it is 0. A reply has 0.
    if (root.replyCount === 0) return { nodes: [], more: false };
    const { nodes, more } = await context.services.messages.replies(root.room, root.threadTs, request);
    return { nodes: withViewerItems(nodes, context), more };
  });

builder.objectField(RoomRef, 'messages', (t) =>
  t.field({
    type: MessagePages.connection,
    description:
      'The roots of the room in chronological order; for members only (`FORBIDDEN` otherwise). Without arguments it is the newest page.',
    args: {
      ...bothWaysArgs,
      around: t.arg.id({
        description:
          'A message of the room, which will be in the middle of a page of `first` roots; for a reply, its root will be. Can be combined with `first` only; `BAD_USER_INPUT` if it is not a message of the room.',
      }),
      from: t.arg({
        type: 'DateTime',
        description:
          'The page starts at the first root that was sent at this time or later, and is empty if there is none. Can be combined with `first` only.',
      }),
    },
    resolve: ({ id }, args, context) => timeline(id, args, context),
  }),
);

builder.objectField(MessageRef, 'replies', (t) =>
  t.field({
    type: MessagePages.connection,
    description:
      'The replies of the thread in chronological order; empty for a reply. Without arguments it is the newest page.',
    args: bothWaysArgs,
    resolve: (message, args, context) => thread(message, args, context),
  }),
);

builder.objectField(RoomRef, 'lastMessage', (t) =>
  t.field({
    type: MessageRef,
    nullable: true,
    description:
      'The newest root; a deleted one has `deletedAt`. Null if the room has none, and for users who are not in the room. Like the unread counts, it is updated a moment after a message was sent.',
    resolve: async ({ id: room }, _args, context) => {
      const access = await accessTo(room, requireViewer(context), context.items);
      const at = access?.membership == null ? null : await lastRootOf(room, context);
      if (at === null) return null;
      const item = await context.items.load(keys.root(room, at));
      return item === undefined ? null : messageOf({ room, threadTs: at, ts: at }, item);
    },
  }),
);

builder.objectField(RoomRef, 'lastActivityAt', (t) =>
  t.field({
    type: 'DateTime',
    description:
      'When the newest root was sent, or, if there is none, when the room was created. Replies do not count. For members only (`FORBIDDEN` otherwise).',
    resolve: async ({ id, createdAt }, _args, context) => {
      await memberAccess(id, requireViewer(context), context.items);
      return toDate((await lastRootOf(id, context)) ?? createdAt);
    },
  }),
);
