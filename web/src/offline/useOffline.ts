import { useEffect } from 'react';
import type { StartedSession } from '../session/session.ts';
import { canKeep } from './kept.ts';

/** The page comes first. */
const AFTER_MS = 2_000;

/** Keeps the page and the rooms that are read, for the time without the server. */
export function useOffline(session: StartedSession | undefined, token: string | undefined): void {
  useEffect(() => {
    if (session === undefined || token === undefined || !canKeep()) return;
    let stop = () => {};
    let isOver = false;
    const start = async () => {
      const { keep } = await import('./keeper.ts');
      if (!isOver) stop = keep(session, token);
    };
    // If it fails, the next page that is opened keeps them.
    const timer = setTimeout(() => void start().catch(() => {}), AFTER_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
      stop();
    };
  }, [session, token]);
}
