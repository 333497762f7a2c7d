import { useEffect, useId, useState } from 'react';
import { useSession } from '../session/session.ts';
import { useStore } from '../state/store.ts';
import { useToast } from '../ui/Toasts.tsx';
import ui from '../ui/ui.module.css';
import styles from './alerts.module.css';
import { alertChoices, allowAlerts, canAlert, canNotify } from './choices.ts';
import { useAlertTexts } from './texts.ts';

/** Not where the browser has decided already. */
const canAsk = (): boolean => canAlert() && canNotify() && Notification.permission === 'default';

/**
 * Asks once in this browser whether the viewer wants alerts: after they have sent a message, or something about
 * them has come. The browser asks for its permission only if they say yes.
 */
export function Question() {
  const texts = useAlertTexts();
  const toast = useToast();
  const titleId = useId();
  const { isAnswered } = useStore(alertChoices());
  const isTime = useIsTime();
  if (!isTime || isAnswered || !canAsk()) return null;
  const answer = async (isYes: boolean) => {
    if (isYes) {
      if (!(await allowAlerts())) toast(texts.notAllowed);
      return;
    }
    alertChoices().set({ ...alertChoices().get(), isAnswered: true });
    toast(texts.later);
  };
  return (
    <section className={styles.question} aria-labelledby={titleId}>
      <h2 id={titleId}>{texts.question}</h2>
      <p className={ui.soft}>{texts.questionHint}</p>
      <div>
        <button type="button" className={ui.button} onClick={() => void answer(true)}>
          {texts.yes}
        </button>
        <button type="button" className={ui.quiet} onClick={() => void answer(false)}>
          {texts.no}
        </button>
      </div>
    </section>
  );
}

/** Whether the viewer knows by now what it would be about. */
function useIsTime(): boolean {
  const { badge, outbox } = useSession();
  const [isTime, setIsTime] = useState(false);
  useEffect(() => {
    if (isTime) return;
    let { total, notifications } = badge.get();
    const stops = [
      outbox.onSent(() => setIsTime(true)),
      badge.subscribe(() => {
        const now = badge.get();
        if (total !== undefined && now.notifications > notifications) setIsTime(true);
        ({ total, notifications } = now);
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [isTime, badge, outbox]);
  return isTime;
}
