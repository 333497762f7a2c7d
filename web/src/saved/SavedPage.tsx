import { Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { SavedOverviewDocument, type SavedOverviewQuery } from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { useSession } from '../session/session.ts';
import { BackLink } from '../shell/BackLink.tsx';
import { savedPath } from '../shell/paths.ts';
import { lazyWithRetry } from '../ui/lazyWithRetry.ts';
import pane from '../ui/pane.module.css';
import ui from '../ui/ui.module.css';
import type { ListName } from './listed.ts';
import { createSavedList, type SavedList } from './lists.ts';
import { createPaced, type Paced } from './paced.ts';
import { Rows } from './Rows.tsx';
import styles from './saved.module.css';
import { useSavedTexts } from './texts.ts';

const ScheduledList = lazyWithRetry(() => import('../scheduled/ScheduledList.tsx'));

const LISTS = ['all', 'public', 'private', 'untagged', 'reminders', 'liked'] as const;

export interface SavedPageProps {
  /** As in the path. */
  readonly list: string | undefined;
  readonly tag: string | undefined;
}

/** The viewer's saved messages, with their tags at the side, reminders, and what they like. */
export default function SavedPage({ list, tag }: SavedPageProps) {
  const { t } = useI18n();
  const { api, savedMarks } = useSession();
  const texts = useSavedTexts();
  const known = LISTS.find((one) => one === list) ?? 'all';
  const [overview, refresh] = useOverview();
  const [open, setOpen] = useState<SavedList>();
  useEffect(() => {
    const opened = createSavedList(api, tag === undefined ? known : { tag });
    setOpen(opened);
    const stop = savedMarks.onNews(opened.onNews);
    void opened.more();
    return () => {
      stop();
      opened.close();
    };
  }, [api, savedMarks, known, tag]);
  const title = tag ?? texts[known];
  return (
    <main id="main" className={`${pane.pane} ${styles.page}`}>
      <header className={pane.head}>
        <BackLink />
        <h1 className={styles.title}>
          {t('saved.title')}{' '}
          <span className={ui.soft} dir="auto">
            {title}
          </span>
        </h1>
      </header>
      <div className={styles.columns}>
        <Side overview={overview} open={tag === undefined ? known : { tag }} onPrefix={refresh} />
        {open !== undefined && <Rows key={title} label={title} list={open} onChange={() => refresh()} />}
      </div>
    </main>
  );
}

type Overview = SavedOverviewQuery['viewer'];

/** The counts, and the tags that begin with what was last asked for. They are read again after each change on any device. */
function useOverview() {
  const { api, savedMarks } = useSession();
  const [overview, setOverview] = useState<Overview>();
  const prefix = useRef('');
  const [paced, setPaced] = useState<Paced>();
  useEffect(() => {
    let isOver = false;
    const reading = createPaced(async () => {
      const wanted = prefix.current;
      try {
        const { viewer } = await api.queryUncached(
          SavedOverviewDocument,
          wanted === '' ? {} : { prefix: wanted },
        );
        if (!isOver) setOverview(viewer);
      } catch {
        // What was read before stays. The list says why nothing can be read.
      }
    });
    const stop = savedMarks.onNews(reading.run);
    reading.run();
    setPaced(reading);
    return () => {
      isOver = true;
      stop();
      reading.stop();
    };
  }, [api, savedMarks]);
  const refresh = useCallback(
    (next?: string) => {
      prefix.current = next ?? prefix.current;
      paced?.run();
    },
    [paced],
  );
  return [overview, refresh] as const;
}

interface SideProps {
  readonly overview: Overview | undefined;
  readonly open: ListName;
  readonly onPrefix: (prefix: string) => void;
}

function Side({ overview, open, onPrefix }: SideProps) {
  const texts = useSavedTexts();
  const [showsScheduled, setShowsScheduled] = useState(false);
  const counts: Partial<Record<string, number>> = {
    ...overview?.savedCounts,
    all: overview?.savedCounts.total,
  };
  const openTag = typeof open === 'object' ? open.tag : undefined;
  return (
    <nav className={styles.side} aria-label={texts.lists}>
      <ul className="plain">
        {LISTS.map((name) => (
          <li key={name}>
            <Link
              href={savedPath(name)}
              className={styles.link}
              aria-current={open === name ? 'page' : undefined}
            >
              <span>{texts[name]}</span>
              {counts[name] !== undefined && <span className={styles.count}>{counts[name]}</span>}
            </Link>
          </li>
        ))}
        <li>
          <button type="button" className={styles.link} onClick={() => setShowsScheduled(true)}>
            {texts.scheduled}
          </button>
        </li>
      </ul>
      <div className={styles.tags}>
        <h2>{texts.tags}</h2>
        <input
          className={ui.input}
          type="search"
          aria-label={texts.moreTags}
          placeholder={texts.moreTags}
          onChange={({ target }) => onPrefix(target.value.trim())}
        />
        <ul className="plain">
          {overview?.savedTags.edges.map(({ node: { id, name, count } }) => (
            <li key={id}>
              <Link
                href={savedPath({ tag: name })}
                className={styles.link}
                aria-current={openTag === name ? 'page' : undefined}
              >
                <span dir="auto">{name}</span>
                <span className={styles.count}>{count}</span>
              </Link>
            </li>
          ))}
        </ul>
      </div>
      {showsScheduled && (
        <Suspense>
          <ScheduledList onClose={() => setShowsScheduled(false)} />
        </Suspense>
      )}
    </nav>
  );
}
