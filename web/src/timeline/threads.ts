import type { Api } from '../api/api.ts';
import { withRetry } from '../api/retry.ts';
import type { Store } from '../state/store.ts';
import type { MessageUpdate } from './message.ts';
import { type MessageUpdates, messagesOf, type NextPage, PAGE, type Page, threadPage } from './pages.ts';
import { createPagination } from './pagination.ts';
import {
  closedThread,
  type Focus,
  type OpenThread,
  type RoomState,
  tidied,
  withAnswer,
} from './roomState.ts';
import { cut, type End, grown, MAX_LENGTH, shows, windowOf } from './window.ts';

/** A link to a reply that is further back than a window can reach opens the thread at its newest reply. */
const MAX_PAGES_BACK = MAX_LENGTH / PAGE - 1;

/** The thread beside the timeline. At most one is open. */
export interface Threads {
  /** Opens a thread at its newest reply, or with a certain reply on the screen. */
  openThread(root: string, reply?: string): Promise<void>;
  /** As `Pagination.loadMore`. */
  olderReplies(): Promise<boolean>;
  newerReplies(): Promise<boolean>;
  /** Drops replies at the end that is far from the screen, if the window has become long. */
  trimReplies(far: End): void;
  closeThread(): void;
}

export interface ThreadsOptions {
  readonly api: Pick<Api, 'queryUncached' | 'connection'>;
  readonly state: Store<RoomState>;
  readonly updates: MessageUpdates;
  /** Aborted when the room is closed. */
  readonly closed: AbortSignal;
}

export function createThreads({ api, state, updates, closed }: ThreadsOptions): Threads {
  const { backoff } = api.connection;
  let focusRequests = 0;
  /** Aborted when another thread is opened, or this one is closed. */
  let opening = new AbortController();

  const ready = () => {
    const { thread } = state.get();
    return thread?.status === 'ready' && !closed.aborted ? thread : undefined;
  };
  const isOpen = (root: string) => !closed.aborted && state.get().thread?.root === root;

  const pagination = createPagination({
    updates,
    backoff,
    window: () => ready()?.replies,
    async read({ variables: { around, ...page } }) {
      const root = ready()?.root ?? '';
      if (around === undefined) return (await threadPage(api, root, page)).replies;
      // Replies have no `around`: without a cursor, the thread is opened again at its newest reply.
      await load(root);
      return undefined;
    },
    append,
  });

  function append({ end, from }: NextPage, page: Page, arrived: readonly MessageUpdate[]): void {
    state.update((now) => {
      const replies = now.thread && grown(now.thread.replies, end, page, from);
      if (now.thread === undefined || replies === undefined) return now;
      return withAnswer({ ...now, thread: { ...now.thread, replies } }, messagesOf(page), arrived);
    });
  }

  async function openThread(root: string, reply?: string): Promise<void> {
    opening.abort();
    opening = new AbortController();
    const signal = AbortSignal.any([opening.signal, closed]);
    const show = (status: OpenThread['status']) =>
      state.update((now) => ({ ...now, thread: closedThread(root, status) }));
    if (!isOpen(root)) show('loading');
    const attempt = async () => {
      if (!isOpen(root)) return;
      await load(root);
      if (reply !== undefined) await find(root, reply);
    };
    try {
      await withRetry(backoff, attempt, {
        signal,
        isRetryable: ({ code }) => code !== 'NOT_FOUND',
        onFailure: () => isOpen(root) && show('failed'),
      });
    } catch {
      if (isOpen(root)) show('absent');
    }
  }

  const load = (id: string): Promise<void> =>
    updates.read(
      () => threadPage(api, id, { last: PAGE }),
      ({ root, replies }, arrived) => {
        if (!isOpen(id)) return;
        state.update((now) =>
          withAnswer(
            { ...now, thread: { root: id, status: 'ready', replies: windowOf(replies), focus: undefined } },
            [root, ...messagesOf(replies)],
            arrived,
          ),
        );
      },
    );

  /** Goes back from the newest reply, page by page, as a reader would by scrolling. */
  async function find(root: string, reply: string): Promise<void> {
    for (let page = 0; page < MAX_PAGES_BACK && !has(reply); page++) await pagination.loadMore('older');
    if (!has(reply) || !isOpen(root)) return;
    const focus: Focus = { id: reply, why: 'link', requestId: ++focusRequests };
    state.update((now) => (now.thread === undefined ? now : { ...now, thread: { ...now.thread, focus } }));
  }

  const has = (reply: string) => {
    const thread = ready();
    return thread === undefined || shows(thread.replies, reply);
  };

  return {
    openThread,
    olderReplies: () => pagination.loadMore('older'),
    newerReplies: () => pagination.loadMore('newer'),
    trimReplies: (far) =>
      state.update((now) => {
        if (now.thread === undefined) return now;
        const replies = cut(now.thread.replies, far);
        return replies === now.thread.replies ? now : tidied({ ...now, thread: { ...now.thread, replies } });
      }),
    closeThread() {
      opening.abort();
      state.update((now) => tidied({ ...now, thread: undefined }));
    },
  };
}
