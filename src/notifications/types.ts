/** The GraphQL type of notifications, and the fields that they add to the viewer and to messages. */

import { toDate } from '../core/timestamps.ts';
import { isId, keys } from '../dynamo/keys.ts';
import { builder } from '../graphql/builder.ts';
import { forwardArgs, POSITIONS, pagedList, pageTypes } from '../graphql/connections.ts';
import { type Context, requireViewer } from '../graphql/context.ts';
import { nodeLoader } from '../graphql/nodes.ts';
import { bestLanguage } from '../i18n/language.ts';
import { isRoot, type Message, type MessageKey, messageOf } from '../messages/message.ts';
import { MessageRef } from '../messages/types.ts';
import { byReactionNotification } from '../reactions/registry.ts';
import { StampRef, stampBy } from '../reactions/stamps/types.ts';
import { loadRoom, RoomRef } from '../rooms/types.ts';
import { nameIn } from '../users/formerUser.ts';
import { loadOwnProfile, loadUserOrThrow, UserRef, ViewerRef } from '../users/types.ts';
import { isFollowing } from './derive/following.ts';
import { ACTORS_SHOWN, isAboutMessage, type Notification, type NotificationKind } from './notification.ts';
import type { ListedNotification } from './read/list.ts';
import { textOf, withheldText } from './text.ts';

const STAMPS_SHOWN = 3;

const NotificationKindRef = builder.enumType('NotificationKind', {
  description: 'What a notification is about.',
  values: {
    ...byReactionNotification(({ description }) => ({ description })),
    REPLY: {
      description:
        'Users replied in a thread that the viewer follows, or to a reply of the viewer in any thread.',
    },
    MENTION: { description: 'A user mentioned the viewer in a message.' },
    SEAT: { description: 'The viewer got a seat in a room whose waitlist they were on.' },
    INVITED: { description: 'A user added the viewer to a private or direct room.' },
    REMINDER: { description: 'The viewer wanted to be reminded of a message that they have saved.' },
  } as const satisfies Record<NotificationKind, object>,
});

/** Former members see nothing of a room: this is checked at the moment the notification is sent. */
async function isWithheld({ room }: Notification, context: Context): Promise<boolean> {
  const { membershipGuard } = context.services;
  return !(await membershipGuard.isMember(requireViewer(context), room, context.items));
}

/** Reads both in one turn. If the viewer is not entitled to the content, it is dropped. */
async function entitled<T>(
  notification: Notification,
  context: Context,
  content: Promise<T>,
): Promise<T | null> {
  const [withheld, found] = await Promise.all([isWithheld(notification, context), content]);
  return withheld ? null : found;
}

async function messageAt(key: MessageKey, { items }: Context): Promise<Message | null> {
  const item = await items.load(keys.message(key.room, key.threadTs, key.ts));
  return item === undefined ? null : messageOf(key, item);
}

const actorsOf = ({ actors }: Notification, { items }: Context) =>
  Promise.all(actors.slice(0, ACTORS_SHOWN).map(({ user }) => loadUserOrThrow(user, items)));

async function textFor(notification: Notification, context: Context): Promise<string> {
  const [viewer, actors] = await Promise.all([
    loadOwnProfile(requireViewer(context), context.items),
    entitled(notification, context, actorsOf(notification, context)),
  ]);
  const language = bestLanguage(viewer.locale, context.acceptLanguage);
  const { kind, count } = notification;
  if (actors === null) return withheldText(language, kind);
  return textOf(language, kind, { count, names: actors.map((actor) => nameIn(language, actor)) });
}

export const NotificationRef = builder.objectRef<Notification>('Notification');

