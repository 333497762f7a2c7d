import { CornerDownRight } from 'lucide-react';
import { useI18n } from '../i18n/i18n.ts';
import styles from './Message.module.css';

/** The line that names the author of the reply that is answered. */
export function InReplyTo({ name }: { readonly name: string }) {
  const { t } = useI18n();
  return (
    <p className={styles.answered}>
      <CornerDownRight aria-hidden="true" /> {t('message.inReplyTo', { name })}
    </p>
  );
}
