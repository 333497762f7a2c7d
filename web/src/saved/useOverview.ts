import { useCallback, useEffect, useRef, useState } from 'react';
import { FurtherTagsDocument, SavedOverviewDocument, type SavedOverviewQuery } from '../generated/graphql.ts';
import { useSession } from '../session/session.ts';
import { createPaced, type Paced } from '../state/paced.ts';
import type { Tag } from './tagNames.ts';

/** Tags by name, from the first one on. */
export interface ReadTags {
  readonly tags: readonly Tag[];
  readonly hasMore: boolean;
}

export type Overview = Readonly<SavedOverviewQuery['viewer']> & ReadTags;

const NOTHING: ReadTags = { tags: [], hasMore: true };

/** What was read, and behind it what is known from before, while that is not read again. */
function followedBy(read: readonly Tag[], known: ReadTags): ReadTags {
  const ids = new Set(read.map(({ id }) => id));
  const at = known.tags.findIndex(({ id }) => id === read.at(-1)?.id);
  const rest = known.tags.slice(at === -1 ? read.length : at + 1).filter(({ id }) => !ids.has(id));
  return { tags: [...read, ...rest], hasMore: known.hasMore };
}

/**
 * The counts, the jobs, and the tags that begin with what was last asked for. They are read again after each change on
 * any device: of the tags, all pages that were asked for.
 */
export function useOverview() {
  const { api, savedMarks } = useSession();
  const [overview, setOverview] = useState<Overview>();
  const [isReadingMore, setIsReadingMore] = useState(false);
  const wanted = useRef({ prefix: '', count: 0 });
  const [paced, setPaced] = useState<Paced>();
  useEffect(() => {
    let isOver = false;
    let shown: ReadTags & { readonly prefix?: string } = NOTHING;
    const reading = createPaced(async () => {
      const now = wanted.current;
      const { prefix, count } = now;
      const filter = prefix === '' ? {} : { prefix };
      const known = shown.prefix === prefix ? shown : NOTHING;
      try {
        const { viewer } = await api.queryUncached(SavedOverviewDocument, filter);
        const read: Tag[] = [];
        // Each page is shown at once. If a further one cannot be read, what was read stays.
        for (let page = viewer.savedTags; !isOver; ) {
          read.push(...page.edges.map(({ node }) => node));
          const { hasNextPage: hasMore, endCursor: after } = page.pageInfo;
          const isLast = !hasMore || read.length >= count;
          const tags = isLast ? { tags: read, hasMore } : followedBy(read, known);
          shown = { prefix, ...tags };
          setOverview({ ...viewer, ...tags });
          if (isLast || wanted.current.prefix !== prefix) break;
          page = (await api.queryUncached(FurtherTagsDocument, { ...filter, after })).viewer.savedTags;
        }
      } catch {
        // What was read before stays. The list says why nothing can be read.
      }
      if (wanted.current === now) setIsReadingMore(false);
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
    (prefix?: string) => {
      if (prefix !== undefined) {
        wanted.current = { prefix, count: 0 };
        setIsReadingMore(false);
      }
      paced?.run();
    },
    [paced],
  );
  const known = overview?.tags.length ?? 0;
  /** Reads one more page of tags, and keeps reading that many. */
  const readMore = useCallback(() => {
    wanted.current = { ...wanted.current, count: known + 1 };
    setIsReadingMore(true);
    paced?.run();
  }, [paced, known]);
  return { overview, refresh, readMore, isReadingMore };
}
