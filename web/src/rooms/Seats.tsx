import { useI18n } from '../i18n/i18n.ts';
import { isFull, type PreviewedRoom } from './SeatChoice.tsx';

/** The number of members, of seats and of users on the waitlist. */
export function Seats({ room }: { readonly room: PreviewedRoom }) {
  const { t } = useI18n();
  const { memberCount: count, capacity, waitingCount } = room;
  const seats =
    capacity === null
      ? t('rooms.members', { count })
      : t(isFull(room) ? 'seat.full' : 'rooms.capacity', { count, capacity });
  return (
    <span>
      {seats}
      {waitingCount > 0 && ` · ${t('seat.waiting', { count: waitingCount })}`}
    </span>
  );
}
