import { microsOf } from '../core/timestamps.ts';
import { builder } from '../graphql/builder.ts';
import { decodeCursor } from '../graphql/connections.ts';
import { requireViewer } from '../graphql/context.ts';
import { mutation } from '../graphql/mutation.ts';
import { accessTo, memberAccess } from '../rooms/access.ts';
import { RoomRef, roomIdOf } from '../rooms/types.ts';
import type { RoomCache } from './roomCache.ts';
import type { RoomSubscriptions } from './subscription.ts';
import { eventsCodec, eventsCursor, RoomEventRef } from './types.ts';
import type { Typing } from './typing.ts';

declare module '../graphql/context.ts' {
  interface Services {
    readonly roomCache: RoomCache;
    readonly roomEvents: RoomSubscriptions;
    readonly typing: Typing;
  }
}

builder.subscriptionField('roomEvents', (t) =>
  t.field({
    type: RoomEventRef,
    description:
      'The events of a room. With `after`, the missed events come first, in order; then `Synced`; then new events as they happen. Without it, `Synced` comes first. The subscription completes when the viewer leaves the room or it is deleted, and when the server cannot be certain that no event was missed: subscribe again with the last cursor. `NOT_FOUND` or `FORBIDDEN` if the viewer is not in the room, `BAD_USER_INPUT` if the cursor belongs to another room.',
    args: {
      roomId: t.arg.id({ required: true, description: 'A room that the viewer is in.' }),
      after: t.arg.string({
        description: 'The cursor of the last event that the client received, or `Room.eventsCursor`.',
      }),
    },
    subscribe: (_root, { roomId, after }, context) => {
      const room = roomIdOf(roomId);
      const number = after == null ? undefined : microsOf(decodeCursor(eventsCodec(room), after, 'after'));
      return context.services.roomEvents.open({ user: requireViewer(context), room, after: number });
    },
    extensions: { sharedEvents: true },
    resolve: (event, _args, context) => {
      context.items.clear(event.source);
      return event;
    },
  }),
);

builder.objectField(RoomRef, 'eventsCursor', (t) =>
  t.string({
    nullable: true,
    description:
      'A cursor for `roomEvents(after:)`. It is read before all other fields of the room, so that no event is missed between a query and the subscription that follows it. Null if the viewer is not in the room.',
    resolve: async ({ id }, _args, context) => {
      // It is read together with the membership, which is awaited before all other fields of the room.
      const access = await accessTo(id, requireViewer(context), context.items);
      return access?.membership == null ? null : eventsCursor(id, access.counter.lastSequence);
    },
  }),
);

mutation('setTyping', {
  description:
    'Notifies the other members of a room that the viewer is typing or has stopped. It is not stored, and expires after 6 s.',
  limit: 'typing',
  input: (t) => ({
    roomId: t.id({ required: true, description: 'A room that the viewer is in.' }),
    typing: t.boolean({
      required: true,
      description:
        'Whether the viewer is typing. True is valid for 6 s: send it again while the viewer is typing.',
    }),
  }),
  resolve: async (viewer, { roomId, typing }, { items, services }) => {
    const { room, counter } = await memberAccess(roomIdOf(roomId), viewer, items);
    const { membershipEpoch } = counter;
    services.typing.set({ room: room.id, user: viewer, membershipEpoch }, typing);
    return { room };
  },
  payload: (t) => ({
    room: t.expose('room', { type: RoomRef, description: 'The room that the viewer is typing in.' }),
  }),
});
