import { Suspense } from 'react';
import { useI18n } from '../i18n/i18n.ts';
import { useStore } from '../state/store.ts';
import { useRoom } from '../timeline/RoomContext.ts';
import type { RoomState } from '../timeline/roomState.ts';
import { lazyWithRetry } from '../ui/lazyWithRetry.ts';
import { RoomFace } from './RoomFace.tsx';
import styles from './RoomStart.module.css';

const FirstSteps = lazyWithRetry(() => import('./FirstSteps.tsx'));

const hasNoMessages = ({ timeline }: RoomState) => timeline.ids.length === 0 && !timeline.hasNewer;

/** The beginning of the room's timeline. */
export function RoomStart() {
  const { t } = useI18n();
  const { room, roomId, roomName, store } = useRoom();
  const isEmpty = useStore(store, hasNoMessages);
  if (room === undefined) return null;
  const isDirect = room.visibility === 'DIRECT';
  return (
    <div className={styles.start}>
      <span className={isDirect ? styles.faces : styles.icon}>
        <RoomFace room={room} size={3} />
      </span>
      <p>{isDirect ? roomName : t('timeline.start', { name: roomName })}</p>
      {isDirect && <small>{t('direct.start')}</small>}
      {!isDirect && isEmpty && (
        <Suspense>
          <FirstSteps roomId={roomId} />
        </Suspense>
      )}
    </div>
  );
}
