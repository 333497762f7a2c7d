/** The GraphQL type of messages, and the lists they are in. */

import { badUserInput, notFound } from '../core/errors.ts';
import { type Key, keys } from '../dynamo/keys.ts';
import { builder } from '../graphql/builder.ts';
import {
  type CursorCodec,
  connection,
  PAGE_DEFAULT,
  type PageArgs,
  pageWanted,
} from '../graphql/connections.ts';
import { type Context, requireViewer } from '../graphql/context.ts';
import { idOf } from '../graphql/ids.ts';
import { nodeLoader } from '../graphql/nodes.ts';
import { bothWaysArgs } from '../graphql/pageArgs.ts';
import { dateOf } from '../graphql/scalars.ts';
import { accessTo, memberAccess } from '../rooms/access.ts';
import { loadRoomOrThrow, RoomRef } from '../rooms/types.ts';
import { loadUserOrThrow, UserRef } from '../users/types.ts';
import { readableBody } from './mentions.ts';
import {
  isRoot,
  type Message,
  type MessageKey,
  messageId,
  messageOf,
  parseMessageId,
  type ViewerItems,
} from './message.ts';

export type MessageView = Message & {
  /** What is known, or is read for the whole page at once, about the viewer's items for this message. */
  readonly viewerItems?: ViewerItems;
};

export const MessageRef = builder.objectRef<MessageView>('Message');

/**
 * Whether the viewer has an item for this message, such as their like. One query answers it for all messages of a
 * page. For a single message the item itself is loaded, in one batch with the operation's other reads.
 */
export async function viewerHas(
  { viewerItems }: MessageView,
  context: Context,
  key: (user: string) => Key,
): Promise<boolean> {
  const wanted = key(requireViewer(context));
  const known = await viewerItems?.has(wanted);
  return known ?? (await context.items.load(wanted)) !== undefined;
}

/** The message that a global id names; what is of another type or malformed is not there. */
export function messageKeyOf(globalId: string): MessageKey {
  const key = parseMessageId(idOf('Message', globalId) ?? '');
  if (key === undefined) throw notFound();
  return key;
}

builder.node(MessageRef, {
  description: 'What somebody said: a thread root or a reply.',
  id: { resolve: messageId },
  fields: (t) => ({
    room: t.field({
      type: RoomRef,
      description: 'Where.',
      resolve: ({ room }, _args, context) => loadRoomOrThrow(room, context),
    }),
    author: t.field({
      type: UserRef,
      description: 'Who.',
      resolve: ({ author }, _args, { items }) => loadUserOrThrow(author, items),
    }),
    body: t.string({
      nullable: true,
      description: 'The text; mentions stand in it by the handles people have now. Null once deleted.',
      resolve: ({ body }, _args, { items }) => (body === null ? null : readableBody(body, items)),
    }),
    createdAt: t.field({ type: 'DateTime', description: 'When it was sent.', resolve: ({ c }) => dateOf(c) }),
    editedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it was last edited; null where it never was.',
      resolve: ({ editedAt }) => (editedAt === null ? null : dateOf(editedAt)),
    }),
    deletedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it was deleted; it keeps its place, thread and position.',
      resolve: ({ deletedAt }) => (deletedAt === null ? null : dateOf(deletedAt)),
    }),
    mentions: t.field({
      type: [UserRef],
      description: 'The members whose handles stand in the body, at most 50.',
      resolve: ({ mentions }, _args, { items }) =>
        Promise.all(mentions.map((id) => loadUserOrThrow(id, items))),
    }),
    version: t.exposeInt('rev', {
      description: 'Rises with every change: of two copies the higher is newer.',
    }),
    position: t.exposeInt('position', {
      nullable: true,
      description:
        "1, 2, 3 … without gaps among the room's thread roots; null on a reply, and for a moment after sending.",
    }),
    root: t.field({
      type: MessageRef,
      nullable: true,
      description: "The thread's root; null on a root.",
      resolve: async (message, _args, { items }) => {
        if (isRoot(message)) return null;
        const { room, t: at } = message;
        const item = await items.load(keys.root(room, at));
        return item === undefined ? null : messageOf({ room, t: at, c: at }, item);
      },
    }),
    replyCount: t.exposeInt('replyCount', { description: 'How many replies the thread has; 0 on a reply.' }),
    lastReplyAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the newest reply was sent; null without one.',
      resolve: ({ lastReplyAt }) => (lastReplyAt === null ? null : dateOf(lastReplyAt)),
    }),
    participants: t.field({
      type: [UserRef],
      description: "The first people who replied, at most 3: for the thread's summary.",
      resolve: ({ participants }, _args, { items }) =>
        Promise.all(participants.map((id) => loadUserOrThrow(id, items))),
    }),
  }),
});

