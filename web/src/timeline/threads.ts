import type { Api } from '../api/api.ts';
import { asApiError } from '../api/errors.ts';
import type { Store } from '../state/store.ts';
import { createGrowth } from './growth.ts';
import type { Message } from './message.ts';
import type { News } from './news.ts';
import { type Beyond, messagesOf, PAGE, type Page, threadPage, withNews } from './pages.ts';
import { closedThread, type Focus, type RoomState, tidied, withTold } from './roomState.ts';
import { cut, type End, grown, MOST, shows, windowOf } from './window.ts';

/** A link to a reply further back than a window reaches opens the thread at its newest. */
const PAGES_BACK = MOST / PAGE - 1;

/** The thread beside the timeline; there is one at a time. */
export interface Threads {
  /** At its newest reply, or with this one on the screen. */
  openThread(root: string, reply?: string): Promise<void>;
  /** As `Growth.grow`. */
  olderReplies(): Promise<boolean>;
  newerReplies(): Promise<boolean>;
  /** Forgets replies at the end that nobody looks at, where there are many. */
  trimReplies(far: End): void;
  closeThread(): void;
}

export interface ThreadsOptions {
  readonly api: Pick<Api, 'fetch' | 'connection'>;
  readonly state: Store<RoomState>;
  readonly news: News;
  isClosed(): boolean;
}

export function createThreads({ api, state, news, isClosed }: ThreadsOptions): Threads {
  let turn = 0;
  const ready = () => {
    const { thread } = state.get();
    return thread?.status === 'ready' && !isClosed() ? thread : undefined;
  };
  const isOpen = (root: string) => !isClosed() && state.get().thread?.root === root;

  const growth = createGrowth({
    news,
    gate: api.connection.gate,
    window: () => ready()?.replies,
    async read({ variables: { around, ...page } }) {
      const root = ready()?.root ?? '';
      if (around === undefined) return (await threadPage(api, root, page)).replies;
      // A thread's replies have no `around`: where there is no cursor it is opened again at its newest.
      await load(root);
      return undefined;
    },
    joins: join,
  });

  function join({ end, from }: Beyond, page: Page, told: readonly Message[]): void {
    state.update((now) => {
      const replies = now.thread && grown(now.thread.replies, end, page, from);
      if (now.thread === undefined || replies === undefined) return now;
      return withTold(
        { ...now, thread: { ...now.thread, replies } },
        { messages: messagesOf(page), news: told },
      );
    });
  }

  async function openThread(root: string, reply?: string): Promise<void> {
    if (!isOpen(root)) state.update((now) => ({ ...now, thread: closedThread(root, 'loading') }));
    try {
      await load(root);
      if (reply !== undefined) await find(root, reply);
    } catch (error) {
      const status = asApiError(error).code === 'NOT_FOUND' ? 'absent' : 'failed';
      if (!isOpen(root)) return;
      state.update((now) => ({ ...now, thread: closedThread(root, status) }));
      if (status === 'absent') return;
      await api.connection.gate.wait();
      if (isOpen(root)) await openThread(root, reply);
    }
  }

  async function load(id: string): Promise<void> {
    const [{ root, replies }, told] = await withNews(news, () => threadPage(api, id, { last: PAGE }));
    if (!isOpen(id)) return;
    state.update((now) =>
      withTold(
        { ...now, thread: { root: id, status: 'ready', replies: windowOf(replies), focus: undefined } },
        { messages: [root, ...messagesOf(replies)], news: told },
      ),
    );
  }

  /** Back from the newest reply, page by page, as far as somebody would scroll. */
  async function find(root: string, reply: string): Promise<void> {
    for (let page = 0; page < PAGES_BACK && !has(reply); page++) await growth.grow('older');
    if (!has(reply) || !isOpen(root)) return;
    const focus: Focus = { id: reply, why: 'link', turn: ++turn };
    state.update((now) => (now.thread === undefined ? now : { ...now, thread: { ...now.thread, focus } }));
  }

  const has = (reply: string) => {
    const thread = ready();
    return thread === undefined || shows(thread.replies, reply);
  };

  return {
    openThread,
    olderReplies: () => growth.grow('older'),
    newerReplies: () => growth.grow('newer'),
    trimReplies: (far) =>
      state.update((now) => {
        if (now.thread === undefined) return now;
        const replies = cut(now.thread.replies, far);
        return replies === now.thread.replies ? now : tidied({ ...now, thread: { ...now.thread, replies } });
      }),
    closeThread: () => state.update((now) => tidied({ ...now, thread: undefined })),
  };
}
