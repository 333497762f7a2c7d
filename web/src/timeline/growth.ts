import type { RetryGate } from '../api/retryGate.ts';
import type { Message } from './message.ts';
import type { News } from './news.ts';
import { type Beyond, beyond, type Page, withNews } from './pages.ts';
import type { End, Window } from './window.ts';

/** Makes a window longer, a page at a time at each end, as somebody comes near to it. */
export interface Growth {
  /** Resolves with whether anything was asked for: then it is worth asking again. Never rejects. */
  grow(end: End): Promise<boolean>;
}

export interface GrowthOptions {
  readonly news: News;
  readonly gate: Pick<RetryGate, 'wait'>;
  /** Undefined while there is none to grow. */
  window(): Window | undefined;
  /** Undefined where the window was replaced instead. */
  read(wanted: Beyond): Promise<Page | undefined>;
  /** A page has come; whether it still fits is for `grown` to tell. */
  joins(wanted: Beyond, page: Page, news: readonly Message[]): void;
}

export function createGrowth({ news, gate, window, read, joins }: GrowthOptions): Growth {
  const loading = new Set<End>();
  return {
    async grow(end) {
      const now = window();
      const wanted = now && beyond(now, end);
      if (wanted === undefined || loading.has(end)) return false;
      loading.add(end);
      try {
        const [page, told] = await withNews(news, () => read(wanted));
        if (page !== undefined) joins(wanted, page, told);
      } catch {
        await gate.wait();
      } finally {
        loading.delete(end);
      }
      return true;
    },
  };
}
