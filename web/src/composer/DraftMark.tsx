import { Pencil } from 'lucide-react';
import { useI18n } from '../i18n/i18n.ts';
import styles from './Composer.module.css';

/** Says that a text for this thread was begun and not sent. */
export function DraftMark() {
  const { t } = useI18n();
  return (
    <span className={styles.draft}>
      <Pencil aria-hidden="true" /> {t('thread.draft')}
    </span>
  );
}
