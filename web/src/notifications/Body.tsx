import { BellRing } from 'lucide-react';
import { useCallback } from 'react';
import { useI18n } from '../i18n/i18n.ts';
import { useStore } from '../state/store.ts';
import ui from '../ui/ui.module.css';
import { List } from './List.tsx';
import type { Filter, Notification } from './listing.ts';
import type { Notifications } from './notifications.ts';
import styles from './Panel.module.css';
import type { ReadMarker } from './readMarker.ts';

export interface BodyProps {
  readonly notifications: Notifications;
  readonly readMarker: ReadMarker;
  readonly onClose: () => void;
}

/** The list, or a note if it is empty, loading or failed. */
export function Body({ notifications, readMarker, onClose }: BodyProps) {
  const { t, problem } = useI18n();
  const { listing, shown, error } = useStore(notifications);
  const open = useCallback(
    (one: Notification) => {
      readMarker.opened(one);
      onClose();
    },
    [readMarker, onClose],
  );
  const failure =
    error === undefined ? null : (
      <div className={styles.note} role="alert">
        <p className={ui.error}>{problem(error)}</p>
        <button type="button" className={ui.quiet} onClick={() => void notifications.more()}>
          {t('app.retry')}
        </button>
      </div>
    );
  if (shown.length === 0) {
    if (failure !== null) return failure;
    return listing.rest === 'unknown' ? <Waiting /> : <Nothing filter={listing.filter} />;
  }
  return (
    <List
      key={listing.filter}
      shown={shown}
      fresh={listing.fresh}
      onMore={error === undefined ? notifications.more : undefined}
      onScreen={readMarker.onScreen}
      onOpen={open}
    >
      {failure ?? (
        <p className={styles.end}>{t(listing.rest === 'none' ? 'notifications.end' : 'app.loading')}</p>
      )}
    </List>
  );
}

function Nothing({ filter }: { readonly filter: Filter }) {
  const { t } = useI18n();
  return (
    <div className={styles.note}>
      <span className={styles.noteIcon}>
        <BellRing aria-hidden="true" />
      </span>
      <strong>{t(filter === 'all' ? 'notifications.none' : 'notifications.noneUnread')}</strong>
      <p className={ui.soft}>{t('notifications.noneHint')}</p>
    </div>
  );
}

/** A skeleton of the list while it loads. */
function Waiting() {
  const { t } = useI18n();
  return (
    <div className={styles.waiting}>
      <span className="visually-hidden">{t('app.loading')}</span>
      {['one', 'two', 'three', 'four'].map((key) => (
        <div key={key} aria-hidden="true">
          <i />
          <span />
        </div>
      ))}
    </div>
  );
}
