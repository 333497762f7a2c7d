import './lists.ts';
import { keys } from '../dynamo/keys.ts';
import { builder } from '../graphql/builder.ts';
import { type Context, requireViewer } from '../graphql/context.ts';
import { encodeId } from '../graphql/ids.ts';
import { mutation, mutationWithoutInput } from '../graphql/mutation.ts';
import { MessageRef, messageKeyOf } from '../messages/types.ts';
import { counterOf, type Membership } from '../rooms/room.ts';
import { MembershipRef, ownMembershipView, RoomRef, roomIdOf } from '../rooms/types.ts';
import { ViewerRef } from '../users/types.ts';
import { MAX_ROOMS } from '../users/user.ts';
import type { BadgeService } from './badge/badgeService.ts';
import type { BadgeChange } from './badge/badgeSubscription.ts';
import type { ReadPositions } from './markRead.ts';
import { currentReadPosition, unreadCount } from './readPosition.ts';
import { BADGE_TOTALS, RoomUnreadRef, UnreadRef } from './types.ts';
import type { Unread } from './unread.ts';

declare module '../graphql/context.ts' {
  interface Services {
    readonly unread: Unread;
    readonly readPositions: ReadPositions;
    readonly markAllRooms: (user: string) => Promise<void>;
    readonly badges: BadgeService;
  }
}

const UnreadChangeRef = builder.objectRef<BadgeChange>('UnreadChange').implement({
  description: 'New values of the badge. They replace all older ones.',
  fields: (t) => ({
    total: t.exposeInt('total', BADGE_TOTALS.total),
    notifications: t.exposeInt('notifications', BADGE_TOTALS.notifications),
    rooms: t.field({
      type: [RoomUnreadRef],
      description:
        'In the first event, the rooms with unread roots. In later events, the rooms whose values changed, including those that have become 0.',
      extensions: { maxItems: MAX_ROOMS },
      resolve: ({ rooms }) => rooms,
    }),
    removedRoomIds: t.idList({
      description: 'The ids of rooms that the viewer is no longer in.',
      resolve: ({ removedRoomIds }) => removedRoomIds.map((id) => encodeId('Room', id)),
    }),
  }),
});

builder.objectField(ViewerRef, 'unread', (t) =>
  t.field({
    type: UnreadRef,
    description:
      'The exact number of unread messages and notifications. It costs two round trips to the database for up to 100 rooms.',
    resolve: ({ id }, _args, { services }) => services.unread.state(id),
  }),
);

async function unreadCountOf(own: Membership, { items }: Context): Promise<number> {
  const source = { batchGet: items.loadMany.bind(items) };
  const [counter, position] = await Promise.all([
    items.load(keys.counter(own.room)),
    currentReadPosition(own, source),
  ]);
  return counter === undefined ? 0 : unreadCount(counterOf(counter).lastPosition, position);
}

builder.objectField(MembershipRef, 'unreadCount', (t) =>
  t.int({
    nullable: true,
    description:
      "The number of roots after the read position, including deleted ones; null on another user's membership.",
    resolve: ({ own }, _args, context) => (own === null ? null : unreadCountOf(own, context)),
  }),
);

const ViewerMembershipRef = builder.objectRef<Membership>('ViewerMembership').implement({
  description: 'What only the viewer sees of their own membership. Everything is there, so it is never null.',
  fields: (t) => ({
    unreadCount: t.int({
      description: 'The number of roots after the read position, including deleted ones.',
      resolve: (own, _args, context) => unreadCountOf(own, context),
    }),
    muted: t.exposeBoolean('muted', {
      description: "Whether the room is excluded from the badge's total.",
    }),
  }),
});

builder.objectField(MembershipRef, 'own', (t) =>
  t.field({
    type: ViewerMembershipRef,
    nullable: true,
    description:
      "What only the viewer sees, if it is their own membership, as in `Viewer.memberships`; null on another user's membership.",
    resolve: ({ own }) => own,
  }),
);

