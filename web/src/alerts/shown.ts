import type { News } from './news.ts';

export interface ShownOptions {
  readonly viewerId: string;
  /** The viewer has clicked on one. */
  readonly open: (path: string) => void;
}

/** The words of one. */
export interface Words {
  readonly title: string;
  readonly body: string;
}

/** The notifications of the system that this page shows. */
export interface Shown {
  show(news: News, words: Words): void;
  /** Closes those that are over. */
  close(isOver: (news: News) => boolean): void;
  /** The viewer looks at this page: all pages of this user in this browser close theirs. */
  seen(): void;
  stop(): void;
}

export function createShown({ viewerId, open }: ShownOptions): Shown {
  const shown = new Map<Notification, News>();
  const channel = new BroadcastChannel(`tsudoi:seen:${viewerId}`);

  function show(news: News, { title, body }: Words): void {
    let one: Notification;
    try {
      // The sound is the page's own. What replaces an earlier one is news as well.
      const options = { body, tag: news.tag, silent: true, renotify: true };
      one = new Notification(title, options);
    } catch {
      // A browser that has them only in service workers.
      return;
    }
    shown.set(one, news);
    one.addEventListener('close', () => shown.delete(one));
    one.addEventListener('click', () => {
      one.close();
      window.focus();
      open(news.path);
    });
  }

  function close(isOver: (news: News) => boolean): void {
    for (const [one, news] of shown) {
      if (!isOver(news)) continue;
      one.close();
      shown.delete(one);
    }
  }
  const closeAll = () => close(() => true);

  channel.onmessage = closeAll;
  addEventListener('pagehide', closeAll);
  return {
    show,
    close,
    seen() {
      closeAll();
      channel.postMessage('seen');
    },
    stop() {
      closeAll();
      channel.close();
      removeEventListener('pagehide', closeAll);
    },
  };
}
