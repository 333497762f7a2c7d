import { type ReactNode, useEffect, useState } from 'react';
import { useRead } from '../api/useRead.ts';
import { WaitlistsDocument } from '../generated/graphql.ts';
import { useSession } from '../session/session.ts';
import styles from './rooms.module.css';
import type { PreviewedRoom } from './SeatChoice.tsx';
import { useRoomTexts } from './texts.ts';
import { useOwnRooms } from './useOwnRooms.ts';
import { usePolled } from './usePolled.ts';

/**
 * The rooms that the viewer waits for. A public room that the viewer begins to wait for stays in the list below, where
 * the focus is, until the directory is opened again.
 */
export function useWaitedFor(): readonly PreviewedRoom[] {
  const { rooms } = useSession();
  const own = useOwnRooms();
  const listed = useRead(WaitlistsDocument, {})?.viewer.waitlists.edges.map(({ node }) => node);
  const [first, setFirst] = useState<ReadonlySet<string>>();
  if (first === undefined && listed !== undefined) {
    setFirst(new Set(listed.filter(({ waitlistPosition }) => waitlistPosition !== null).map(({ id }) => id)));
  }
  const refresh = rooms.refreshWaitlists;
  useEffect(() => void refresh(), [refresh]);
  usePolled(refresh, listed !== undefined && listed.length > 0);
  const isIn = (id: string) => own?.some(({ room }) => room.id === id) === true;
  return (listed ?? []).filter(({ id, visibility, waitlistPosition }) =>
    visibility === 'PUBLIC' ? first?.has(id) === true : waitlistPosition !== null || isIn(id),
  );
}

export interface WaitingProps {
  readonly rooms: readonly PreviewedRoom[];
  readonly children: (room: PreviewedRoom) => ReactNode;
}

/** The list above the public rooms. A private room that the viewer waits for is nowhere else. */
export function Waiting({ rooms, children }: WaitingProps) {
  const texts = useRoomTexts();
  if (rooms.length === 0) return null;
  return (
    <>
      <h3 className={styles.part} id="waiting">
        {texts.waiting}
      </h3>
      <ul className={styles.directory} aria-labelledby="waiting">
        {rooms.map((room) => (
          <li key={room.id}>{children(room)}</li>
        ))}
      </ul>
      <h3 className={styles.part}>{texts.all}</h3>
    </>
  );
}