builder.subscriptionField('unread', (t) =>
  t.field({
    type: UnreadChangeRef,
    description:
      'The badge and its changes. The first event is the complete state. Each later event has the new values of what changed, at most one event per 100 ms. A room that becomes 0 is sent once with 0; a room that was just joined is sent at once. The subscription completes if a part of an event could not be read: subscribe again.',
    subscribe: (_root, _args, context) => context.services.badges.subscribe(requireViewer(context)),
    resolve: (change) => change,
  }),
);

mutation('markRoomRead', {
  description:
    "Advances the viewer's read position in a room, and soon marks the `MENTION` notifications of its roots up to there as read. Never moves it back. Idempotent.",
  limit: 'reading',
  input: (t) => ({
    roomId: t.id({ required: true, description: 'A room that the viewer is in.' }),
    upTo: t.id({
      description:
        'The last message that was read; for a reply, it is its root. Without it the whole room is read. `NOT_FOUND` if it is not a message of the room.',
    }),
  }),
  resolve: async (viewer, { roomId, upTo }, { services }) => {
    const key = upTo == null ? undefined : messageKeyOf(upTo);
    return {
      membership: ownMembershipView(await services.readPositions.markRead(viewer, roomIdOf(roomId), key)),
    };
  },
  payload: (t) => ({
    membership: t.expose('membership', {
      type: MembershipRef,
      description: "The viewer's membership, with the new `unreadCount`.",
    }),
  }),
});

mutationWithoutInput('markAllRoomsRead', {
  description:
    "Marks everything in all of the viewer's rooms as read, muted ones included, and soon the `MENTION` notifications of their roots. Other notifications stay as they are. Idempotent.",
  limit: 'clearing',
  resolve: async (viewer, { services }) => {
    await services.markAllRooms(viewer);
    return { unread: await services.unread.state(viewer) };
  },
  payload: (t) => ({
    unread: t.expose('unread', {
      type: UnreadRef,
      description:
        'The new badge, in which only notifications are left. Those of roots that were read may still be among them for a moment.',
    }),
  }),
});

mutation('markRoomUnread', {
  description:
    "Moves the viewer's read position back to just before a message, so that the message and all later roots are unread. Notifications stay as they are.",
  limit: 'reading',
  input: (t) => ({
    messageId: t.id({
      required: true,
      description: 'The first message that will be unread; for a reply, it is its root.',
    }),
  }),
  resolve: async (viewer, { messageId }, { services }) => ({
    membership: ownMembershipView(await services.readPositions.markUnread(viewer, messageKeyOf(messageId))),
  }),
  payload: (t) => ({
    membership: t.expose('membership', {
      type: MembershipRef,
      description: "The viewer's membership, with the new `unreadCount`.",
    }),
  }),
});

mutation('muteRoom', {
  description: "Excludes a room from the badge's total, or includes it again. Idempotent.",
  limit: 'reading',
  input: (t) => ({
    roomId: t.id({ required: true, description: 'A room that the viewer is in.' }),
    muted: t.boolean({
      required: true,
      description: 'True excludes the room from the total. The room keeps its own count.',
    }),
  }),
  resolve: async (viewer, { roomId, muted }, { services }) => ({
    membership: ownMembershipView(await services.readPositions.mute(viewer, roomIdOf(roomId), muted)),
  }),
  payload: (t) => ({
    membership: t.expose('membership', {
      type: MembershipRef,
      description: "The viewer's membership, with the new `muted`.",
    }),
  }),
});

builder.objectField(RoomRef, 'explainUnread', (t) =>
  t.field({
    type: [MessageRef],
    description:
      "The unread roots that the viewer's `unreadCount` counts, by position: at most the first 50. A root that mentions the viewer is one of them and counts once; mentions in replies count as notifications only. For members only (`FORBIDDEN` otherwise).",
    resolve: ({ id }, _args, context) => context.services.readPositions.explain(requireViewer(context), id),
  }),
);
