import { Link } from 'wouter';
import { useI18n } from '../i18n/i18n.ts';
import { Mark } from '../ui/Mark.tsx';
import ui from '../ui/ui.module.css';
import styles from './Shell.module.css';

/** Shown at an address that leads nowhere. A phone shows it instead of the list of rooms. */
export function NotFound() {
  const { t } = useI18n();
  return (
    <main id="main" className={styles.welcome}>
      <Mark />
      <h1>{t('app.notFound')}</h1>
      <p>{t('app.notFoundHint')}</p>
      <Link href="/" className={ui.quiet}>
        {t('rooms.backToList')}
      </Link>
    </main>
  );
}
