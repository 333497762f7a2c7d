import { useI18n } from '../i18n/i18n.ts';
import { isFull, type RoomFromOutside } from './SeatChoice.tsx';

/** How many are in a room, of how many it has seats for, and who waits. */
export function Seats({ room }: { readonly room: RoomFromOutside }) {
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
