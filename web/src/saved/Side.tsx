import { Suspense, useLayoutEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { useI18n } from '../i18n/i18n.ts';
import { FailedCount } from '../scheduled/FailedCount.tsx';
import { savedPath } from '../shell/paths.ts';
import { lazyWithRetry } from '../ui/lazyWithRetry.ts';
import { scrollAcross } from '../ui/scrollAcross.ts';
import { LISTS, type ListName } from './listed.ts';
import { SideTags } from './SideTags.tsx';
import styles from './saved.module.css';
import { useSavedTexts } from './texts.ts';
import type { Overview } from './useOverview.ts';

const ExportDialog = lazyWithRetry(() => import('./ExportDialog.tsx'));
const ScheduledList = lazyWithRetry(() => import('../scheduled/ScheduledList.tsx'));

/** The others have no count. The counts have their space before they are read. */
const COUNTED: ReadonlySet<ListName> = new Set(['all', 'public', 'private', 'untagged']);

export interface SideProps {
  readonly overview: Overview | undefined;
  readonly open: ListName;
  /** The query of each link, so that the other lists have the same order. */
  readonly query: string;
  readonly onPrefix: (prefix: string) => void;
  readonly onMore: () => void;
  readonly isReadingMore: boolean;
}

/** The lists and the tags, with their counts. */
export function Side({ overview, open, query, onPrefix, onMore, isReadingMore }: SideProps) {
  const texts = useSavedTexts();
  const { number } = useI18n();
  const [showsScheduled, setShowsScheduled] = useState(false);
  const [showsExport, setShowsExport] = useState(false);
  const counts: Partial<Record<string, number>> = {
    ...overview?.savedCounts,
    all: overview?.savedCounts.total,
  };
  const lists = useRef<HTMLUListElement>(null);
  const hasCounts = overview !== undefined;
  // On a phone the lists are one line. The counts move it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: again when another list is open, or has its count.
  useLayoutEffect(() => scrollAcross(lists.current), [open, hasCounts]);
  return (
    <nav className={styles.side} aria-label={texts.lists}>
      <ul ref={lists} className="plain">
        {LISTS.map((name) => {
          const count = counts[name];
          return (
            <li key={name}>
              <Link
                href={`${savedPath(name)}${query}`}
                className={styles.link}
                aria-current={open === name ? 'page' : undefined}
              >
                <span>{texts[name]}</span>
                {COUNTED.has(name) && (
                  <span className={styles.count}>{count === undefined ? '' : number(count)}</span>
                )}
              </Link>
            </li>
          );
        })}
        <li>
          <button type="button" className={styles.link} onClick={() => setShowsScheduled(true)}>
            <span>{texts.scheduled}</span>
            <FailedCount />
          </button>
        </li>
        <li>
          <button type="button" className={styles.link} onClick={() => setShowsExport(true)}>
            {texts.download}
          </button>
        </li>
      </ul>
      <SideTags
        tags={overview?.tags ?? []}
        hasMore={overview?.hasMore ?? false}
        open={typeof open === 'object' ? open.tag : undefined}
        query={query}
        onPrefix={onPrefix}
        onMore={onMore}
        isReadingMore={isReadingMore}
      />
      {showsExport && (
        <Suspense>
          <ExportDialog total={overview?.savedCounts.total} onClose={() => setShowsExport(false)} />
        </Suspense>
      )}
      {showsScheduled && (
        <Suspense>
          <ScheduledList onClose={() => setShowsScheduled(false)} />
        </Suspense>
      )}
    </nav>
  );
}
