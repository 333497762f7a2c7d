import { type Ref, useCallback, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { useRead } from '../api/useRead.ts';
import { RoomDocument } from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { useSession } from '../session/session.ts';
import { isFocusLost } from '../ui/isFocusLost.ts';
import ui from '../ui/ui.module.css';
import { RoomFace } from './RoomFace.tsx';
import styles from './RoomPreview.module.css';
import { type PreviewedRoom, SeatChoice } from './SeatChoice.tsx';
import { Seats } from './Seats.tsx';
import { useRoomTexts } from './texts.ts';
import { useOwnRooms } from './useOwnRooms.ts';
import { usePolled } from './usePolled.ts';

export interface RoomPreviewProps {
  readonly roomId: string;
  /** Called when the viewer is a member. */
  readonly onJoined: () => void;
}

/**
 * The page of a room that the viewer is not a member of. It describes a public room and offers to join. It does not
 * distinguish rooms without access from rooms that do not exist, except that a room which the viewer could see before
 * is named.
 */
export default function RoomPreview({ roomId, onJoined }: RoomPreviewProps) {
  const { t } = useI18n();
  const texts = useRoomTexts();
  const { rooms } = useSession();
  const [isKnown, setIsKnown] = useState(false);
  const room = useRead(RoomDocument, { id: roomId })?.room ?? undefined;
  const isWaiting = room?.waitlistPosition != null;
  const own = useOwnRooms();
  const isIn = isKnown && own?.some(({ room: { id } }) => id === roomId) === true;

  // The cache may still have the state from when the viewer was a member.
  useEffect(() => {
    let isOver = false;
    void Promise.all([rooms.refresh(), rooms.refreshRoom(roomId)]).then(() => isOver || setIsKnown(true));
    return () => {
      isOver = true;
    };
  }, [rooms, roomId]);

  useEffect(() => {
    if (isIn) onJoined();
  }, [isIn, onJoined]);

  const refresh = useCallback(() => rooms.refreshRoom(roomId), [rooms, roomId]);
  usePolled(refresh, isWaiting);

  const lost = rooms.formerName(roomId);
  const [name, setName] = useState<string>();
  if (room !== undefined && room.name !== name) setName(room.name);
  // The viewer did not leave the waitlist here, but has no place on it any more.
  const awaited = rooms.awaitedName(roomId);
  const lostPlace = !isWaiting && lost === undefined ? awaited : undefined;
  const isLoading = !isKnown || isIn;
  // What had the focus is gone with the room.
  const heading = useRef<HTMLHeadingElement>(null);
  const hasLost = lost !== undefined && !isLoading;
  useEffect(() => {
    if (hasLost && isFocusLost()) heading.current?.focus();
  }, [hasLost]);

  if (isLoading) return <p className={styles.page}>{t('app.loading')}</p>;
  return (
    <div className={styles.page}>
      {(lost !== undefined || lostPlace !== undefined) && room !== undefined && (
        <p className={styles.lost} role="status">
          {lost !== undefined
            ? t('preview.formerMember', { name: lost })
            : `${texts.lostPlace(room.name)} ${texts.lostPlaceHint}`}
        </p>
      )}
      {room === undefined ? (
        <Absent heading={heading} lost={lost} name={lostPlace ?? name} />
      ) : (
        <JoinPreview key={room.id} heading={heading} room={room} onJoined={onJoined} />
      )}
    </div>
  );
}

interface WithHeading {
  readonly heading: Ref<HTMLHeadingElement>;
}

interface AbsentProps extends WithHeading {
  /** The name of a room that the viewer was in. */
  readonly lost: string | undefined;
  /** The name of a room that the viewer could see before. */
  readonly name: string | undefined;
}

function Absent({ heading, lost, name }: AbsentProps) {
  const { t } = useI18n();
  const texts = useRoomTexts();
  const [title, hint] =
    lost !== undefined
      ? [t('preview.formerMember', { name: lost }), t('preview.formerMemberHint')]
      : name !== undefined
        ? [texts.gone(name), texts.goneHint]
        : [t('rooms.notFound'), t('rooms.notFoundHint')];
  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      <p>{hint}</p>
      <Link href="/" className={ui.quiet}>
        {t('rooms.backToList')}
      </Link>
    </>
  );
}

interface JoinPreviewProps extends WithHeading {
  readonly room: PreviewedRoom;
  readonly onJoined: () => void;
}

function JoinPreview({ heading, room, onJoined }: JoinPreviewProps) {
  const { t } = useI18n();
  const [isBanned, setIsBanned] = useState(false);
  const onBanned = useCallback(() => setIsBanned(true), []);
  return (
    <>
      <span className={styles.icon}>
        <RoomFace room={room} />
      </span>
      <h1 ref={heading} tabIndex={-1} dir="auto">
        {room.name}
      </h1>
      {room.topic !== null && <p dir="auto">{room.topic}</p>}
      <p className={styles.seats}>
        <Seats room={room} />
      </p>
      <div className={styles.choice}>
        <SeatChoice room={room} onJoined={onJoined} onBanned={onBanned} />
      </div>
      {!isBanned && (
        <p className={styles.hint}>
          {t(room.waitlistPosition === null ? 'preview.hint' : 'preview.waitingHint')}
        </p>
      )}
      <Link href="/" className={`${ui.quiet} ${styles.back}`}>
        {t('rooms.backToList')}
      </Link>
    </>
  );
}
