import { Ellipsis, Users } from 'lucide-react';
import { Suspense } from 'react';
import { useI18n } from '../i18n/i18n.ts';
import { AvatarButton, PersonButton } from '../people/PersonButton.tsx';
import { useSession } from '../session/session.ts';
import { BackLink } from '../shell/BackLink.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { lazyWithRetry } from '../ui/lazyWithRetry.ts';
import pane from '../ui/pane.module.css';
import { RoomFace } from './RoomFace.tsx';
import styles from './RoomHeader.module.css';
import { othersIn, useTitle } from './title.ts';
import type { MemberRoom } from './useCachedRoom.ts';

const RoomMenu = lazyWithRetry(() => import('./RoomMenu.tsx'));

export interface RoomHeaderProps {
  readonly room: MemberRoom;
  readonly showsMembers: boolean;
  readonly onMembers: () => void;
}

/** The room's title, topic and number of members, and its menu. */
export function RoomHeader({ room, showsMembers, onMembers }: RoomHeaderProps) {
  const { t, number } = useI18n();
  const { viewer } = useSession();
  const name = useTitle()(room);
  const others = othersIn(room, viewer.id);
  // With more people the members have their names.
  const person = others?.length === 1 ? others[0] : undefined;
  const members =
    room.capacity === null
      ? t('rooms.members', { count: room.memberCount })
      : t('rooms.capacity', { count: room.memberCount, capacity: room.capacity });
  return (
    <header className={pane.head}>
      <BackLink roomId={room.id} isMuted={room.viewerMembership?.muted ?? false} />
      {room.visibility !== 'PUBLIC' && (
        <span className={styles.face}>
          <RoomFace room={room} size={2} face={AvatarButton} />
        </span>
      )}
      <div className={styles.title}>
        <h1 dir="auto">{person === undefined ? name : <PersonButton userId={person.id} name={name} />}</h1>
        {room.topic !== null && <p dir="auto">{room.topic}</p>}
      </div>
      <button
        type="button"
        className={styles.members}
        aria-pressed={showsMembers}
        aria-label={members}
        onClick={onMembers}
      >
        <Users aria-hidden="true" /> <span>{number(room.memberCount)}</span>
      </button>
      <Suspense
        fallback={
          <IconButton label={t('room.menu', { name })} disabled>
            <Ellipsis />
          </IconButton>
        }
      >
        <RoomMenu room={room} onShowMembers={() => showsMembers || onMembers()} />
      </Suspense>
    </header>
  );
}
