import { ArrowLeft } from 'lucide-react';
import { Link } from 'wouter';
import { useI18n } from '../i18n/i18n.ts';
import { useSession } from '../session/session.ts';
import { useStore } from '../state/store.ts';
import ui from '../ui/ui.module.css';
import styles from './BackLink.module.css';

export interface BackLinkProps {
  /** The open room, if one is open. Its own unread messages are not counted. */
  readonly roomId?: string;
  readonly isMuted?: boolean;
}

/** On a phone, leads back to the list of rooms. A dot shows that there are unread messages or notifications. */
export function BackLink({ roomId, isMuted = false }: BackLinkProps) {
  const { t } = useI18n();
  const { total = 0, rooms } = useStore(useSession().badge);
  const elsewhere = total - (isMuted || roomId === undefined ? 0 : (rooms.get(roomId) ?? 0));
  return (
    <Link
      href="/"
      className={`${ui.icon} ${styles.back}`}
      aria-label={t('rooms.back', { count: Math.max(0, elsewhere) })}
    >
      <ArrowLeft aria-hidden="true" />
      {elsewhere > 0 && <span className={styles.dot} />}
    </Link>
  );
}
