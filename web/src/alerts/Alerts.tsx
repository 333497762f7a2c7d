import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { useI18n } from '../i18n/i18n.ts';
import { useTitle } from '../rooms/title.ts';
import { useSession } from '../session/session.ts';
import { type AlertsOptions, startAlerts } from './alerts.ts';
import { canAlert } from './choices.ts';
import { Question } from './Question.tsx';
import { useAlertTexts } from './texts.ts';

/** Alerts the viewer to what is new while the page is open, and asks once whether they want it. */
export default function Alerts() {
  const { t } = useI18n();
  const texts = useAlertTexts();
  const titleOf = useTitle();
  const { api, badge, openRoom, ringsFor, rooms, viewer } = useSession();
  const [, navigate] = useLocation();
  const wordsOf: AlertsOptions['wordsOf'] = ({ room, text }, hidesText) =>
    hidesText
      ? { title: t('app.name'), body: texts.hidden }
      : { title: titleOf(room), body: text ?? texts.message };
  const current = useRef({ wordsOf, navigate });
  useEffect(() => {
    current.current = { wordsOf, navigate };
  });
  const { id } = viewer;
  useEffect(() => {
    if (!canAlert()) return;
    return startAlerts({
      session: { api, badge, openRoom, ringsFor, rooms, viewer: { id } },
      wordsOf: (...news) => current.current.wordsOf(...news),
      open: (path) => current.current.navigate(path),
    });
  }, [api, badge, openRoom, ringsFor, rooms, id]);
  return <Question />;
}
