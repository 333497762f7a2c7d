import { useEffect } from 'react';
import { useI18n } from '../i18n/i18n.ts';
import { useSession } from '../session/session.ts';
import { useToast } from '../ui/Toasts.tsx';
import { useTitle } from './title.ts';

/** Reports that another user added the viewer to a room or removed them from it, or that they received a seat. */
export function MembershipToasts() {
  const { t } = useI18n();
  const { rooms } = useSession();
  const toast = useToast();
  const titleOf = useTitle();
  useEffect(
    () =>
      rooms.onChange(({ kind, room }) => {
        // The badge shows new direct rooms.
        if (room.visibility !== 'DIRECT') toast(t(`membership.${kind}`, { name: titleOf(room) }));
      }),
    [rooms, toast, t, titleOf],
  );
  return null;
}
