import { Dialog } from '@base-ui/react/dialog';
import { CheckCheck, X } from 'lucide-react';
import { type CSSProperties, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useI18n } from '../i18n/i18n.ts';
import { Cards } from '../people/Cards.tsx';
import { useSession } from '../session/session.ts';
import { useStore } from '../state/store.ts';
import { AllOrUnread } from '../ui/AllOrUnread.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { Layer } from '../ui/Layer.tsx';
import { useAttempt, useToast } from '../ui/Toasts.tsx';
import { Body } from './Body.tsx';
import { createNotifications, type Notifications } from './notifications.ts';
import styles from './Panel.module.css';
import { createReadMarker, type ReadMarker } from './readMarker.ts';

export interface PanelProps {
  /** The top edge in pixels. On a phone the panel fills the screen. */
  readonly below: number;
  readonly onClose: () => void;
}

/** The viewer's notifications, live while the panel is open. */
export default function Panel({ below, onClose }: PanelProps) {
  const popup = useRef<HTMLDivElement>(null);
  const opened = useOpened();
  return (
    <Dialog.Root open onOpenChange={(isOpen) => isOpen || onClose()}>
      <Layer of={Dialog.Portal} onBack={onClose}>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup
          ref={popup}
          // The panel itself, not its first button, because Enter would press that.
          initialFocus={popup}
          className={styles.panel}
          style={{ '--below': `${below}px` } as CSSProperties}
          onKeyDown={onKey}
        >
          {/* Cards that are opened from here must be a part of the dialog: what is beside it cannot be used. */}
          <Cards>{opened !== undefined && <Content {...opened} onClose={onClose} />}</Cards>
        </Dialog.Popup>
      </Layer>
    </Dialog.Root>
  );
}

interface Opened {
  readonly notifications: Notifications;
  readonly readMarker: ReadMarker;
}

function useOpened(): Opened | undefined {
  const { api, badge } = useSession();
  const { problem } = useI18n();
  const toast = useToast();
  const [opened, setOpened] = useState<Opened>();
  useEffect(() => {
    const notifications = createNotifications(api);
    const readMarker = createReadMarker({
      api,
      badge,
      onRead: notifications.applyAnswer,
      onProblem: (error) => toast(problem(error)),
    });
    setOpened({ notifications, readMarker });
    return () => {
      notifications.close();
      readMarker.stop();
    };
  }, [api, badge, toast, problem]);
  return opened;
}

function Content({ notifications, readMarker, onClose }: Opened & Pick<PanelProps, 'onClose'>) {
  const { t } = useI18n();
  const attempt = useAttempt();
  const { listing, announcement } = useStore(notifications);
  const count = useStore(useSession().badge).notifications;

  return (
    <>
      <header className={styles.head}>
        <Dialog.Title>{t('notifications.title')}</Dialog.Title>
        <AllOrUnread filter={listing.filter} onChange={notifications.show} />
        <IconButton
          label={t('notifications.readAll')}
          disabled={count === 0 && listing.fresh.size === 0}
          onClick={() => void attempt(() => notifications.allRead(readMarker.all))}
        >
          <CheckCheck aria-hidden="true" />
        </IconButton>
        <Dialog.Close render={<IconButton label={t('app.close')} />}>
          <X aria-hidden="true" />
        </Dialog.Close>
      </header>
      <Body notifications={notifications} readMarker={readMarker} onClose={onClose} />
      <span className="visually-hidden" role="status">
        {announcement}
      </span>
    </>
  );
}

/** The arrow keys move between notifications, and from the header to the first one. */
function onKey(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const isInCard = event.target instanceof Node && !event.currentTarget.contains(event.target);
  if (step === undefined || isInCard) return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-notification]')];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const to = rows[at === -1 ? 0 : at + step];
  if (to === undefined) return;
  event.preventDefault();
  to.focus();
}
