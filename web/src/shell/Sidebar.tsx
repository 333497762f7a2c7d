import { Compass, Hash, Lock, Plus } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useI18n } from '../i18n/i18n.ts';
import { Bell } from '../notifications/Bell.tsx';
import { useRoomsInOrder } from '../rooms/order.ts';
import { type OwnRoom, useOwnRooms } from '../rooms/rooms.ts';
import type { PageConfig } from '../session/pageConfig.ts';
import { useSession } from '../session/session.ts';
import { useStore } from '../state/store.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { Mark } from '../ui/Mark.tsx';
import ui from '../ui/ui.module.css';
import type { BadgeState } from '../unread/badge.ts';
import { AccountButton } from './AccountButton.tsx';
import { roomPath } from './paths.ts';
import styles from './Sidebar.module.css';

// What comes with a press has its script then; `Shell` asks for it before, when there is time.
const Account = lazy(() => import('./Account.tsx'));
const Directory = lazy(() => import('../rooms/Directory.tsx'));
const CreateRoom = lazy(() => import('../rooms/CreateRoom.tsx'));

export interface SidebarProps {
  readonly config: PageConfig;
  readonly onSignOut: () => void;
  readonly onKeys: () => void;
}

const roomsOf = ({ rooms }: BadgeState) => rooms;

export function Sidebar({ config, onSignOut, onKeys }: SidebarProps) {
  const { t } = useI18n();
  const [open, setOpen] = useState<'directory' | 'create'>();
  const [path] = useLocation();
  const rooms = useRoomsInOrder();
  const isKnown = useOwnRooms() !== undefined;
  const unread = useStore(useSession().badge, roomsOf);
  const sections = [
    { title: t('rooms.title'), rooms: rooms.filter(({ room }) => room.visibility !== 'DIRECT') },
    { title: t('rooms.direct'), rooms: rooms.filter(({ room }) => room.visibility === 'DIRECT') },
  ].filter((section, index) => index === 0 || section.rooms.length > 0);

  return (
    <aside className={`${styles.sidebar} ${path === '/' ? '' : styles.behind}`}>
      <header className={styles.head}>
        <Link href="/" className={styles.brand}>
          <Mark />
          <span>{t('app.name')}</span>
        </Link>
        <Bell />
      </header>
      <nav className={styles.rooms} aria-label={t('app.menu')}>
        {sections.map((section, index) => (
          <section key={section.title}>
            <div className={styles.title}>
              <h2>{section.title}</h2>
              {index === 0 && (
                <span>
                  <IconButton label={t('rooms.browse')} onClick={() => setOpen('directory')}>
                    <Compass />
                  </IconButton>
                  <IconButton label={t('rooms.new')} onClick={() => setOpen('create')}>
                    <Plus />
                  </IconButton>
                </span>
              )}
            </div>
            <ul className="plain">
              {section.rooms.map((own) => (
                <li key={own.id}>
                  <RoomLink
                    own={own}
                    unread={unread.get(own.room.id) ?? 0}
                    isOpen={path.startsWith(roomPath(own.room.id))}
                  />
                </li>
              ))}
            </ul>
            {isKnown && section.rooms.length === 0 && <p className={styles.empty}>{t('rooms.empty')}</p>}
          </section>
        ))}
      </nav>
      <Suspense fallback={<AccountButton />}>
        <Account config={config} onSignOut={onSignOut} onKeys={onKeys} />
      </Suspense>
      <Suspense>
        {open === 'directory' && <Directory onClose={() => setOpen(undefined)} />}
        {open === 'create' && <CreateRoom onClose={() => setOpen(undefined)} />}
      </Suspense>
    </aside>
  );
}

interface RoomLinkProps {
  readonly own: OwnRoom;
  readonly unread: number;
  readonly isOpen: boolean;
}

function RoomLink({ own: { room, muted }, unread, isOpen }: RoomLinkProps) {
  const { t } = useI18n();
  const isMuted = muted ?? false;
  return (
    <Link
      href={roomPath(room.id)}
      className={`${styles.room} ${unread > 0 && !isMuted ? styles.unread : ''} ${isMuted ? styles.muted : ''}`}
      aria-current={isOpen ? 'page' : undefined}
    >
      <RoomIcon room={room} />
      <span className={styles.name} dir="auto">
        {room.name}
      </span>
      {unread > 0 && (
        <span
          key={unread}
          aria-hidden="true"
          className={`${ui.badge} ${isMuted ? ui.badgeMuted : ''} ${styles.count}`}
        >
          {unread > 999 ? '999+' : unread}
        </span>
      )}
      <span className="visually-hidden">{t('rooms.state', { unread, muted: isMuted ? 'yes' : 'no' })}</span>
    </Link>
  );
}

function RoomIcon({ room }: { readonly room: OwnRoom['room'] }) {
  if (room.visibility === 'DIRECT')
    return <Avatar person={{ id: room.id, displayName: room.name }} size={1.4} />;
  return room.visibility === 'PRIVATE' ? <Lock aria-hidden="true" /> : <Hash aria-hidden="true" />;
}
