import { useI18n } from '../i18n/i18n.ts';
import { useRoom } from '../timeline/RoomContext.ts';
import { RoomFace } from './RoomFace.tsx';
import styles from './RoomStart.module.css';

/** The beginning of the room's timeline. */
export function RoomStart() {
  const { t } = useI18n();
  const { room, roomName } = useRoom();
  if (room === undefined) return null;
  const isDirect = room.visibility === 'DIRECT';
  return (
    <div className={styles.start}>
      <span className={isDirect ? styles.faces : styles.icon}>
        <RoomFace room={room} size={3} />
      </span>
      <p>{isDirect ? roomName : t('timeline.start', { name: roomName })}</p>
      {isDirect && <small>{t('direct.start')}</small>}
    </div>
  );
}
