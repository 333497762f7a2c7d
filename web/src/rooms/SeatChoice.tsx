import { useEffect, useState } from 'react';
import type { RoomPartsFragment, WaitlistPartsFragment } from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { useSession } from '../session/session.ts';
import { BusyButton } from '../ui/BusyButton.tsx';
import ui from '../ui/ui.module.css';
import styles from './rooms.module.css';
import { useSeat } from './useSeat.ts';

/** A public room as non-members see it. */
export type PreviewedRoom = Readonly<RoomPartsFragment & WaitlistPartsFragment>;

/** The server's limit for a waitlist. */
const WAITLIST_MAX = 100;

export const isFull = ({ capacity, memberCount, waitingCount }: PreviewedRoom): boolean =>
  waitingCount > 0 || (capacity !== null && memberCount >= capacity);

export interface SeatChoiceProps {
  readonly room: PreviewedRoom;
  /** Called when the viewer has a seat. */
  readonly onJoined: () => void;
  /** Called when the viewer tried to join, and is banned. */
  readonly onBanned?: () => void;
}

/**
 * Joins a room, or joins and leaves its waitlist if it is full. Only an attempt shows that the viewer is banned: then
 * it says so, and offers nothing until it is shown again.
 */
export function SeatChoice({ room, onJoined, onBanned }: SeatChoiceProps) {
  const { t } = useI18n();
  const { rooms } = useSession();
  const seat = useSeat(room);
  const [isBusy, setIsBusy] = useState(false);
  const { id, name, waitlistPosition, waitingCount } = room;
  const isWaiting = waitlistPosition !== null;

  const { isBanned } = seat;
  useEffect(() => {
    if (isBanned) onBanned?.();
  }, [isBanned, onBanned]);
  useEffect(() => {
    if (isWaiting) rooms.setWaiting({ id, name }, true);
  }, [rooms, id, name, isWaiting]);

  const press = (action: () => Promise<unknown>) => async () => {
    setIsBusy(true);
    const isIn = await action();
    setIsBusy(false);
    if (isIn === true) onJoined();
  };

  if (isBanned) {
    return (
      <p className={ui.error} role="alert">
        {t('seat.banned', { name })}
      </p>
    );
  }
  if (isWaiting) {
    return (
      <span className={styles.seat}>
        <span className={styles.position} role="status">
          {t('seat.position', { position: waitlistPosition })}
        </span>
        <BusyButton
          className={ui.quiet}
          isBusy={isBusy}
          aria-label={t('seat.leaveWaitlistNamed', { name })}
          onClick={press(seat.leaveWaitlist)}
        >
          {t('seat.leaveWaitlist')}
        </BusyButton>
      </span>
    );
  }
  if (!isFull(room)) {
    return (
      <BusyButton
        className={ui.button}
        isBusy={isBusy}
        aria-label={t('directory.joinNamed', { name })}
        onClick={press(seat.join)}
      >
        {t('directory.join')}
      </BusyButton>
    );
  }
  return (
    <BusyButton
      className={ui.quiet}
      isBusy={isBusy || waitingCount >= WAITLIST_MAX}
      aria-label={t('seat.joinWaitlistNamed', { name })}
      onClick={press(seat.joinWaitlist)}
    >
      {t(waitingCount >= WAITLIST_MAX ? 'seat.waitlistFull' : 'seat.joinWaitlist')}
    </BusyButton>
  );
}
