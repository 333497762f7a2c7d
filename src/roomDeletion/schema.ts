import { encodeId } from '../graphql/ids.ts';
import { mutation } from '../graphql/mutation.ts';
import { roomIdOf } from '../rooms/types.ts';
import type { RoomDeletion } from './roomDeletion.ts';

declare module '../graphql/context.ts' {
  interface Services {
    readonly roomDeletion: RoomDeletion;
  }
}

mutation('deleteRoom', {
  description:
    'Deletes a room, for owners. It is gone for everyone at once: memberships and waitlist end, invites are void, its unread messages leave the badges, and `roomEvents` of it complete. What it held is deleted in the background. This cannot be undone. `FORBIDDEN` for others, and in a direct room.',
  limit: 'moderation',
  input: (t) => ({
    roomId: t.id({ required: true, description: 'A room that the viewer is an owner of.' }),
  }),
  resolve: async (viewer, { roomId }, { services }) => {
    const room = roomIdOf(roomId);
    await services.roomDeletion.deleteRoom(viewer, room);
    return { deletedRoomId: encodeId('Room', room) };
  },
  payload: (t) => ({
    deletedRoomId: t.exposeID('deletedRoomId', { description: 'The id that the room had.' }),
  }),
});
