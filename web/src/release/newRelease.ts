import type { Connection } from '../api/connection.ts';

/** A page that becomes visible asks again after this time, in milliseconds. */
const AGAIN_MS = 30 * 60_000;

/**
 * Calls back when the server has another release than this page. A new release ends the connection, so the page asks
 * when it is back; and when it becomes visible after a long time, because servers of both releases may run for a while.
 */
export function onNewRelease(state: Connection['state'], call: () => void): () => void {
  // A page that the worker kept has no data, and may be of an earlier release.
  let wasAway = document.getElementById('server')?.textContent === '{}';
  let isOver = false;
  let checkedAt = Date.now();
  const check = async () => {
    checkedAt = Date.now();
    // If it fails, the page asks again at the next reconnect.
    const isOther = await serverHasOther().catch(() => false);
    if (isOther && !isOver) call();
  };
  const follow = () => {
    const now = state.get();
    if (now === 'away') wasAway = true;
    if (now !== 'live' || !wasAway) return;
    wasAway = false;
    void check();
  };
  const look = () => {
    if (document.visibilityState === 'visible' && Date.now() - checkedAt > AGAIN_MS) void check();
  };
  follow();
  const stop = state.subscribe(follow);
  document.addEventListener('visibilitychange', look);
  return () => {
    isOver = true;
    stop();
    document.removeEventListener('visibilitychange', look);
  };
}

async function serverHasOther(): Promise<boolean> {
  const response = await fetch('/', { cache: 'no-store' });
  if (!response.ok || response.redirected) return false;
  const theirs = entryOf(new DOMParser().parseFromString(await response.text(), 'text/html'));
  return theirs !== undefined && theirs !== entryOf(document);
}

/** The first script of the client, whose name has a hash of its content. Undefined in a page of a proxy. */
const entryOf = (page: Document): string | undefined =>
  page.getElementById('server') === null
    ? undefined
    : (page.querySelector('script[type="module"][src]')?.getAttribute('src') ?? undefined);
