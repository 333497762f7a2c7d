/** The GraphQL types of what is unread. */
import { builder } from '../graphql/builder.ts';
import type { Membership } from '../rooms/room.ts';
import { loadRoomOrThrow, MembershipRef, ownView, RoomRef, type RoomView } from '../rooms/types.ts';
import { MAX_ROOMS } from '../users/user.ts';
import type { UnreadState } from './unread.ts';

interface RoomUnreadView {
  readonly membership: Membership;
  readonly unreadCount: number;
  readonly readPosition: number;
  /** Where it is known already; else it is read. */
  readonly room?: RoomView;
}

export const RoomUnreadRef = builder.objectRef<RoomUnreadView>('RoomUnread').implement({
  description: 'What is unread in one room.',
  fields: (t) => ({
    room: t.field({
      type: RoomRef,
      description: 'The room.',
      resolve: ({ room, membership }, _args, context) => room ?? loadRoomOrThrow(membership.room, context),
    }),
    membership: t.field({
      type: MembershipRef,
      description: "The viewer's membership.",
      resolve: ({ membership }) => ownView(membership),
    }),
    unreadCount: t.exposeInt('unreadCount', {
      description: 'Thread roots past the read position, deleted ones included.',
    }),
    readPosition: t.exposeInt('readPosition', {
      description: 'The highest `Message.position` that counts as read, on whichever device; 0: none.',
    }),
  }),
});

export const UnreadRef = builder.objectRef<UnreadState>('Unread').implement({
  description: 'The badge.',
  fields: (t) => ({
    total: t.exposeInt('total', { description: 'Rooms (muted ones left out) and notifications.' }),
    notifications: t.exposeInt('notifications', {
      description: 'Unread notifications, by the people in them.',
    }),
    rooms: t.field({
      type: [RoomUnreadRef],
      description: 'The rooms with something unread.',
      extensions: { most: MAX_ROOMS },
      resolve: ({ rooms }) => rooms.filter((room) => room.unreadCount > 0),
    }),
  }),
});
