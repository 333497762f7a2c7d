import { microsOf } from '../core/timestamps.ts';
import { builder } from '../graphql/builder.ts';
import { decodeCursor } from '../graphql/connections.ts';
import { requireViewer } from '../graphql/context.ts';
import { accessTo, memberAccess } from '../rooms/access.ts';
import { RoomRef, type RoomView, roomIdOf } from '../rooms/types.ts';
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
      'What happens in a room. With `after`, what was missed comes first, in order; then Synced; then what happens from now on. Without it, Synced comes first. It completes when the viewer leaves the room, and when the server cannot tell for sure: subscribe again with the last cursor.',
    args: {
      roomId: t.arg.id({ required: true, description: 'A room that the viewer is in.' }),
      after: t.arg.string({ description: 'The cursor of the last event seen, or `Room.eventsCursor`.' }),
    },
    subscribe: (_root, { roomId, after }, context) => {
      const room = roomIdOf(roomId);
      const number = after == null ? undefined : microsOf(decodeCursor(eventsCodec(room), after, 'after'));
      return context.services.roomEvents.open({ user: requireViewer(context), room, after: number });
    },
    extensions: { sharedEvents: true },
    resolve: (occurrence, _args, context) => {
      context.items.clear(occurrence.source);
      return occurrence;
    },
  }),
);

builder.objectField(RoomRef, 'eventsCursor', (t) =>
  t.string({
    nullable: true,
    description:
      'Read before anything else of the room: pass it to `roomEvents(after:)`, and query and subscription leave no hole between them. Null for who is not in the room.',
    resolve: async ({ id }, _args, context) => {
      // Read together with the membership, which is waited for before anything else of the room is read.
      const access = await accessTo(id, requireViewer(context), context.items);
      return access?.membership == null ? null : eventsCursor(id, access.counter.changeCount);
    },
  }),
);

const SetTypingInput = builder.inputType('SetTypingInput', {
  description: 'Whether the viewer types.',
  fields: (t) => ({
    roomId: t.id({ required: true, description: 'A room that the viewer is in.' }),
    typing: t.boolean({
      required: true,
      description: 'True: now, and for 6 s; say it again while it lasts.',
    }),
  }),
});

const SetTypingPayload = builder.objectRef<{ readonly room: RoomView }>('SetTypingPayload').implement({
  description: 'What `setTyping` answers.',
  fields: (t) => ({ room: t.expose('room', { type: RoomRef, description: 'The room.' }) }),
});

builder.mutationField('setTyping', (t) =>
  t.field({
    type: SetTypingPayload,
    description: 'Tells the others in a room that the viewer types. Stored nowhere, and forgotten after 6 s.',
    args: { input: t.arg({ type: SetTypingInput, required: true, description: 'Where, and whether.' }) },
    resolve: async (_root, { input }, context) => {
      const viewer = requireViewer(context);
      await context.services.limits.charge('typing', viewer);
      const { room, counter } = await memberAccess(roomIdOf(input.roomId), viewer, context.items);
      const { removals } = counter;
      context.services.typing.set({ room: room.id, user: viewer, removals }, input.typing);
      return { room };
    },
  }),
);
