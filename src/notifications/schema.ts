import { builder } from '../graphql/builder.ts';
import { type Context, requireViewer } from '../graphql/context.ts';
import { encodeId, idOf } from '../graphql/ids.ts';
import { MessageRef, type MessageView, messageKeyOf } from '../messages/types.ts';
import { UnreadRef } from '../unread/types.ts';
import type { FollowingService } from './derive/following.ts';
import type { NotificationStreams } from './live/notificationStreams.ts';
import type { NotificationChange } from './live/subscription.ts';
import type { Notification } from './notification.ts';
import type { Notifications } from './read/list.ts';
import { type NotificationReading, READ_MAX } from './read/markRead.ts';
import { NotificationRef } from './types.ts';

declare module '../graphql/context.ts' {
  interface Services {
    readonly notifications: Notifications;
    readonly notificationReading: NotificationReading;
    readonly notificationStreams: NotificationStreams;
    readonly following: FollowingService;
  }
}

const MarkNotificationsReadInput = builder.inputType('MarkNotificationsReadInput', {
  description: 'What the viewer has read.',
  fields: (t) => ({
    ids: t.idList({
      description: `At most ${READ_MAX} notifications of the viewer. Left out: all there are.`,
    }),
  }),
});

const MarkNotificationsReadPayload = builder
  .objectRef<{ readonly notifications: readonly Notification[] }>('MarkNotificationsReadPayload')
  .implement({
    description: 'What `markNotificationsRead` answers.',
    fields: (t) => ({
      notifications: t.field({
        type: [NotificationRef],
        description: 'Those named by `ids`, as they are now; none where all were read.',
        extensions: { most: READ_MAX },
        resolve: ({ notifications }) => [...notifications],
      }),
      unread: t.field({
        type: UnreadRef,
        description: 'The badge as it is now.',
        resolve: (_payload, _args, context) => context.services.unread.state(requireViewer(context)),
      }),
    }),
  });

builder.mutationField('markNotificationsRead', (t) =>
  t.field({
    type: MarkNotificationsReadPayload,
    description:
      'Marks notifications as read, some or all. What happens meanwhile is in one of those, or in a new one. `NOT_FOUND`, and nothing is changed, where one of them is not there or not for the viewer. Twice is no error.',
    args: { input: t.arg({ type: MarkNotificationsReadInput, required: true, description: 'Which.' }) },
    resolve: async (_root, { input }, context) => {
      const viewer = requireViewer(context);
      await context.services.limits.charge('reading', viewer);
      const { notificationReading: reading } = context.services;
      if (input.ids != null) {
        const ids = input.ids.map((id) => idOf('Notification', id) ?? '');
        return { notifications: await reading.markRead(viewer, ids) };
      }
      await reading.markAllRead(viewer);
      return { notifications: [] };
    },
  }),
);

const NotificationChangeRef = builder.objectRef<NotificationChange>('NotificationChange').implement({
  description: 'A notification as it has become, or that it is no more.',
  fields: (t) => ({
    notification: t.expose('notification', {
      type: NotificationRef,
      nullable: true,
      description: 'As it is now; null where it is no more.',
    }),
    removedId: t.id({
      nullable: true,
      description: 'Of one that is no more: everything it told of was taken back, or its time is up.',
      resolve: ({ removedId }) => (removedId === null ? null : encodeId('Notification', removedId)),
    }),
    unread: t.field({
      type: UnreadRef,
      description: 'The badge as it is now. `unread` pushes it for less: this one is read for each event.',
      resolve: (_change, _args, context) => context.services.unread.state(requireViewer(context)),
    }),
  }),
});

builder.subscriptionField('notificationChanged', (t) =>
  t.field({
    type: NotificationChangeRef,
    description:
      "The viewer's notifications as they become. The first events are the unread ones, at most the newest 100, oldest first; then each that changes, at most once a second: its first change at once, what follows together. It completes where something of one could not be read: subscribe again.",
    subscribe: (_root, _args, context) =>
      context.services.notificationStreams.subscribe(requireViewer(context)),
    resolve: (change) => change,
  }),
);

const FollowThreadInput = builder.inputType('FollowThreadInput', {
  description: 'A thread to hear of.',
  fields: (t) => ({
    messageId: t.id({ required: true, description: 'A message of it, in a room that the viewer is in.' }),
  }),
});

const UnfollowThreadInput = builder.inputType('UnfollowThreadInput', {
  description: 'A thread to hear no more of.',
  fields: (t) => ({
    messageId: t.id({ required: true, description: 'A message of it, in a room that the viewer is in.' }),
  }),
});

const payload = (name: string, mutation: string) =>
  builder.objectRef<{ readonly message: MessageView }>(name).implement({
    description: `What \`${mutation}\` answers.`,
    fields: (t) => ({
      message: t.expose('message', { type: MessageRef, description: "The thread's root." }),
    }),
  });

const FollowThreadPayload = payload('FollowThreadPayload', 'followThread');
const UnfollowThreadPayload = payload('UnfollowThreadPayload', 'unfollowThread');

async function follow(context: Context, messageId: string, follows: boolean) {
  const viewer = requireViewer(context);
  await context.services.limits.charge('reading', viewer);
  return { message: await context.services.following.follow(viewer, messageKeyOf(messageId), follows) };
}

builder.mutationFields((t) => ({
  followThread: t.field({
    type: FollowThreadPayload,
    description:
      "Has the viewer told of a thread's replies. Who began a thread or replies in it is told of them anyway. Twice is no error.",
    args: { input: t.arg({ type: FollowThreadInput, required: true, description: 'Which.' }) },
    resolve: (_root, { input }, context) => follow(context, input.messageId, true),
  }),
  unfollowThread: t.field({
    type: UnfollowThreadPayload,
    description:
      "Has the viewer told of a thread's replies no more, until they reply or are mentioned in it. Twice is no error.",
    args: { input: t.arg({ type: UnfollowThreadInput, required: true, description: 'Which.' }) },
    resolve: (_root, { input }, context) => follow(context, input.messageId, false),
  }),
}));
