import { useEffect, useState } from 'react';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { RoomDocument } from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { useSession } from '../session/session.ts';
import ui from '../ui/ui.module.css';
import styles from './Outside.module.css';
import { RoomFace } from './RoomFace.tsx';
import { type RoomFromOutside, SeatChoice } from './SeatChoice.tsx';
import { Seats } from './Seats.tsx';
import { useOwnRooms } from './useOwnRooms.ts';

export interface OutsideProps {
  readonly roomId: string;
  /** The viewer has come to be in it. */
  readonly onIn: () => void;
}

/** Outsiders hear nothing of a room by themselves: while one waits, their place is asked for. */
const LOOK_EVERY_MS = 10_000;

/**
 * The page of a room that the viewer is not in. A public one says what it is, and how to get in. What they may not
 * see and what is not there are one page; only where they were a moment ago is called by its name.
 */
export default function Outside({ roomId, onIn }: OutsideProps) {
  const { t } = useI18n();
  const { rooms } = useSession();
  const [isKnown, setIsKnown] = useState(false);
  const [{ data }] = useQuery({
    query: RoomDocument,
    variables: { id: roomId },
    requestPolicy: 'cache-only',
  });
  const room = data?.room ?? undefined;
  const isWaiting = room?.waitlistPosition != null;
  const own = useOwnRooms();
  const isIn = isKnown && own?.some(({ room: { id } }) => id === roomId) === true;

  // What the cache has of it is from when the viewer was in it.
  useEffect(() => {
    let isOver = false;
    void Promise.all([rooms.refresh(), rooms.refreshRoom(roomId)]).then(() => isOver || setIsKnown(true));
    return () => {
      isOver = true;
    };
  }, [rooms, roomId]);

  useEffect(() => {
    if (isIn) onIn();
  }, [isIn, onIn]);

  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(() => {
      if (!document.hidden) void rooms.refreshRoom(roomId);
    }, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [rooms, roomId, isWaiting]);

  if (!isKnown || isIn) return <p className={styles.page}>{t('app.loading')}</p>;
  const lost = rooms.lost(roomId);
  return (
    <div className={styles.page}>
      {lost !== undefined && room !== undefined && (
        <p className={styles.lost} role="status">
          {t('outside.lost', { name: lost })}
        </p>
      )}
      {room === undefined ? <Absent lost={lost} /> : <Door room={room} onIn={onIn} />}
    </div>
  );
}

function Absent({ lost }: { readonly lost: string | undefined }) {
  const { t } = useI18n();
  return (
    <>
      <h1>{lost === undefined ? t('rooms.absent') : t('outside.lost', { name: lost })}</h1>
      <p>{t(lost === undefined ? 'rooms.absentHint' : 'outside.lostHint')}</p>
      <Link href="/" className={ui.quiet}>
        {t('outside.back')}
      </Link>
    </>
  );
}

function Door({ room, onIn }: { readonly room: RoomFromOutside; readonly onIn: () => void }) {
  const { t } = useI18n();
  return (
    <>
      <span className={styles.icon}>
        <RoomFace room={room} />
      </span>
      <h1 dir="auto">{room.name}</h1>
      {room.topic !== null && <p dir="auto">{room.topic}</p>}
      <p className={styles.seats}>
        <Seats room={room} />
      </p>
      <div className={styles.choice}>
        <SeatChoice room={room} onIn={onIn} />
      </div>
      <p className={styles.hint}>
        {t(room.waitlistPosition === null ? 'outside.hint' : 'outside.waitingHint')}
      </p>
      <Link href="/" className={`${ui.quiet} ${styles.back}`}>
        {t('outside.back')}
      </Link>
    </>
  );
}
