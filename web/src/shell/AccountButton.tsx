import type { ComponentProps } from 'react';
import { useI18n } from '../i18n/i18n.ts';
import { useSession } from '../session/session.ts';
import { useStore } from '../state/store.ts';
import { Avatar } from '../ui/Avatar.tsx';
import styles from './Sidebar.module.css';

/** The viewer's name, and a dot that shows whether the connection is live. */
export function AccountButton(props: ComponentProps<'button'>) {
  const { t } = useI18n();
  const { viewer, api } = useSession();
  const isLive = useStore(api.connection.state) === 'live';
  return (
    <button type="button" {...props} className={styles.account}>
      <span className={styles.face}>
        <Avatar person={viewer} />
        <span className={`${styles.live} ${isLive ? '' : styles.away}`} />
      </span>
      <span className={styles.who}>
        <strong dir="auto">{viewer.displayName}</strong>
        {viewer.handle !== null && <span>@{viewer.handle}</span>}
      </span>
      <span className="visually-hidden">{t('account.menu')}</span>
    </button>
  );
}
