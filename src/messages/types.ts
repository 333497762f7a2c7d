/** The GraphQL type of messages, and the lists they are in. */
import { keys } from '../dynamo/keys.ts';
import { notFound } from '../errors.ts';
import { builder } from '../graphql/builder.ts';
import { connection, type PageArgs, pageWanted } from '../graphql/connections.ts';
import { type Context, signedIn } from '../graphql/context.ts';
import { idOf } from '../graphql/ids.ts';
import { nodeLoader } from '../graphql/nodes.ts';
import { bothWaysArgs } from '../graphql/pageArgs.ts';
import { dateOf } from '../graphql/scalars.ts';
import { accessTo, memberAccess } from '../rooms/access.ts';
import { knownRoom, RoomRef } from '../rooms/types.ts';
import { knownUser, UserRef } from '../users/types.ts';
import { isRoot, type Message, type MessageKey, messageId, messageOf, parseMessageId } from './message.ts';

export const MessageRef = builder.objectRef<Message>('Message');

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
      resolve: ({ room }, _args, context) => knownRoom(room, context),
    }),
    author: t.field({
      type: UserRef,
      description: 'Who.',
      resolve: ({ author }, _args, { items }) => knownUser(author, items),
    }),
    body: t.exposeString('body', {
      nullable: true,
      description: 'The text, as it was sent; null once deleted.',
    }),
    createdAt: t.field({ type: 'DateTime', description: 'When it was sent.', resolve: ({ c }) => dateOf(c) }),
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
        Promise.all(participants.map((id) => knownUser(id, items))),
    }),
  }),
});

/** For members of its room only. One round trip. */
nodeLoader('Message', async (id, context) => {
  const key = parseMessageId(id);
  if (key === undefined) return null;
  const [access, item] = await Promise.all([
    accessTo(key.room, signedIn(context), context.items),
    context.items.load(keys.message(key.room, key.t, key.c)),
  ]);
  return access?.membership == null || item === undefined ? null : messageOf(key, item);
});

export const MessageConnection = builder.connectionObject(
  { type: MessageRef, name: 'MessageConnection', description: 'A page of messages, oldest first.' },
  { name: 'MessageEdge', description: 'A message in a page.' },
);

const STAMP = /^\d{16}$/;

async function timeline(room: string, args: PageArgs, context: Context) {
  await memberAccess(room, signedIn(context), context.items);
  const codec = { list: `messages:${room}`, position: STAMP };
  const wanted = pageWanted(args, codec, { newest: true });
  return connection(await context.services.messages.roots(room, wanted), wanted, {
    codec,
    position: ({ c }) => c,
  });
}

async function thread(root: Message, args: PageArgs, context: Context) {
  const codec = { list: `replies:${root.room}:${root.t}`, position: STAMP };
  const wanted = pageWanted(args, codec, { newest: true });
  const page = isRoot(root)
    ? await context.services.messages.replies(root.room, root.t, wanted)
    : { nodes: [], more: false };
  return connection(page, wanted, { codec, position: ({ c }) => c });
}

builder.objectField(RoomRef, 'messages', (t) =>
  t.field({
    type: MessageConnection,
    description: 'Thread roots in chronological order; for members only. Without arguments, the newest page.',
    args: bothWaysArgs,
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
