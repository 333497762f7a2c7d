import { BellOff, Bookmark, Compass, MessagesSquare, Pencil, Plus, Search, SquarePen } from 'lucide-react';
import { Suspense, useCallback, useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { ApiError } from '../api/errors.ts';
import { roomDraft } from '../composer/drafts.ts';
import { useI18n } from '../i18n/i18n.ts';
import { Bell } from '../notifications/Bell.tsx';
import type { OwnRoom } from '../rooms/list.ts';
import { useSections } from '../rooms/order.ts';
import { RoomFace } from '../rooms/RoomFace.tsx';
import type { Section } from '../rooms/sections.ts';
import { useTitle } from '../rooms/title.ts';
import { useOwnRooms } from '../rooms/useOwnRooms.ts';
import { isSavedPath } from '../saved/isSavedPath.ts';
import { FailedCount } from '../scheduled/FailedCount.tsx';
import type { PageConfig } from '../session/pageConfig.ts';
import { useSession } from '../session/session.ts';
import { useStore } from '../state/store.ts';
import { rememberRoom } from '../switcher/recentRooms.ts';
import { useSwitcherKey } from '../switcher/useSwitcherKey.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { lazyWithRetry } from '../ui/lazyWithRetry.ts';
import { Mark } from '../ui/Mark.tsx';
import ui from '../ui/ui.module.css';
import { useHasOneColumn } from '../ui/widths.ts';
import type { BadgeState } from '../unread/badge.ts';
import { AccountButton } from './AccountButton.tsx';
import { roomPath, SAVED_PATH, THREADS_PATH } from './paths.ts';
import styles from './Sidebar.module.css';

// Their scripts are loaded on a press, or before that by `Shell`, once the page is shown.
const Alerts = lazyWithRetry(
  () => import('../alerts/Alerts.tsx'),
  () => null,
);
const Account = lazyWithRetry(() => import('./Account.tsx'));
const Directory = lazyWithRetry(() => import('../rooms/Directory.tsx'));
const NewMessage = lazyWithRetry(() => import('../rooms/NewMessage.tsx'));
const CreateRoom = lazyWithRetry(() => import('../rooms/CreateRoom.tsx'));
const Switcher = lazyWithRetry(() => import('../switcher/Switcher.tsx'));

export interface SidebarProps {
  readonly config: PageConfig;
  readonly onSignOut: (why?: ApiError) => void;
  readonly onKeys: () => void;
  /** Someone has used the page, or it has been open for a while. */
  readonly isUsed: boolean;
}

const roomsOf = ({ rooms }: BadgeState) => rooms;

export function Sidebar({ config, onSignOut, onKeys, isUsed }: SidebarProps) {
  const { t } = useI18n();
  const [open, setOpen] = useState<'directory' | 'create' | 'message' | 'switcher'>();
  const [path] = useLocation();
  /** On a phone, the list of rooms is the first page. */
  const isPage = useHasOneColumn() && path === '/';
  const arranged = useSections();
  const isKnown = useOwnRooms() !== undefined;
  const { badge, viewer, drafts } = useSession();
  const written = useStore(drafts.all);
  const unread = useStore(badge, roomsOf);
  const openRoom = useOwnRooms()?.find(({ room }) => path.startsWith(roomPath(room.id)))?.room.id;
  useEffect(() => {
    if (openRoom !== undefined) rememberRoom(viewer.id, openRoom);
  }, [viewer.id, openRoom]);
  const close = () => setOpen(undefined);
  const openSwitcher = useCallback(() => setOpen('switcher'), []);
  useSwitcherKey(openSwitcher);
  const parts = {
    starred: { title: t('rooms.starred'), empty: '', tools: [] },
    own: { title: '', empty: '', tools: [] },
    rooms: {
      title: t('rooms.title'),
      empty: t('rooms.empty'),
      tools: [
        { label: t('rooms.browse'), icon: <Compass />, opens: 'directory' },
        { label: t('rooms.new'), icon: <Plus />, opens: 'create' },
      ],
    },
    direct: {
      title: t('rooms.direct'),
      empty: t('direct.empty'),
      tools: [{ label: t('direct.new'), icon: <SquarePen />, opens: 'message' }],
    },
  } as const;
  const hasNone = (kind: Section['kind']) =>
    !arranged.some(({ rooms }) =>
      rooms.some(({ room }) => (room.visibility === 'DIRECT') === (kind === 'direct')),
    );
  // Before the rooms are known, the sections would move when they appear.
  const sections = (isKnown ? arranged : []).map(({ key, kind, name, rooms }) => ({
    ...parts[kind],
    key,
    rooms,
    title: kind === 'own' ? name : parts[kind].title,
    isEmpty: rooms.length === 0 && hasNone(kind),
  }));

  return (
    <div
      id={isPage ? 'main' : undefined}
      role={isPage ? 'main' : 'complementary'}
      className={`${styles.sidebar} ${path === '/' ? '' : styles.behind}`}
    >
      {isPage && <h1 className="visually-hidden">{t('app.menu')}</h1>}
      <div className={styles.head}>
        <Link href="/" className={styles.brand}>
          <Mark />
          <span>{t('app.name')}</span>
        </Link>
        <IconButton label={t('switcher.open')} onClick={openSwitcher}>
          <Search />
        </IconButton>
        <Bell />
      </div>
      <nav className={styles.rooms} aria-label={t('app.menu')}>
        <Link
          href={THREADS_PATH}
          className={styles.room}
          aria-current={path === THREADS_PATH ? 'page' : undefined}
        >
          <span className={styles.sign}>
            <MessagesSquare aria-hidden="true" />
          </span>
          <span className={styles.name}>{t('threads.title')}</span>
        </Link>
        <Link href={SAVED_PATH} className={styles.room} aria-current={isSavedPath(path) ? 'page' : undefined}>
          <span className={styles.sign}>
            <Bookmark aria-hidden="true" />
          </span>
          <span className={styles.name}>{t('saved.title')}</span>
          <FailedCount />
        </Link>
        {!isKnown && <p className={styles.empty}>{t('app.loading')}</p>}
        {sections.map((section) => (
          <section key={section.key}>
            <div className={styles.title}>
              <h2 dir="auto">{section.title}</h2>
              <span>
                {section.tools.map(({ label, icon, opens }) => (
                  <IconButton key={opens} label={label} onClick={() => setOpen(opens)}>
                    {icon}
                  </IconButton>
                ))}
              </span>
            </div>
            <ul className="plain">
              {section.rooms.map((own) => (
                <li key={own.id}>
                  <RoomLink
                    own={own}
                    unread={unread.get(own.room.id) ?? 0}
                    isOpen={path.startsWith(roomPath(own.room.id))}
                    hasDraft={written.has(roomDraft(own.room.id))}
                  />
                </li>
              ))}
            </ul>
            {section.isEmpty && <p className={styles.empty}>{section.empty}</p>}
          </section>
        ))}
      </nav>
      <Suspense>{isUsed && <Alerts />}</Suspense>
      <Suspense fallback={<AccountButton disabled />}>
        <Account config={config} onSignOut={onSignOut} onKeys={onKeys} />
      </Suspense>
      <Suspense>
        {open === 'directory' && <Directory onClose={close} />}
        {open === 'message' && <NewMessage onClose={close} />}
        {open === 'create' && <CreateRoom onClose={close} />}
        {open === 'switcher' && (
          <Switcher open={setOpen} showKeys={onKeys} signOut={() => onSignOut()} onClose={close} />
        )}
      </Suspense>
    </div>
  );
}

interface RoomLinkProps {
  readonly own: OwnRoom;
  readonly unread: number;
  readonly isOpen: boolean;
  readonly hasDraft: boolean;
}

function RoomLink({ own: { room, muted }, unread, isOpen, hasDraft }: RoomLinkProps) {
  const { t } = useI18n();
  const title = useTitle()(room);
  const isMuted = muted ?? false;
  return (
    <Link
      href={roomPath(room.id)}
      className={`${styles.room} ${unread > 0 && !isMuted ? styles.unread : ''} ${isMuted ? styles.muted : ''}`}
      aria-current={isOpen ? 'page' : undefined}
    >
      <span className={styles.sign}>
        <RoomFace room={room} />
      </span>
      <span className={styles.name} dir="auto">
        {title}
      </span>
      {hasDraft && !isOpen && <Pencil aria-hidden="true" className={styles.quiet} />}
      {isMuted && <BellOff aria-hidden="true" className={styles.quiet} />}
      {unread > 0 && (
        <span
          key={unread}
          aria-hidden="true"
          className={`${ui.badge} ${isMuted ? ui.badgeMuted : ''} ${styles.count}`}
        >
          {unread > 999 ? '999+' : unread}
        </span>
      )}
      <span className="visually-hidden">
        {t('rooms.state', { unread, muted: isMuted ? 'yes' : 'no' })}
        {hasDraft && !isOpen && t('rooms.draft')}
      </span>
    </Link>
  );
}
