import { useCallback, useEffect } from 'react';
import { useRead } from '../api/useRead.ts';
import { RoomDocument } from '../generated/graphql.ts';
import { useSession } from '../session/session.ts';
import ui from '../ui/ui.module.css';
import { Seats } from './Seats.tsx';
import { usePolled } from './usePolled.ts';

/** The seats of a room with a limit, and how many wait for one, for members. No event is sent for it. */
export function MemberSeats({ roomId }: { readonly roomId: string }) {
  const { rooms } = useSession();
  const room = useRead(RoomDocument, { id: roomId })?.room ?? undefined;
  const isLimited = room !== undefined && (room.capacity !== null || room.waitingCount > 0);
  const refresh = useCallback(() => rooms.refreshRoom(roomId), [rooms, roomId]);
  useEffect(() => {
    if (isLimited) void refresh();
  }, [refresh, isLimited]);
  usePolled(refresh, isLimited);
  if (!isLimited) return null;
  return (
    <p className={ui.soft}>
      <Seats room={room} />
    </p>
  );
}
