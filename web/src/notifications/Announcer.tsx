import { useState } from 'react';
import { useI18n } from '../i18n/i18n.ts';
import { useSession } from '../session/session.ts';
import { useStore } from '../state/store.ts';
import type { BadgeState } from '../unread/badge.ts';

const countOf = ({ notifications }: BadgeState) => notifications;

/** Announces to screen readers that the count of notifications rose. The open panel announces their texts. */
export function Announcer() {
  const { t } = useI18n();
  const count = useStore(useSession().badge, countOf);
  const [last, setLast] = useState({ count, text: '' });
  if (last.count !== count) {
    setLast({ count, text: count > last.count ? t('notifications.bell', { count }) : '' });
  }
  return (
    <div className="visually-hidden" role="status">
      {last.text}
    </div>
  );
}
