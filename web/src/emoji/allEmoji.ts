import { loadWithRetry } from '../ui/loadWithRetry.ts';
import type { Emoji } from './emoji.ts';

let loading: Promise<readonly Emoji[]> | undefined;

/** Loads the data once. Rejects if the server has another version of the page; the next call tries again. */
export function allEmoji(): Promise<readonly Emoji[]> {
  loading ??= loadWithRetry(() => import('./loadEmoji.ts')).then(
    ({ default: all }) => all,
    (error: unknown) => {
      loading = undefined;
      throw error;
    },
  );
  return loading;
}
