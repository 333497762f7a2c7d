import { useEffect } from 'react';
import { useI18n } from '../i18n/i18n.ts';
import { useTitle } from '../rooms/title.ts';
import { useOwnRooms } from '../rooms/useOwnRooms.ts';
import { useSession } from '../session/session.ts';
import { useToast } from '../ui/Toasts.tsx';
import type { Outgoing } from './outbox.ts';

/** Shows a toast if the server refused a message outside the open room or thread. A visible message shows it itself. */
export function RefusalToasts() {
  const { t, problem } = useI18n();
  const { outbox, openRoom, rooms } = useSession();
  const own = useOwnRooms();
  const toast = useToast();
  const titleOf = useTitle();
  useEffect(() => {
    const isOpen = ({ roomId, replyTo }: Outgoing) => {
      const open = openRoom.get();
      return open?.roomId === roomId && (replyTo === null || open.store.get().thread?.root === replyTo);
    };
    return outbox.onRefused((refused) => {
      if (isOpen(refused)) return;
      const why = problem({ code: refused.why ?? 'INTERNAL', reason: refused.reason });
      const room = own?.find((one) => one.room.id === refused.roomId)?.room;
      const name = room === undefined ? rooms.formerName(refused.roomId) : titleOf(room);
      toast(name === undefined ? t('message.refused', { why }) : t('message.refusedIn', { name, why }));
    });
  }, [outbox, openRoom, rooms, own, toast, titleOf, t, problem]);
  return null;
}
