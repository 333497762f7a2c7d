import { useEffect } from 'react';
import { useI18n } from '../i18n/i18n.ts';
import { useSession } from '../session/session.ts';
import { useToast } from '../ui/Toasts.tsx';
import { useTitle } from './title.ts';

/** Says so when somebody else has brought the viewer into a room or out of one, or a seat has come. */
export function RoomNewsToasts() {
  const { t } = useI18n();
  const { rooms } = useSession();
  const toast = useToast();
  const titleOf = useTitle();
  useEffect(
    () =>
      rooms.onNews(({ what, room }) => {
        // That somebody writes to the viewer, the badge says.
        if (room.visibility !== 'DIRECT') toast(t(`news.${what}`, { name: titleOf(room) }));
      }),
    [rooms, toast, t, titleOf],
  );
  return null;
}
