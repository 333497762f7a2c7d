import { Bell as BellIcon } from 'lucide-react';
import { Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { useI18n } from '../i18n/i18n.ts';
import { useSession } from '../session/session.ts';
import { lazily } from '../state/lazily.ts';
import { useStore } from '../state/store.ts';
import { IconButton } from '../ui/IconButton.tsx';
import ui from '../ui/ui.module.css';
import type { BadgeState } from '../unread/badge.ts';
import styles from './Bell.module.css';

const Panel = lazily(() => import('./Panel.tsx'));

const countOf = ({ notifications }: BadgeState) => notifications;
/** The distance between the bell and the panel, in pixels. */
const GAP = 8;

/** The button that opens the panel. It shows how many people the unread notifications are about. */
export function Bell() {
  const { t } = useI18n();
  const count = useStore(useSession().badge, countOf);
  const button = useRef<HTMLButtonElement>(null);
  /** The top edge of the panel in pixels. Undefined while it is closed. */
  const [below, setBelow] = useState<number>();
  const isOpen = below !== undefined;

  const close = useCallback(() => setBelow(undefined), []);
  const toggle = () => {
    setBelow(isOpen ? undefined : (button.current?.getBoundingClientRect().bottom ?? 0) + GAP);
  };
  useKey(() => {
    // Not while a dialog waits for an answer.
    if (isOpen || document.querySelector('[role="dialog"], [role="alertdialog"]') === null) toggle();
  });

  return (
    <>
      <IconButton
        ref={button}
        className={styles.bell ?? ''}
        label={t('notifications.bell', { count })}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={toggle}
      >
        <BellIcon aria-hidden="true" />
        {count > 0 && (
          <span key={count} className={`${ui.badge} ${styles.count}`} aria-hidden="true">
            {count > 99 ? '99+' : count}
          </span>
        )}
      </IconButton>
      <Suspense>{isOpen && <Panel below={below} onClose={close} />}</Suspense>
    </>
  );
}

/** Alt+N, even while the viewer is typing. */
function useKey(toggle: () => void): void {
  const current = useRef(toggle);
  useEffect(() => {
    current.current = toggle;
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.code !== 'KeyN' || !event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      current.current();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
}
