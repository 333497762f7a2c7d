import { useCallback, useEffect, useRef, useState } from 'react';
import { FurtherTagsDocument, SavedOverviewDocument, type SavedOverviewQuery } from '../generated/graphql.ts';
import { useSession } from '../session/session.ts';
import { createPaced, type Paced } from './paced.ts';
import type { Tag } from './tagNames.ts';

/** Tags by name, from the first one on. */
export interface ReadTags {
  readonly tags: readonly Tag[];
  readonly hasMore: boolean;
}

export type Overview = Readonly<SavedOverviewQuery['viewer']> & ReadTags;

/**
 * The counts, the jobs, and the tags that begin with what was last asked for. They are read again after each change on any
 * device: of the tags, all pages that were asked for.
 */
export function useOverview() {
  const { api, savedMarks } = useSession();
  const [overview, setOverview] = useState<Overview>();
  const wanted = useRef({ prefix: '', count: 0 });
  const [paced, setPaced] = useState<Paced>();
  useEffect(() => {
    let isOver = false;
    const reading = createPaced(async () => {
      const { prefix, count } = wanted.current;
      const filter = prefix === '' ? {} : { prefix };
      try {
        const { viewer } = await api.queryUncached(SavedOverviewDocument, filter);
        let page = viewer.savedTags;
        const tags = page.edges.map(({ node }) => node);
        while (!isOver && page.pageInfo.hasNextPage && tags.length < count) {
          const after = page.pageInfo.endCursor;
          page = (await api.queryUncached(FurtherTagsDocument, { ...filter, after })).viewer.savedTags;
          tags.push(...page.edges.map(({ node }) => node));
        }
        if (!isOver) setOverview({ ...viewer, tags, hasMore: page.pageInfo.hasNextPage });
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
    (prefix?: string) => {
      if (prefix !== undefined) wanted.current = { prefix, count: 0 };
      paced?.run();
    },
    [paced],
  );
  const known = overview?.tags.length ?? 0;
  /** Reads one more page of tags, and keeps reading that many. */
  const readMore = useCallback(() => {
    wanted.current = { ...wanted.current, count: known + 1 };
    paced?.run();
  }, [paced, known]);
  return { overview, refresh, readMore };
}
