import { useLocation } from 'wouter';
import { OpenDirectRoomDocument } from '../generated/graphql.ts';
import { useSession } from '../session/session.ts';
import { roomPath } from '../shell/paths.ts';

/** Opens the viewer's direct room with certain people, and creates it if necessary. Rejects with `ApiError`. */
export function useDirect(): (userIds: readonly string[]) => Promise<void> {
  const { api, rooms } = useSession();
  const [, navigate] = useLocation();
  return async (userIds) => {
    const { openDirectRoom } = await rooms.changeMembership(
      () => api.mutate(OpenDirectRoomDocument, { input: { userIds: [...userIds] } }),
      (opened) => opened.openDirectRoom.room.id,
    );
    navigate(roomPath(openDirectRoom.room.id));
  };
}
