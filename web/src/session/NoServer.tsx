import { useI18n } from '../i18n/i18n.ts';
import { Mark } from '../ui/Mark.tsx';
import ui from '../ui/ui.module.css';
import styles from './SignIn.module.css';

/**
 * Shown while the server cannot be reached for the sign-in. It is retried automatically, and at once with the button.
 */
export function NoServer({ onRetry }: { readonly onRetry: (() => void) | undefined }) {
  const { t } = useI18n();
  return (
    <main className={styles.page}>
      <div className={styles.card} role="alert">
        <header className={styles.head}>
          <Mark />
          <h1>{t('connection.noServer')}</h1>
        </header>
        <p>{t('connection.noServerHint')}</p>
        <button type="button" className={ui.button} onClick={onRetry}>
          {t('app.retry')}
        </button>
      </div>
    </main>
  );
}
