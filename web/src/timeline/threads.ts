import type { Api } from '../api/api.ts';
import { asApiError } from '../api/errors.ts';
import type { Store } from '../state/store.ts';
import { withMessages } from './entities.ts';
import { newerOf, olderOf, PAGE, threadPage } from './pages.ts';
import { closedThread, type Focus, type RoomState, tidied } from './roomState.ts';
import { windowOf, withNewer, withOlder } from './window.ts';

/** A link to a reply further back than this opens the thread at its newest. */
const PAGES_BACK = 10;

/** The thread beside the timeline; there is one at a time. */
export interface Threads {
  /** At its newest reply, or with this one on the screen. */
  openThread(root: string, reply?: string): Promise<void>;
  olderReplies(): Promise<void>;
  newerReplies(): Promise<void>;
  closeThread(): void;
}

export interface ThreadsOptions {
  readonly api: Pick<Api, 'fetch' | 'connection'>;
  readonly state: Store<RoomState>;
  isClosed(): boolean;
}

export function createThreads({ api, state, isClosed }: ThreadsOptions): Threads {
  let loading = false;
  let turn = 0;

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

  async function load(root: string): Promise<void> {
    const page = await threadPage(api, root, { last: PAGE });
    if (!isOpen(root)) return;
    state.update((now) => ({
      ...now,
      entities: withMessages(now.entities, [page.root, ...page.replies.edges.map(({ node }) => node)]),
      thread: { root, status: 'ready', replies: windowOf(page.replies), focus: undefined },
    }));
  }

  /** Back from the newest reply, page by page, as far as somebody would scroll. */
  async function find(root: string, reply: string): Promise<void> {
    for (let page = 0; page < PAGES_BACK && !has(reply); page++) await grow('older');
    if (!has(reply) || !isOpen(root)) return;
    const focus: Focus = { id: reply, why: 'link', turn: ++turn };
    state.update((now) => (now.thread === undefined ? now : { ...now, thread: { ...now.thread, focus } }));
  }

  const has = (reply: string) => state.get().thread?.replies.ids.includes(reply) ?? true;

  async function grow(end: 'older' | 'newer'): Promise<void> {
    const { thread } = state.get();
    if (thread === undefined || thread.status !== 'ready' || loading) return;
    const { replies, root } = thread;
    const wanted = end === 'older' ? olderOf(replies) : newerOf(replies);
    if (wanted === undefined || !(end === 'older' ? replies.hasOlder : replies.hasNewer)) return;
    // A thread's replies have no `around`: without a cursor it is opened again at its newest.
    if (wanted.around !== undefined) return load(root).catch(() => {});
    loading = true;
    try {
      const page = await threadPage(api, root, wanted);
      state.update((now) => {
        if (now.thread?.root !== root) return now;
        const grown = (end === 'older' ? withOlder : withNewer)(now.thread.replies, page.replies);
        const messages = [page.root, ...page.replies.edges.map(({ node }) => node)];
        return tidied({
          ...now,
          entities: withMessages(now.entities, messages),
          thread: { ...now.thread, replies: grown },
        });
      });
    } catch {
      await api.connection.gate.wait();
    } finally {
      loading = false;
    }
  }

  const isOpen = (root: string) => !isClosed() && state.get().thread?.root === root;

  return {
    openThread,
    olderReplies: () => grow('older'),
    newerReplies: () => grow('newer'),
    closeThread: () => state.update((now) => tidied({ ...now, thread: undefined })),
  };
}
