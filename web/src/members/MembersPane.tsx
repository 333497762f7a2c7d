import { UserPlus, UserX, X } from 'lucide-react';
import { type RefObject, Suspense, useRef, useState } from 'react';
import type { RoomPartsFragment } from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { MemberSeats } from '../rooms/MemberSeats.tsx';
import { useRoom } from '../timeline/RoomContext.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { lazyWithRetry } from '../ui/lazyWithRetry.ts';
import { PaneTitle } from '../ui/PaneTitle.tsx';
import pane from '../ui/pane.module.css';
import ui from '../ui/ui.module.css';
import { useEscape } from '../ui/useEscape.ts';
import type { Opener } from '../ui/useOpener.ts';
import { MemberRow } from './MemberRow.tsx';
import { permissionsOf } from './permissions.ts';
import { useMembers } from './useMembers.ts';
import { useMembersFocus } from './useMembersFocus.ts';

const AddMembers = lazyWithRetry(() => import('./AddMembers.tsx'));
const Bans = lazyWithRetry(() => import('./Bans.tsx'));

export interface MembersPaneProps {
  readonly room: Readonly<RoomPartsFragment>;
  readonly opener: RefObject<Opener | undefined>;
  readonly onClose: () => void;
}

/** The members of the room and their roles, live, with the actions that the viewer's role allows. */
export default function MembersPane({ room, opener, onClose }: MembersPaneProps) {
  const { t, number } = useI18n();
  useEscape(onClose);
  const heading = useRef<HTMLHeadingElement>(null);
  useMembersFocus(heading, opener);
  const { members, role } = useRoom();
  const { status, inOrder, hasMore } = useMembers();
  const [open, setOpen] = useState<'add' | 'bans'>();
  const permissions = permissionsOf(room.visibility, role);
  const close = () => setOpen(undefined);
  return (
    <aside className={pane.pane} aria-label={t('members.title')}>
      <header className={pane.head}>
        <PaneTitle ref={heading}>
          {t('members.title')} <span className={pane.number}>{number(room.memberCount)}</span>
        </PaneTitle>
        <span className={pane.tools}>
          {permissions.canInvite && (
            <>
              <IconButton label={t('members.bans')} onClick={() => setOpen('bans')}>
                <UserX />
              </IconButton>
              <IconButton label={t('members.addPeople')} onClick={() => setOpen('add')}>
                <UserPlus />
              </IconButton>
            </>
          )}
          <IconButton label={t('app.close')} onClick={onClose}>
            <X />
          </IconButton>
        </span>
      </header>
      <div className={pane.body}>
        <MemberSeats roomId={room.id} />
        {status === 'loading' && <p className={ui.soft}>{t('app.loading')}</p>}
        <ul className="plain">
          {inOrder.map((member) => (
            <MemberRow key={member.id} member={member} room={room} permissions={permissions} />
          ))}
        </ul>
        {hasMore && (
          <button type="button" className={ui.quiet} onClick={() => void members.more()}>
            {t('members.more')}
          </button>
        )}
      </div>
      <Suspense>
        {open === 'add' && <AddMembers room={room} onClose={close} />}
        {open === 'bans' && <Bans room={room} onClose={close} />}
      </Suspense>
    </aside>
  );
}
