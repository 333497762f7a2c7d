import { useMemo } from 'react';
import { useI18n } from '../i18n/i18n.ts';
import type { OwnRoom } from './list.ts';
import { useTitle } from './title.ts';
import { useOwnRooms } from './useOwnRooms.ts';

/** The viewer's rooms in the order of the list: rooms by name, then direct rooms. */
export function useRoomsInOrder(): readonly OwnRoom[] {
  const rooms = useOwnRooms();
  const { language } = useI18n();
  const titleOf = useTitle();
  return useMemo(() => {
    const collator = new Intl.Collator(language, { numeric: true });
    const isDirect = ({ room }: OwnRoom) => (room.visibility === 'DIRECT' ? 1 : 0);
    return [...(rooms ?? [])].sort(
      (one, other) =>
        isDirect(one) - isDirect(other) || collator.compare(titleOf(one.room), titleOf(other.room)),
    );
  }, [rooms, language, titleOf]);
}
