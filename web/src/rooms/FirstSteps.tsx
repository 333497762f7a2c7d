import { Link2, Pencil, UserPlus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { CreateInviteDocument } from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { InviteLink } from '../invites/InviteLink.tsx';
import { permissionsOf } from '../members/permissions.ts';
import { useSession } from '../session/session.ts';
import { invitePath } from '../shell/paths.ts';
import { lazyWithRetry } from '../ui/lazyWithRetry.ts';
import { useAttempt } from '../ui/Toasts.tsx';
import { useCopy } from '../ui/useCopy.ts';
import styles from './RoomStart.module.css';
import { useCachedRoom } from './useCachedRoom.ts';

const AddMembers = lazyWithRetry(() => import('../members/AddMembers.tsx'));
const RoomSettings = lazyWithRetry(() => import('./RoomSettings.tsx'));

/** How long the copied link is valid, in hours: a week, as the dialog for links suggests. */
const LINK_HOURS = 168;
const TIPS = ['start.tipOffline', 'start.tipUnread', 'start.tipSeats'] as const;

/** In a room without messages: what its owner or moderator does first, and three things to try. */
export default function FirstSteps({ roomId }: { readonly roomId: string }) {
  const { t } = useI18n();
  const room = useCachedRoom(roomId);
  const { api } = useSession();
  const attempt = useAttempt();
  const copy = useCopy();
  const [open, setOpen] = useState<'add' | 'settings'>();
  /** Of a new invite, if it could not be copied. */
  const [link, setLink] = useState<string>();
  const close = () => setOpen(undefined);
  if (room === undefined) return null;
  const permissions = permissionsOf(room.visibility, room.viewerMembership?.role);
  const newLink = async () => {
    const input = { roomId, expiresInHours: LINK_HOURS };
    const { createInvite } = await api.mutate(CreateInviteDocument, { input });
    return `${location.origin}${invitePath(createInvite.code)}`;
  };
  // Some browsers allow no copying after a request, and the server returns the code only once.
  const copyLink = async () => {
    const made = link ?? (await newLink());
    setLink((await copy(made, t('start.linkCopied'))) ? undefined : made);
  };
  return (
    <>
      {permissions.canInvite && (
        <div className={styles.steps}>
          <button type="button" onClick={() => setOpen('add')}>
            <UserPlus aria-hidden="true" /> {t('members.addPeople')}
          </button>
          <button type="button" onClick={() => void attempt(copyLink)}>
            <Link2 aria-hidden="true" /> {t('start.copyInvite')}
          </button>
          {permissions.canRename && room.topic === null && (
            <button type="button" onClick={() => setOpen('settings')}>
              <Pencil aria-hidden="true" /> {t('start.setTopic')}
            </button>
          )}
        </div>
      )}
      {link !== undefined && <InviteLink link={link} isSelected />}
      <ul className={styles.tips}>
        {TIPS.map((tip) => (
          <li key={tip}>{t(tip)}</li>
        ))}
      </ul>
      <Suspense>
        {open === 'add' && <AddMembers room={room} onClose={close} />}
        {open === 'settings' && <RoomSettings room={room} permissions={permissions} onClose={close} />}
      </Suspense>
    </>
  );
}
