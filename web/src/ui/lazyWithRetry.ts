import { type ComponentType, lazy } from 'react';
import { createBackoff } from '../api/backoff.ts';
import { withRetry } from '../api/retry.ts';

/** After this many failures while the server is up, the server has another version, without the page's scripts. */
const MAX_REFUSALS = 5;

/** `lazy` for a page that may be offline: the fallback stays until the script is loaded. */
export const lazyWithRetry = <P>(load: () => Promise<{ readonly default: ComponentType<P> }>) =>
  lazy(() => loadWithRetry(load));

async function loadWithRetry<T>(load: () => Promise<T>): Promise<T> {
  const backoff = createBackoff();
  let refusals = 0;
  const attempt = async (): Promise<T> => {
    try {
      return await load();
    } catch (error) {
      if (await isServerUp()) refusals++;
      throw error;
    }
  };
  addEventListener('online', backoff.retryNow);
  try {
    return await withRetry(backoff, attempt, { isRetryable: () => refusals < MAX_REFUSALS });
  } finally {
    removeEventListener('online', backoff.retryNow);
  }
}

const isServerUp = (): Promise<boolean> =>
  fetch('/', { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
