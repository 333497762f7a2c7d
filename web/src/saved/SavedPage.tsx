import { useCallback, useEffect, useMemo, useState } from 'react';
import { useI18n } from '../i18n/i18n.ts';
import { useSession } from '../session/session.ts';
import { BackLink } from '../shell/BackLink.tsx';
import pane from '../ui/pane.module.css';
import rows from '../ui/rows.module.css';
import ui from '../ui/ui.module.css';
import { Jobs } from './Jobs.tsx';
import { LISTS } from './listed.ts';
import { createSavedList, type SavedList } from './lists.ts';
import { Rows } from './Rows.tsx';
import { Side } from './Side.tsx';
import styles from './saved.module.css';
import { TagMenu } from './TagMenu.tsx';
import { useSavedTexts } from './texts.ts';
import { useOverview } from './useOverview.ts';

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
  const readCounts = useCallback(() => refresh(), [refresh]);
  const jobs = useMemo(() => overview?.jobs.edges.map(({ node }) => node) ?? [], [overview]);
  return (
    <main id="main" className={`${pane.pane} ${rows.page}`}>
      <header className={pane.head}>
        <BackLink />
        <h1 className={styles.title}>
          {t('saved.title')}{' '}
          <span className={ui.soft} dir="auto">
            {title}
          </span>
        </h1>
        {tag !== undefined && <TagMenu key={tag} name={tag} onChange={readCounts} />}
      </header>
      <Jobs jobs={jobs} onEnd={readCounts} />
      <div className={styles.columns}>
        <Side overview={overview} open={tag === undefined ? known : { tag }} onPrefix={refresh} />
        {open !== undefined && <Rows key={title} label={title} list={open} onChange={readCounts} />}
      </div>
    </main>
  );
}
