import { Bookmark } from 'lucide-react';
import { useI18n } from '../i18n/i18n.ts';
import styles from '../timeline/Message.module.css';
import type { Message } from '../timeline/message.ts';
import { Reminder } from './Reminder.tsx';
import { useMark } from './useMark.ts';

/** Below a message that the viewer has saved. */
export function MarkLine({ message }: { readonly message: Message }) {
  const { t } = useI18n();
  const mark = useMark(message);
  if (mark === null) return null;
  return (
    <p className={styles.answered}>
      <Bookmark aria-hidden="true" /> {t('message.saved')}
      {mark.remindAt !== null && (
        <>
          {' · '}
          <Reminder at={mark.remindAt} />
        </>
      )}
    </p>
  );
}
