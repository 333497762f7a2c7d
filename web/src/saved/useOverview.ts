import { useCallback, useEffect, useRef, useState } from 'react';
import { SavedOverviewDocument } from '../generated/graphql.ts';
import { useSession } from '../session/session.ts';
import { createPaced, type Paced } from './paced.ts';
import type { Overview } from './Side.tsx';

/** The counts, the jobs, and the tags that begin with what was last asked for. They are read again after each change on any device. */
export function useOverview() {
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
