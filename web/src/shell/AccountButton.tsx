import type { ComponentProps } from 'react';
import { useI18n } from '../i18n/i18n.ts';
import { useSession } from '../session/session.ts';
import { Avatar } from '../ui/Avatar.tsx';
import styles from './Sidebar.module.css';

/** The viewer's name. */
export function AccountButton(props: ComponentProps<'button'>) {
  const { t } = useI18n();
  const { viewer } = useSession();
  return (
    <button type="button" {...props} className={styles.account}>
      <Avatar person={viewer} />
      <span className={styles.who}>
        <strong dir="auto">{viewer.displayName}</strong>
        {viewer.handle !== null && <span>@{viewer.handle}</span>}
      </span>
      <span className="visually-hidden">{t('account.menu')}</span>
    </button>
  );
}
