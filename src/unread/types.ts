/** The GraphQL types of the badge: what is unread. */
import { builder } from '../graphql/builder.ts';
import type { Membership } from '../rooms/room.ts';
import { loadRoomOrThrow, MembershipRef, ownMembershipView, RoomRef, type RoomView } from '../rooms/types.ts';
import { MAX_ROOMS } from '../users/user.ts';
import type { UnreadState } from './unread.ts';

interface RoomUnreadView {
  readonly membership: Membership;
  readonly unreadCount: number;
  readonly readPosition: number;
  /** If it is absent, the room is read. */
  readonly room?: RoomView;
}

export const RoomUnreadRef = builder.objectRef<RoomUnreadView>('RoomUnread').implement({
  description: 'The unread count of one room.',
  fields: (t) => ({
    room: t.field({
      type: RoomRef,
      description: 'The room that the count is of.',
      resolve: ({ room, membership }, _args, context) => room ?? loadRoomOrThrow(membership.room, context),
    }),
    membership: t.field({
      type: MembershipRef,
      description: "The viewer's membership of the room.",
      resolve: ({ membership }) => ownMembershipView(membership),
    }),
    unreadCount: t.exposeInt('unreadCount', {
      description: 'The number of roots after the read position, including deleted ones.',
    }),
    readPosition: t.exposeInt('readPosition', {
      description:
        "The highest `Message.position` that is read, on any of the viewer's devices; 0 if none is.",
    }),
  }),
});

/** The numbers that both the badge and its changes have. */
export const BADGE_TOTALS = {
  total: {
    description:
      'The total of the badge: unread roots in rooms that are not muted, plus unread notifications. An unread root and the unread `MENTION` in it count once.',
  },
  notifications: {
    description: 'The number of unread notifications, where each counts once per user in `actorCount`.',
  },
} as const;

export const UnreadRef = builder.objectRef<UnreadState>('Unread').implement({
  description: 'The badge: the number of unread messages and notifications.',
  fields: (t) => ({
    total: t.exposeInt('total', BADGE_TOTALS.total),
    notifications: t.exposeInt('notifications', BADGE_TOTALS.notifications),
    rooms: t.field({
      type: [RoomUnreadRef],
      description: 'The rooms that have unread roots.',
      extensions: { maxItems: MAX_ROOMS },
      resolve: ({ rooms }) => rooms.filter((room) => room.unreadCount > 0),
    }),
  }),
});
