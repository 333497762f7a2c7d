import { Clock } from 'lucide-react';
import { useI18n } from '../i18n/i18n.ts';
import { useSession } from '../session/session.ts';
import styles from './Reminder.module.css';

/** The server sends reminders within seconds. The device's clock may be ahead. */
const LATE_MS = 60_000;

/** The time of a saved message's reminder. It is overdue if the server has not sent it yet, as after an outage. */
export function Reminder({ at }: { readonly at: string }) {
  const { t, dateTimeIn } = useI18n();
  const { viewer } = useSession();
  return (
    <span className={styles.reminder}>
      <Clock aria-hidden="true" /> {t('message.reminder', { time: dateTimeIn(viewer.timeZone, at) })}
      {Date.parse(at) + LATE_MS < Date.now() && <strong> {t('message.overdue')}</strong>}
    </span>
  );
}
