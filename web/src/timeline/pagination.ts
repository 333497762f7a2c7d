import type { Backoff } from '../api/backoff.ts';
import { withRetry } from '../api/retry.ts';
import type { MessageUpdate } from './message.ts';
import { type MessageUpdates, type NextPage, nextPage, type Page } from './pages.ts';
import type { End, Window } from './window.ts';

/** Extends a window by one page at either end, when the reader scrolls near it. */
export interface Pagination {
  /**
   * Resolves with whether a page was requested: then it is worth calling again. Never rejects: the reader waits at
   * the end of the window, so a page is requested until it is there, or there is no such page any more.
   */
  loadMore(end: End): Promise<boolean>;
}

export interface PaginationOptions {
  readonly updates: MessageUpdates;
  readonly backoff: Pick<Backoff, 'wait'>;
  /** Undefined if nothing is open. */
  window(): Window | undefined;
  /** Resolves with undefined if it has replaced the window instead. */
  read(wanted: NextPage): Promise<Page | undefined>;
  /** Adds a page, and the messages that arrived while it was in flight. `grown` decides whether it still fits. */
  append(wanted: NextPage, page: Page, arrived: readonly MessageUpdate[]): void;
}

export function createPagination({ updates, backoff, window, read, append }: PaginationOptions): Pagination {
  const loading = new Set<End>();

  function wantedAt(end: End): NextPage | undefined {
    const now = window();
    return now && nextPage(now, end);
  }

  async function load(end: End): Promise<void> {
    const wanted = wantedAt(end);
    if (wanted === undefined) return;
    await updates.read(
      () => read(wanted),
      (page, arrived) => page && append(wanted, page, arrived),
    );
  }

  return {
    async loadMore(end) {
      if (loading.has(end) || wantedAt(end) === undefined) return false;
      loading.add(end);
      await withRetry(backoff, () => load(end), { isRetryable: () => true });
      loading.delete(end);
      return true;
    },
  };
}
