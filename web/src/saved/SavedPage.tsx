import { useCallback, useEffect, useMemo, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { startOfLocalDay } from '../dates/days.ts';
import { useI18n } from '../i18n/i18n.ts';
import { useSession } from '../session/session.ts';
import { BackLink } from '../shell/BackLink.tsx';
import { NotFound } from '../shell/NotFound.tsx';
import { savedPath } from '../shell/paths.ts';
import { onLook } from '../ui/onLook.ts';
import pane from '../ui/pane.module.css';
import look from '../ui/rows.module.css';
import ui from '../ui/ui.module.css';
import { queryOf, type Shown, shownIn, startOf } from './address.ts';
import { Jobs } from './Jobs.tsx';
import { LISTS } from './listed.ts';
import { createSavedList, type SavedList } from './lists.ts';
import { OrderMenu } from './OrderMenu.tsx';
import { Rows } from './Rows.tsx';
import { Side } from './Side.tsx';
import styles from './saved.module.css';
import { TagMenu } from './TagMenu.tsx';
import { useSavedTexts } from './texts.ts';
import { useOpenTag } from './useOpenTag.ts';
import { useOverview } from './useOverview.ts';

export interface SavedPageProps {
  /** As in the path. */
  readonly list: string | undefined;
  readonly tag: string | undefined;
}

/** The viewer's saved messages, with their tags at the side, reminders, and what they like. */
export default function SavedPage({ list, tag }: SavedPageProps) {
  const known = list === undefined ? 'all' : LISTS.find((one) => one === list);
  return known === undefined ? <NotFound /> : <Content known={known} tag={tag} />;
}

interface ContentProps extends Pick<SavedPageProps, 'tag'> {
  readonly known: (typeof LISTS)[number];
}

function Content({ known, tag }: ContentProps) {
  const { t, day: nameOfDay } = useI18n();
  const { api, rooms, savedMarks } = useSession();
  const texts = useSavedTexts();
  const { overview, refresh, readMore, isReadingMore } = useOverview();
  const [open, setOpen] = useState<SavedList>();
  const [, navigate] = useLocation();
  const query = useSearch();
  const shown = shownIn(query);
  const { order, day } = shown;
  const from = startOf(shown);
  // These two have one order.
  const isOrdered = tag !== undefined || (known !== 'reminders' && known !== 'liked');
  const show = (next: Partial<Shown>) =>
    navigate(`${savedPath(tag === undefined ? known : { tag })}${queryOf({ ...shown, ...next })}`, {
      replace: true,
    });
  const { isMissing, isGone } = useOpenTag({
    name: tag,
    overview,
    onRenamed: (next) => navigate(`${savedPath({ tag: next })}${queryOf(shown)}`, { replace: true }),
  });
  useEffect(() => {
    const opened = createSavedList(api, { name: tag === undefined ? known : { tag }, order, from });
    setOpen(opened);
    const stops = [
      savedMarks.onNews(opened.onNews),
      rooms.onChange(({ kind, room }) => opened.onRoom(room.id, kind !== 'ended')),
      onLook(opened.look),
    ];
    void opened.more();
    return () => {
      for (const stop of stops) stop();
      opened.close();
    };
  }, [api, rooms, savedMarks, known, tag, order, from]);
  const title = tag ?? texts[known];
  const firstDay = useMemo(() => {
    if (!isOrdered || day === undefined) return undefined;
    const name = nameOfDay(startOfLocalDay(day).toISOString());
    return order === 'SAVED_OLDEST' || order === 'MESSAGE_OLDEST' ? texts.since(name) : texts.until(name);
  }, [isOrdered, day, order, nameOfDay, texts]);
  const readCounts = useCallback(() => refresh(), [refresh]);
  const jobs = useMemo(() => overview?.jobs.edges.map(({ node }) => node) ?? [], [overview]);
  return (
    <main id="main" className={`${pane.pane} ${look.page}`}>
      <header className={pane.head}>
        <BackLink />
        <h1 className={styles.title}>
          {t('saved.title')}{' '}
          <span className={ui.soft} dir="auto">
            {title}
          </span>
        </h1>
        {isOrdered && (
          <OrderMenu
            order={order}
            onOrder={(next) => show({ order: next })}
            onDay={(next) => show({ day: next })}
          />
        )}
        {tag !== undefined && <TagMenu key={tag} name={tag} isMissing={isMissing} onChange={readCounts} />}
      </header>
      <Jobs jobs={jobs} onEnd={readCounts} />
      <div className={styles.columns}>
        <Side
          overview={overview}
          isReadingMore={isReadingMore}
          open={tag === undefined ? known : { tag }}
          query={queryOf({ order, day: undefined })}
          onPrefix={refresh}
          onMore={readMore}
        />
        {open !== undefined && (
          <Rows
            key={`${title} ${query}`}
            firstDay={firstDay}
            name={tag === undefined ? known : { tag }}
            label={title}
            list={open}
            isGone={isGone}
            onChange={readCounts}
            onAllDays={() => show({ day: undefined })}
          />
        )}
      </div>
    </main>
  );
}
