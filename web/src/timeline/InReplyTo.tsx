import { CornerDownRight } from 'lucide-react';
import { useI18n } from '../i18n/i18n.ts';
import styles from './Message.module.css';

export interface InReplyToProps {
  readonly name: string;
  /** Goes to the reply that is answered. Absent: the line is not a button. */
  readonly onShow?: () => void;
}

/** The line that names the author of the reply that is answered. */
export function InReplyTo({ name, onShow }: InReplyToProps) {
  const { t } = useI18n();
  const text = t('message.inReplyTo', { name });
  return (
    <p className={styles.answered}>
      <CornerDownRight aria-hidden="true" />{' '}
      {onShow === undefined ? (
        text
      ) : (
        <button type="button" className={styles.answeredLink} onClick={onShow}>
          {text}
        </button>
      )}
    </p>
  );
}