builder.node(NotificationRef, {
  description: [
    'A notification groups what happened to one message in one way: reactions of one kind, replies or mentions. `INVITED` and `SEAT` are about a room.',
    'While it is unread, further activity of this kind is added to it. Once read it does not change: further activity creates a new notification.',
    'When the viewer leaves the room, or it is deleted, the kind, the number of users and the time remain unchanged from then on. Users and messages are withheld, and later changes in the room do not affect the notification.',
  ].join('\n\n'),
  id: { resolve: ({ id }) => id },
  fields: (t) => ({
    kind: t.expose('kind', { type: NotificationKindRef, description: 'What the notification is about.' }),
    room: t.field({
      type: RoomRef,
      nullable: true,
      description: 'The room that it happened in. Null if the viewer is not in the room any more.',
      resolve: (notification, _args, context) =>
        entitled(notification, context, loadRoom(notification.room, context)),
    }),
    message: t.field({
      type: MessageRef,
      nullable: true,
      description:
        "The message that has the reactions, mentions the viewer or was saved by them; for replies, the thread's root. Null if the notification is about a room, or if the viewer may no longer see it.",
      resolve: (notification, _args, context) =>
        isAboutMessage(notification)
          ? entitled(notification, context, messageAt(notification, context))
          : null,
    }),
    latestReply: t.field({
      type: MessageRef,
      nullable: true,
      description:
        'The newest reply, to open the thread at; null if the notification is not about replies, or if the viewer may no longer see it.',
      resolve: (notification, _args, context) => {
        const { room, threadTs: at, latest } = notification;
        if (latest === null) return null;
        return entitled(notification, context, messageAt({ room, threadTs: at, ts: latest }, context));
      },
    }),
    actors: t.field({
      type: [UserRef],
      description: `The users who did it, the most recent first: at most ${ACTORS_SHOWN}. For \`SEAT\` and \`REMINDER\`, the viewer. Empty if the viewer has left the room.`,
      extensions: { maxItems: ACTORS_SHOWN },
      resolve: async (notification, _args, context) =>
        (await entitled(notification, context, actorsOf(notification, context))) ?? [],
    }),
    actorCount: t.exposeInt('count', { description: 'The number of different users who did it.' }),
    stamps: t.field({
      type: [StampRef],
      description: `STAMP: the newest different stamps, the most recent first: at most ${STAMPS_SHOWN}. Empty for other kinds, and if the viewer has left the room.`,
      extensions: { maxItems: STAMPS_SHOWN },
      resolve: async (notification, _args, context) => {
        if (notification.variants.length === 0 || (await isWithheld(notification, context))) return [];
        return notification.variants.slice(0, STAMPS_SHOWN).map(({ key }) => stampBy(key, context));
      },
    }),
    text: t.string({
      description:
        'The notification as a sentence in the language of the viewer: "Aki likes …", "Aki and Ben like …", "Aki and 4 others like …".',
      resolve: (notification, _args, context) => textFor(notification, context),
    }),
    updatedAt: t.field({
      type: 'DateTime',
      description: 'When a user last did it.',
      resolve: ({ updatedAt }) => toDate(updatedAt),
    }),
    readAt: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'When the notification was read; null if it is unread. Unread notifications never expire; read ones are deleted after a retention time that the operator sets.',
      resolve: ({ readAt }) => (readAt === null ? null : toDate(readAt)),
    }),
  }),
});

/** Only its recipient can read it. */
nodeLoader('Notification', async (id, context) => {
  if (!isId(id)) return null;
  const { notifications } = await context.services.notifications.getMany(
    requireViewer(context),
    [id],
    context.items,
  );
  return notifications[0] ?? null;
});

const NotificationPages = pageTypes(NotificationRef, 'Notification', {
  edge: 'A notification in a page, with its cursor.',
  page: 'A page of notifications, newest first.',
});
const ownNotifications = pagedList({
  cursors: (user: string) => ({ list: `notifications:${user}`, position: POSITIONS.timestampAndId }),
  position: ({ cursor }: ListedNotification) => cursor,
});

builder.objectField(ViewerRef, 'notifications', (t) =>
  t.field({
    type: NotificationPages.connection,
    description:
      'The notifications of the viewer, read and unread, by `updatedAt`, newest first. A page may be shorter than requested if read notifications in it have expired.',
    args: {
      ...forwardArgs,
      unreadOnly: t.arg.boolean({
        description:
          'Whether to return unread notifications only. The default is false. Cursors are valid with either value.',
      }),
    },
    resolve: ({ id }, args, { services, items }) =>
      ownNotifications.page(id, args, ({ limit, from }) =>
        services.notifications.list(id, { limit, from, unreadOnly: args.unreadOnly === true }, items),
      ),
  }),
);

/** Whether the viewer follows the message's thread. */
export async function viewerFollows(message: Message, context: Context): Promise<boolean> {
  const viewer = requireViewer(context);
  const { room, threadTs: at } = message;
  const [root, follow] = await Promise.all([
    isRoot(message) ? message : messageAt({ room, threadTs: at, ts: at }, context),
    context.items.load(keys.follow(room, at, viewer)),
  ]);
  return root !== null && isFollowing(viewer, root, follow);
}

builder.objectField(MessageRef, 'viewerIsFollowing', (t) =>
  t.boolean({
    description: "Whether the viewer is notified of replies in the message's thread.",
    resolve: (message, _args, context) => viewerFollows(message, context),
  }),
);
