import { MessagesSquare } from 'lucide-react';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { useI18n } from '../i18n/i18n.ts';
import { useSession } from '../session/session.ts';
import { BackLink } from '../shell/BackLink.tsx';
import { useStore } from '../state/store.ts';
import { AllOrUnread } from '../ui/AllOrUnread.tsx';
import pane from '../ui/pane.module.css';
import rows from '../ui/rows.module.css';
import ui from '../ui/ui.module.css';
import { createFollowedThreads, type FollowedThreads } from './followedThreads.ts';
import type { Filter } from './listing.ts';
import { ThreadRow } from './ThreadRow.tsx';
import styles from './ThreadsPage.module.css';

/** The threads that the viewer follows in all rooms, live while the page is open. */
export default function ThreadsPage() {
  const { api, viewer } = useSession();
  const viewerId = viewer.id;
  const [threads, setThreads] = useState<FollowedThreads>();
  useEffect(() => {
    const opened = createFollowedThreads({ api, viewerId });
    setThreads(opened);
    return opened.close;
  }, [api, viewerId]);
  return (
    <main id="main" className={`${pane.pane} ${rows.page}`}>
      {threads !== undefined && <Content threads={threads} />}
    </main>
  );
}

function Content({ threads }: { readonly threads: FollowedThreads }) {
  const { t, problem } = useI18n();
  const { listing, error } = useStore(threads);
  const shown = listing.threads;
  return (
    <>
      <header className={pane.head}>
        <BackLink />
        <div className={styles.title}>
          <h1>{t('threads.title')}</h1>
        </div>
        <AllOrUnread filter={listing.filter} onChange={threads.show} />
      </header>
      <div className={`${rows.scroller} ${styles.scroller}`}>
        {shown !== undefined && shown.length > 0 && (
          <ul className={styles.list} onKeyDown={onKey}>
            {shown.map((thread) => (
              <li key={thread.root.id}>
                <ThreadRow thread={thread} />
              </li>
            ))}
          </ul>
        )}
        {error !== undefined ? (
          <div className={`${rows.note} ${styles.note}`} role="alert">
            <p className={ui.error}>{problem(error)}</p>
            <button type="button" className={ui.quiet} onClick={() => void threads.more()}>
              {t('app.retry')}
            </button>
          </div>
        ) : shown === undefined ? (
          <p className={`${rows.note} ${styles.note}`}>{t('app.loading')}</p>
        ) : listing.after !== undefined ? (
          <div className={`${rows.note} ${styles.note}`}>
            <button type="button" className={ui.quiet} onClick={() => void threads.more()}>
              {t('threads.more')}
            </button>
          </div>
        ) : (
          shown.length === 0 && <Nothing filter={listing.filter} />
        )}
      </div>
    </>
  );
}

function Nothing({ filter }: { readonly filter: Filter }) {
  const { t } = useI18n();
  return (
    <div className={`${rows.note} ${styles.note}`}>
      <MessagesSquare aria-hidden="true" />
      <strong>{t(filter === 'all' ? 'threads.none' : 'threads.noneUnread')}</strong>
      <p className={ui.soft}>{t('threads.noneHint')}</p>
    </div>
  );
}

/** The arrow keys move between threads. */
function onKey(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const rows = [...event.currentTarget.querySelectorAll('a')];
  const at = rows.findIndex((row) => row.matches(':focus'));
  const to = rows[at + step];
  if (to === undefined) return;
  event.preventDefault();
  to.focus();
}
