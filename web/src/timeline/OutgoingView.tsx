import { useEffect, useState } from 'react';
import type { Outgoing } from '../composer/outbox.ts';
import { useI18n } from '../i18n/i18n.ts';
import { Body } from '../markdown/Body.tsx';
import { useSession } from '../session/session.ts';
import { useStore } from '../state/store.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { InReplyTo } from './InReplyTo.tsx';
import styles from './Message.module.css';

export interface OutgoingViewProps {
  readonly outgoing: Outgoing;
  readonly isCompact: boolean;
}

/** A message that is being sent. */
export function OutgoingView({ outgoing, isCompact }: OutgoingViewProps) {
  const { t, time, problem } = useI18n();
  const { viewer, outbox, api } = useSession();
  const isLive = useStore(api.connection.state) === 'live';
  const { key, body, answered, at, state, why, reason } = outgoing;
  const isLate = useIsLate(at);
  return (
    <div className={`${styles.message} ${styles.outgoing} ${isCompact ? styles.compact : ''}`}>
      <div className={styles.margin}>{!isCompact && <Avatar person={viewer} />}</div>
      <div className={styles.content}>
        {!isCompact && (
          <div className={styles.byline}>
            <strong dir="auto">{viewer.displayName}</strong>
            <time dateTime={at}>{time(at)}</time>
          </div>
        )}
        {answered !== null && <InReplyTo name={answered.author} />}
        <Body body={body} mentions={[]} viewerId={viewer.id} />
        {state === 'waiting' && (isLate || !isLive) && (
          <div className={styles.late}>
            <span role="status">{t(isLive ? 'message.waiting' : 'message.waitingOffline')}</span>
            <button type="button" onClick={() => outbox.discard(key)}>
              {t('message.discard')}
            </button>
          </div>
        )}
        {state === 'refused' && (
          <div className={styles.refused} role="alert">
            <span>{t('message.refused', { why: problem({ code: why ?? 'INTERNAL', reason }) })}</span>
            <button type="button" onClick={() => outbox.retry(key)}>
              {t('app.retry')}
            </button>
            <button type="button" onClick={() => outbox.discard(key)}>
              {t('message.discard')}
            </button>
          </div>
        )}
      </div>
    </div>
  );
}

/** Most messages are sent faster than anyone could read a notice about it. */
const LATE_MS = 1_000;

function useIsLate(at: string): boolean {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), Date.parse(at) + LATE_MS - Date.now());
    return () => clearTimeout(timer);
  }, [at]);
  return isLate;
}
