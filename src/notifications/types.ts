/** The GraphQL type of notifications, and what they add to the viewer and to messages. */
import { isId, keys, type NOTIFICATION_KINDS } from '../dynamo/keys.ts';
import { builder } from '../graphql/builder.ts';
import { type Connection, connection, encodeCursor, pageWanted } from '../graphql/connections.ts';
import { type Context, requireViewer } from '../graphql/context.ts';
import { nodeLoader } from '../graphql/nodes.ts';
import { forwardArgs } from '../graphql/pageArgs.ts';
import { dateOf } from '../graphql/scalars.ts';
import { bestLanguage } from '../i18n/language.ts';
import { isRoot, type Message, type MessageKey, messageOf } from '../messages/message.ts';
import { MessageRef } from '../messages/types.ts';
import { loadUserOrThrow, UserRef, ViewerRef } from '../users/types.ts';
import { isFollowing } from './derive/following.ts';
import type { Notification } from './notification.ts';
import type { Placed } from './read/list.ts';
import { textOf, withheldText } from './text.ts';

const NAMED = 2;

const NotificationKindRef = builder.enumType('NotificationKind', {
  description: 'What somebody is told of.',
  values: {
    LIKE: { description: 'A message of theirs is liked.' },
    REPLY: { description: 'There are replies in a thread that they follow.' },
    MENTION: { description: 'Their handle stands in a message.' },
    STAMP: { description: 'A message of theirs bears stamps.' },
  } as const satisfies Record<(typeof NOTIFICATION_KINDS)[number], object>,
});

/** Former members receive nothing of what is in the room. Asked at the moment it is sent. */
async function isWithheld({ room }: Notification, context: Context): Promise<boolean> {
  const { membershipGuard } = context.services;
  return !(await membershipGuard.isMember(requireViewer(context), room, context.items));
}

/** Both are read in one turn; what was read in vain is shown to nobody. */
async function entitled<T>(
  notification: Notification,
  context: Context,
  content: Promise<T>,
): Promise<T | null> {
  const [withheld, found] = await Promise.all([isWithheld(notification, context), content]);
  return withheld ? null : found;
}

async function messageAt(key: MessageKey, { items }: Context): Promise<Message | null> {
  const item = await items.load(keys.message(key.room, key.t, key.c));
  return item === undefined ? null : messageOf(key, item);
}

const actorsOf = ({ actors }: Notification, { items }: Context) =>
  Promise.all(actors.slice(0, NAMED).map(({ user }) => loadUserOrThrow(user, items)));

async function textFor(notification: Notification, context: Context): Promise<string> {
  const [viewer, actors] = await Promise.all([
    loadUserOrThrow(requireViewer(context), context.items),
    entitled(notification, context, actorsOf(notification, context)),
  ]);
  const language = bestLanguage(viewer.locale, context.acceptLanguage);
  if (actors === null) return withheldText(language);
  const { kind, count } = notification;
  return textOf(language, kind, { count, names: actors.map(({ displayName }) => displayName) });
}

export const NotificationRef = builder.objectRef<Notification>('Notification');

builder.node(NotificationRef, {
  description:
    'What happened of one kind to one message. While it is unread all that happens goes into it; once read it stays as it is, and what happens next makes a new one. Of a room that the viewer is no longer in it tells its kind, how many people did it and when, as it was when they left, and nothing else: neither who, nor what is in the room, nor what is taken back there since.',
  id: { resolve: ({ id }) => id },
  fields: (t) => ({
    kind: t.expose('kind', { type: NotificationKindRef, description: 'Of what.' }),
    message: t.field({
      type: MessageRef,
      nullable: true,
      description:
        "What it is about: the message that was liked, stamped or mentions the viewer; of replies, the thread's root. Null once it is not for the viewer any more.",
      resolve: (notification, _args, context) =>
        entitled(notification, context, messageAt(notification, context)),
    }),
    latestReply: t.field({
      type: MessageRef,
      nullable: true,
      description: 'The newest reply, to jump to; null where it is not about replies.',
      resolve: (notification, _args, context) => {
        const { room, t: at, latest } = notification;
        if (latest === null) return null;
        return entitled(notification, context, messageAt({ room, t: at, c: latest }, context));
      },
    }),
    actors: t.field({
      type: [UserRef],
      description: `Who did it: at most ${NAMED}, the newest first.`,
      extensions: { most: NAMED },
      resolve: async (notification, _args, context) =>
        (await entitled(notification, context, actorsOf(notification, context))) ?? [],
    }),
    actorCount: t.exposeInt('count', { description: 'How many people did it.' }),
    text: t.string({
      description:
        '"Aki likes …", "Aki and Ben like …", "Aki and 4 others like …", in the viewer\'s language.',
      resolve: (notification, _args, context) => textFor(notification, context),
    }),
    updatedAt: t.field({
      type: 'DateTime',
      description: 'When somebody last did it.',
      resolve: ({ updatedAt }) => dateOf(updatedAt),
    }),
    readAt: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'When it was read; null while it is unread. Read ones are kept for a while, unread ones as long as it takes.',
      resolve: ({ readAt }) => (readAt === null ? null : dateOf(readAt)),
    }),
  }),
});

/** For its reader only. */
nodeLoader('Notification', async (id, context) => {
  if (!isId(id)) return null;
  const { notifications } = await context.services.notifications.look(
    requireViewer(context),
    [id],
    context.items,
  );
  return notifications[0] ?? null;
});

const NotificationConnection = builder.connectionObject(
  {
    type: NotificationRef,
    name: 'NotificationConnection',
    description: 'A page of notifications, newest first.',
  },
  { name: 'NotificationEdge', description: 'A notification in a page.' },
);

const PLACE = /^\d{16}#[0-9a-z]{1,64}$/;

builder.objectField(ViewerRef, 'notifications', (t) =>
  t.field({
    type: NotificationConnection,
    description:
      'Unread and read ones together, by when something last happened, newest first. A page may be shorter than asked for where read ones are past their time.',
    args: {
      ...forwardArgs,
      unreadOnly: t.arg.boolean({ description: 'Those that are unread.' }),
    },
    resolve: async ({ user }, args, { services, items }): Promise<Connection<Placed>> => {
      const codec = { list: `notifications:${user.id}`, position: PLACE };
      const wanted = pageWanted(args, codec);
      const { nodes, more, end } = await services.notifications.list(
        user.id,
        { limit: wanted.limit, from: wanted.from, unreadOnly: args.unreadOnly === true },
        items,
      );
      const page = connection({ nodes, more }, wanted, { codec, position: ({ place }) => place });
      // Behind everything that was looked at: the last of it may not be shown any more.
      const endCursor = end === undefined ? null : encodeCursor(codec, end);
      return { ...page, pageInfo: { ...page.pageInfo, endCursor } };
    },
  }),
);

builder.objectField(MessageRef, 'viewerIsFollowing', (t) =>
  t.boolean({
    description: "Whether the viewer hears of the thread's replies; of a reply: of its thread's.",
    resolve: async (message, _args, context) => {
      const viewer = requireViewer(context);
      const { room, t: at } = message;
      const [root, follow] = await Promise.all([
        isRoot(message) ? message : messageAt({ room, t: at, c: at }, context),
        context.items.load(keys.follow(room, at, viewer)),
      ]);
      return root !== null && isFollowing(viewer, root, follow);
    },
  }),
);
