import { useEffect, useState } from 'react';
import type { LinePartsFragment, RoomPartsFragment } from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { useSession } from '../session/session.ts';
import ui from '../ui/ui.module.css';
import styles from './rooms.module.css';
import { useSeat } from './useSeat.ts';

/** A public room as who is not in it sees it. */
export type RoomFromOutside = Readonly<RoomPartsFragment & LinePartsFragment>;

/** As long as the server lets the line grow. */
const LINE_MAX = 100;

export const isFull = ({ capacity, memberCount, waitingCount }: RoomFromOutside): boolean =>
  waitingCount > 0 || (capacity !== null && memberCount >= capacity);

export interface SeatChoiceProps {
  readonly room: RoomFromOutside;
  /** The viewer has a seat. */
  readonly onIn: () => void;
}

/** To join a room; where it is full, to stand in line, and to leave that. */
export function SeatChoice({ room, onIn }: SeatChoiceProps) {
  const { t } = useI18n();
  const { rooms } = useSession();
  const seat = useSeat(room);
  const [isBusy, setIsBusy] = useState(false);
  const { id, name, waitlistPosition, waitingCount } = room;
  const isWaiting = waitlistPosition !== null;

  useEffect(() => {
    if (isWaiting) rooms.waits(id, true);
  }, [rooms, id, isWaiting]);

  const press = (act: () => Promise<unknown>) => async () => {
    setIsBusy(true);
    const isIn = await act();
    setIsBusy(false);
    if (isIn === true) onIn();
  };

  if (isWaiting) {
    return (
      <span className={styles.seat}>
        <span className={styles.place} role="status">
          {t('seat.place', { place: waitlistPosition })}
        </span>
        <button
          type="button"
          className={ui.quiet}
          disabled={isBusy}
          aria-label={t('seat.giveUpNamed', { name })}
          onClick={press(seat.giveUp)}
        >
          {t('seat.giveUp')}
        </button>
      </span>
    );
  }
  if (!isFull(room)) {
    return (
      <button
        type="button"
        className={ui.button}
        disabled={isBusy}
        aria-label={t('directory.joinNamed', { name })}
        onClick={press(seat.join)}
      >
        {t('directory.join')}
      </button>
    );
  }
  return (
    <button
      type="button"
      className={ui.quiet}
      disabled={isBusy || waitingCount >= LINE_MAX}
      aria-label={t('seat.waitNamed', { name })}
      onClick={press(seat.wait)}
    >
      {t(waitingCount >= LINE_MAX ? 'seat.lineFull' : 'seat.wait')}
    </button>
  );
}
