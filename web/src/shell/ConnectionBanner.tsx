import { CloudOff } from 'lucide-react';
import { useI18n } from '../i18n/i18n.ts';
import { useSession } from '../session/session.ts';
import { useStore } from '../state/store.ts';
import styles from './Shell.module.css';

/** A banner that is visible while the connection is lost, because the page may be out of date. */
export function ConnectionBanner() {
  const { t } = useI18n();
  const state = useStore(useSession().api.connection.state);
  return (
    <div role="status">
      {state === 'away' && (
        <p className={styles.banner}>
          <CloudOff aria-hidden="true" /> {t('connection.away')}
        </p>
      )}
    </div>
  );
}
