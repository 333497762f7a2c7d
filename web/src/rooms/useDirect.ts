import { useLocation } from 'wouter';
import { OpenDirectRoomDocument } from '../generated/graphql.ts';
import { useSession } from '../session/session.ts';
import { roomPath } from '../shell/paths.ts';

/** Opens the room that the viewer has with certain people, made if there is none. Rejects with `ApiError`. */
export function useDirect(): (userIds: readonly string[]) => Promise<void> {
  const { api, rooms } = useSession();
  const [, navigate] = useLocation();
  return async (userIds) => {
    const { openDirectRoom } = await rooms.deed(
      () => api.tell(OpenDirectRoomDocument, { input: { userIds: [...userIds] } }),
      (opened) => opened.openDirectRoom.room.id,
    );
    navigate(roomPath(openDirectRoom.room.id));
  };
}
