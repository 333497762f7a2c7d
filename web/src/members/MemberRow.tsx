import { Ellipsis } from 'lucide-react';
import { Suspense } from 'react';
import { useI18n } from '../i18n/i18n.ts';
import { AvatarButton, PersonButton } from '../people/PersonButton.tsx';
import { useSession } from '../session/session.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { lazyWithRetry } from '../ui/lazyWithRetry.ts';
import pane from '../ui/pane.module.css';
import type { MemberMenuProps } from './MemberMenu.tsx';

const MemberMenu = lazyWithRetry(() => import('./MemberMenu.tsx'));

export function MemberRow({ member, room, permissions }: MemberMenuProps) {
  const { t } = useI18n();
  const { viewer } = useSession();
  const { role, user } = member;
  // In a direct room all members are owners, so the role says nothing.
  const showsRole = role !== 'MEMBER' && room.visibility !== 'DIRECT';
  return (
    <li className={pane.person}>
      <AvatarButton person={user} />
      <span>
        <span className={pane.name}>
          <PersonButton userId={user.id} name={user.displayName} />
          {user.id === viewer.id && <span className={pane.you}>{t('members.you')}</span>}
        </span>
        {user.handle !== null && <small>@{user.handle}</small>}
      </span>
      {showsRole && <span className={pane.role}>{t(`role.${role}`)}</span>}
      <Suspense
        fallback={
          <IconButton label={t('members.menu', { name: user.displayName })} disabled>
            <Ellipsis />
          </IconButton>
        }
      >
        <MemberMenu member={member} room={room} permissions={permissions} />
      </Suspense>
    </li>
  );
}
