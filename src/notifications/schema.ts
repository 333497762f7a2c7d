import { builder } from '../graphql/builder.ts';
import { requireViewer } from '../graphql/context.ts';
import { encodeId, idOf } from '../graphql/ids.ts';
import { mutation } from '../graphql/mutation.ts';
import { MessageRef, messageKeyOf } from '../messages/types.ts';
import { ThreadPages } from '../threads/types.ts';
import { UnreadRef } from '../unread/types.ts';
import type { FollowingService } from './derive/following.ts';
import type { NotificationStreams } from './live/notificationStreams.ts';
import type { NotificationChange } from './live/subscription.ts';
import type { Notification } from './notification.ts';
import type { Notifications } from './read/list.ts';
import { type NotificationReading, READ_MAX } from './read/markRead.ts';
import { followedThreadEdge } from './threads/schema.ts';
import { NotificationRef } from './types.ts';

declare module '../graphql/context.ts' {
  interface Services {
    readonly notifications: Notifications;
    readonly notificationReading: NotificationReading;
    readonly notificationStreams: NotificationStreams;
    readonly following: FollowingService;
  }
}

mutation('markNotificationsRead', {
  description:
    'Marks notifications of the viewer as read, some or all. What happens at the same moment is part of a notification that was read, or of a new one. `NOT_FOUND` if one of the ids is not a notification of the viewer; then nothing is changed. Idempotent.',
  limit: 'reading',
  input: (t) => ({
    ids: t.idList({
      description: `At most ${READ_MAX} notifications of the viewer; \`BAD_USER_INPUT\` for more. Without it all notifications are marked.`,
    }),
  }),
  resolve: async (viewer, { ids }, { services }): Promise<{ notifications: readonly Notification[] }> => {
    const { notificationReading } = services;
    if (ids != null) {
      const own = ids.map((id) => idOf('Notification', id) ?? '');
      return { notifications: await notificationReading.markRead(viewer, own) };
    }
    await notificationReading.markAllRead(viewer);
    return { notifications: [] };
  },
  payload: (t) => ({
    notifications: t.field({
      type: [NotificationRef],
      description: 'The notifications that `ids` named; empty if all notifications were marked.',
      extensions: { maxItems: READ_MAX },
      resolve: ({ notifications }) => [...notifications],
    }),
    unread: t.field({
      type: UnreadRef,
      description: 'The current badge.',
      resolve: (_payload, _args, context) => context.services.unread.state(requireViewer(context)),
    }),
  }),
});

const NotificationChangeRef = builder.objectRef<NotificationChange>('NotificationChange').implement({
  description: 'A notification that changed or was deleted.',
  fields: (t) => ({
    notification: t.expose('notification', {
      type: NotificationRef,
      nullable: true,
      description: 'The current notification; null if it was deleted.',
    }),
    removedId: t.id({
      nullable: true,
      description:
        'The id of the notification if it was deleted, because everything in it was undone or its retention time passed; null otherwise.',
      resolve: ({ removedId }) => (removedId === null ? null : encodeId('Notification', removedId)),
    }),
    unread: t.field({
      type: UnreadRef,
      description:
        'The current badge. It is read from the database for each event; the subscription `unread` sends it at a lower cost.',
      resolve: (_change, _args, context) => context.services.unread.state(requireViewer(context)),
    }),
  }),
});

builder.subscriptionField('notificationChanged', (t) =>
  t.field({
    type: NotificationChangeRef,
    description:
      "The viewer's notifications as they change. The first events are the unread notifications: at most the newest 100, oldest first. Each later change is sent at most once per second and notification: the first at once, further ones together. The subscription completes if a part of an event could not be read: subscribe again.",
    subscribe: (_root, _args, context) =>
      context.services.notificationStreams.subscribe(requireViewer(context)),
    resolve(change, _args, { items, services }) {
      items.clear(services.notificationStreams.shown);
      return change;
    },
  }),
);

const messageOfThread = {
  required: true,
  description: 'Any message of the thread, in a room that the viewer is in.',
} as const;

mutation('markThreadRead', {
  description:
    "Marks the viewer's notifications about a thread as read, up to its newest message at this moment: its `REPLY` notification, and mentions in it. Call it when the end of the thread is shown, and again if a notification arrives while it is shown: one of a message that was already there may come later. Idempotent.",
  limit: 'reading',
  input: (t) => ({ messageId: t.id(messageOfThread) }),
  resolve: async (viewer, { messageId }, { services }) => ({
    message: await services.notificationReading.markThreadRead(viewer, messageKeyOf(messageId)),
  }),
  payload: (t) => ({
    message: t.expose('message', { type: MessageRef, description: 'The root of the thread.' }),
    unread: t.field({
      type: UnreadRef,
      description: 'The current badge.',
      resolve: (_payload, _args, context) => context.services.unread.state(requireViewer(context)),
    }),
  }),
});

mutation('followThread', {
  description:
    'Notifies the viewer of replies in a thread. The author, everyone who replies and everyone who is mentioned in a reply follow a thread automatically. Idempotent.',
  limit: 'reading',
  input: (t) => ({ messageId: t.id(messageOfThread) }),
  resolve: async (viewer, { messageId }, { services }) => ({
    message: await services.following.follow(viewer, messageKeyOf(messageId), true),
  }),
  payload: (t) => ({
    message: t.expose('message', { type: MessageRef, description: 'The root of the thread.' }),
    threadEdge: t.field({
      type: ThreadPages.edge,
      nullable: true,
      description:
        'The thread in `Viewer.threads`; null if it is not in that list, for example because it has no replies.',
      resolve: ({ message }, _args, context) => followedThreadEdge(message, context),
    }),
  }),
});

mutation('unfollowThread', {
  description:
    'Stops notifying the viewer of replies in a thread, until they reply or are mentioned in a reply. They are still notified of replies to a reply of theirs. Idempotent.',
  limit: 'reading',
  input: (t) => ({ messageId: t.id(messageOfThread) }),
  resolve: async (viewer, { messageId }, { services }) => ({
    message: await services.following.follow(viewer, messageKeyOf(messageId), false),
  }),
  payload: (t) => ({
    message: t.expose('message', { type: MessageRef, description: 'The root of the thread.' }),
  }),
});
