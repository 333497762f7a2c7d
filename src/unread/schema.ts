import { keys } from '../dynamo/keys.ts';
import { builder } from '../graphql/builder.ts';
import { requireViewer } from '../graphql/context.ts';
import { encodeId } from '../graphql/ids.ts';
import { MessageRef, messageKeyOf } from '../messages/types.ts';
import { counterOf } from '../rooms/room.ts';
import { MembershipRef, type MembershipView, ownView, RoomRef, roomIdOf } from '../rooms/types.ts';
import { ViewerRef } from '../users/types.ts';
import { MAX_ROOMS } from '../users/user.ts';
import type { BadgeService } from './badge/badgeService.ts';
import type { BadgeChange } from './badge/badgeSubscription.ts';
import type { Reading } from './markRead.ts';
import { readMark, unreadCount } from './readPosition.ts';
import { RoomUnreadRef, UnreadRef } from './types.ts';
import type { Unread } from './unread.ts';

declare module '../graphql/context.ts' {
  interface Services {
    readonly unread: Unread;
    readonly reading: Reading;
    readonly badges: BadgeService;
  }
}

const UnreadChangeRef = builder.objectRef<BadgeChange>('UnreadChange').implement({
  description: 'New values of the badge; whoever has these needs no older ones.',
  fields: (t) => ({
    total: t.exposeInt('total', { description: 'Rooms (muted ones left out) and notifications.' }),
    notifications: t.exposeInt('notifications', {
      description: 'Unread notifications, by the people in them.',
    }),
    rooms: t.field({
      type: [RoomUnreadRef],
      description:
        'Of the first event: the rooms with something unread. Later: those that changed, also to zero.',
      extensions: { most: MAX_ROOMS },
      resolve: ({ rooms }) => rooms,
    }),
    removedRoomIds: t.idList({
      description: 'Rooms that the viewer is no longer in.',
      resolve: ({ removedRoomIds }) => removedRoomIds.map((id) => encodeId('Room', id)),
    }),
  }),
});

builder.objectField(ViewerRef, 'unread', (t) =>
  t.field({
    type: UnreadRef,
    description: 'What is unread, exactly, at this moment. Two round trips for up to 100 rooms.',
    resolve: ({ user }, _args, { services }) => services.unread.state(user.id),
  }),
);

builder.objectField(MembershipRef, 'unreadCount', (t) =>
  t.int({
    nullable: true,
    description: "Thread roots past the read position, deleted ones included; null on another's membership.",
    resolve: async ({ own }, _args, { items }) => {
      if (own === null) return null;
      const [counter, root] = await Promise.all([
        items.load(keys.counter(own.room)),
        own.readTo === null ? undefined : items.load(keys.root(own.room, own.readTo)),
      ]);
      const mark = readMark(own, (root?.position as number | undefined) ?? null);
      return counter === undefined ? 0 : unreadCount(counterOf(counter).messageCount, mark);
    },
  }),
);

builder.subscriptionField('unread', (t) =>
  t.field({
    type: UnreadChangeRef,
    description:
      'The badge, live. The first event is the whole state; each later one has the new values of what changed, at most one in 100 ms. A room that falls to zero is sent once with 0; a room just joined at once. It completes where something of an event could not be read: subscribe again.',
    subscribe: (_root, _args, context) => context.services.badges.subscribe(requireViewer(context)),
    resolve: (change) => change,
  }),
);

const MarkRoomReadInput = builder.inputType('MarkRoomReadInput', {
  description: 'How far the viewer has read.',
  fields: (t) => ({
    roomId: t.id({ required: true, description: 'A room that the viewer is in.' }),
    upTo: t.id({ description: 'A message of it; a reply stands for its root. Left out: all there is.' }),
  }),
});

const MarkRoomReadPayload = builder
  .objectRef<{ readonly membership: MembershipView }>('MarkRoomReadPayload')
  .implement({
    description: 'What `markRoomRead` answers.',
    fields: (t) => ({
      membership: t.expose('membership', { type: MembershipRef, description: 'With what is still unread.' }),
    }),
  });

builder.mutationField('markRoomRead', (t) =>
  t.field({
    type: MarkRoomReadPayload,
    description: 'Moves the read position up. What is not further than what was read before changes nothing.',
    args: { input: t.arg({ type: MarkRoomReadInput, required: true, description: 'Where, and how far.' }) },
    resolve: async (_root, { input }, context) => {
      const viewer = requireViewer(context);
      await context.services.limits.charge('reading', viewer);
      const upTo = input.upTo == null ? undefined : messageKeyOf(input.upTo);
      const membership = await context.services.reading.markRead(viewer, roomIdOf(input.roomId), upTo);
      return { membership: ownView(membership) };
    },
  }),
);

const MarkRoomUnreadInput = builder.inputType('MarkRoomUnreadInput', {
  description: 'From where on a room shall be unread.',
  fields: (t) => ({
    messageId: t.id({
      required: true,
      description: 'This root and all after it; a reply stands for its root.',
    }),
  }),
});

const MarkRoomUnreadPayload = builder
  .objectRef<{ readonly membership: MembershipView }>('MarkRoomUnreadPayload')
  .implement({
    description: 'What `markRoomUnread` answers.',
    fields: (t) => ({
      membership: t.expose('membership', { type: MembershipRef, description: 'With what is now unread.' }),
    }),
  });

const MuteRoomInput = builder.inputType('MuteRoomInput', {
  description: 'Whether a room counts in the total.',
  fields: (t) => ({
    roomId: t.id({ required: true, description: 'A room that the viewer is in.' }),
    muted: t.boolean({ required: true, description: 'True: it keeps its count but leaves the total.' }),
  }),
});

const MuteRoomPayload = builder
  .objectRef<{ readonly membership: MembershipView }>('MuteRoomPayload')
  .implement({
    description: 'What `muteRoom` answers.',
    fields: (t) => ({
      membership: t.expose('membership', { type: MembershipRef, description: 'As it is now.' }),
    }),
  });

builder.mutationFields((t) => ({
  markRoomUnread: t.field({
    type: MarkRoomUnreadPayload,
    description: 'Unread from here: moves the read position down to just before a message.',
    args: { input: t.arg({ type: MarkRoomUnreadInput, required: true, description: 'From where.' }) },
    resolve: async (_root, { input }, context) => {
      const viewer = requireViewer(context);
      await context.services.limits.charge('reading', viewer);
      const membership = await context.services.reading.markUnread(viewer, messageKeyOf(input.messageId));
      return { membership: ownView(membership) };
    },
  }),
  muteRoom: t.field({
    type: MuteRoomPayload,
    description: 'Leaves a room out of the total of the badge, or takes it in again.',
    args: { input: t.arg({ type: MuteRoomInput, required: true, description: 'Which, and whether.' }) },
    resolve: async (_root, { input }, context) => {
      const viewer = requireViewer(context);
      await context.services.limits.charge('reading', viewer);
      const membership = await context.services.reading.mute(viewer, roomIdOf(input.roomId), input.muted);
      return { membership: ownView(membership) };
    },
  }),
}));

builder.objectField(RoomRef, 'explainUnread', (t) =>
  t.field({
    type: [MessageRef],
    description:
      "The messages behind the viewer's `unreadCount`: the first 50, by position. For members only.",
    resolve: ({ id }, _args, context) => context.services.reading.explain(requireViewer(context), id),
  }),
);