/** For members of its room only. One round trip. */
nodeLoader('Message', async (id, context) => {
  const key = parseMessageId(id);
  if (key === undefined) return null;
  const [access, item] = await Promise.all([
    accessTo(key.room, requireViewer(context), context.items),
    context.items.load(keys.message(key.room, key.t, key.c)),
  ]);
  return access?.membership == null || item === undefined ? null : messageOf(key, item);
});

const MessageConnection = builder.connectionObject(
  { type: MessageRef, name: 'MessageConnection', description: 'A page of messages, oldest first.' },
  { name: 'MessageEdge', description: 'A message in a page.' },
);

const STAMP = /^\d{16}$/;

const byStamp = ({ c }: Message) => c;

function withViewerItems(nodes: readonly Message[], context: Context): MessageView[] {
  const viewerItems = context.services.messages.viewerItems(requireViewer(context), nodes);
  return nodes.map((node) => ({ ...node, viewerItems }));
}

async function timeline(room: string, args: TimelineArgs, context: Context) {
  await memberAccess(room, requireViewer(context), context.items);
  const codec = { list: `messages:${room}`, position: STAMP };
  if (args.around != null) return jumpTo(room, args, codec, context);
  const wanted = pageWanted(args, codec, { newest: true });
  const { nodes, more } = await context.services.messages.roots(room, wanted);
  return connection({ nodes: withViewerItems(nodes, context), more }, wanted, { codec, position: byStamp });
}

type TimelineArgs = PageArgs & { readonly around?: string | null | undefined };

async function jumpTo(room: string, { around, ...args }: TimelineArgs, codec: CursorCodec, context: Context) {
  if (args.after != null || args.before != null || args.last != null) {
    throw badUserInput('around', '`around` goes with `first`, and with nothing else.');
  }
  const { limit } = pageWanted({ ...args, first: args.first ?? PAGE_DEFAULT }, codec);
  const key = parseMessageId(idOf('Message', around ?? '') ?? '');
  const page = key?.room === room ? await context.services.messages.around(room, key.t, limit) : null;
  if (page === null) throw badUserInput('around', 'There is no such message in this room.');
  const { nodes, moreBefore, moreAfter } = page;
  const forward = { limit, direction: 'forward', from: undefined } as const;
  const read = connection({ nodes: withViewerItems(nodes, context), more: moreAfter }, forward, {
    codec,
    position: byStamp,
  });
  return { ...read, pageInfo: { ...read.pageInfo, hasPreviousPage: moreBefore } };
}

async function thread(root: Message, args: PageArgs, context: Context) {
  const codec = { list: `replies:${root.room}:${root.t}`, position: STAMP };
  const wanted = pageWanted(args, codec, { newest: true });
  // Replies are counted with them, so a page of roots asks only where there are any; none are on a reply.
  const { nodes, more } =
    root.replyCount > 0
      ? await context.services.messages.replies(root.room, root.t, wanted)
      : { nodes: [], more: false };
  return connection({ nodes: withViewerItems(nodes, context), more }, wanted, { codec, position: byStamp });
}

builder.objectField(RoomRef, 'messages', (t) =>
  t.field({
    type: MessageConnection,
    description: 'Thread roots in chronological order; for members only. Without arguments, the newest page.',
    args: {
      ...bothWaysArgs,
      around: t.arg.id({
        description:
          'A message to have in the middle of a page of `first`: jump to. A reply stands for its root.',
      }),
    },
    resolve: ({ id }, args, context) => timeline(id, args, context),
  }),
);

builder.objectField(MessageRef, 'replies', (t) =>
  t.field({
    type: MessageConnection,
    description:
      "The thread's replies in chronological order; none on a reply. Without arguments, the newest page.",
    args: bothWaysArgs,
    resolve: (message, args, context) => thread(message, args, context),
  }),
);
