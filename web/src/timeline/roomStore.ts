import type { Api } from '../api/api.ts';
import { createInFlightUpdates } from '../api/inFlightUpdates.ts';
import { RoomEventsDocument, type RoomEventsSubscription } from '../generated/graphql.ts';
import type { MemberChange } from '../members/members.ts';
import { ownChange } from '../reactions/ownReactions.ts';
import { createStore, type Store } from '../state/store.ts';
import type { ReadWhenOpened } from '../unread/readTracker.ts';
import { withoutPatch, withPatch } from './entities.ts';
import type { Message, MessageUpdate, Patch, SharedMessage } from './message.ts';
import { messagesOf, roomPage } from './pages.ts';
import { createPagination } from './pagination.ts';
import { type Clock, createReactionsReader } from './reactionsReader.ts';
import { createReplay, firstOfMany, type MessageEvent } from './replay.ts';
import { resync } from './resync.ts';
import { createRoomOpening, type RoomOpening } from './roomOpening.ts';
import {
  closedRoom,
  closedThread,
  type RoomState,
  tidied,
  withAnswer,
  withGap,
  withMessage,
  withMissedEvents,
} from './roomState.ts';
import { createThreads, type Threads } from './threads.ts';
import { createUnreadLine, type UnreadLine } from './unreadLine.ts';
import { cut, type End, grown } from './window.ts';

type RoomEvent = RoomEventsSubscription['roomEvents'];

/**
 * The open room: the only store of its messages. It shows a part of them, live and without a gap. Pages, events and
 * the answers to mutations are merged here, by version.
 */
export interface RoomStore
  extends Pick<Store<RoomState>, 'get' | 'subscribe'>,
    Threads,
    RoomOpening,
    UnreadLine {
  /** As `Pagination.loadMore`. */
  older(): Promise<boolean>;
  newer(): Promise<boolean>;
  /** Drops messages at the end that is far from the screen, if the window has become long. */
  trim(far: End): void;
  /**
   * Shows a change at once. When `answer` settles, shows its message, or the former one if it rejects. Rejects as
   * `answer` does.
   */
  change(id: string, patch: Patch, answer: () => Promise<Message>): Promise<Message>;
  /** Adds a message from the server, for example the answer to a mutation. */
  applyMessage(message: Message): void;
  setFirstUnread(id: string | undefined): void;
  /**
   * Holds back events about the viewer's own new messages until the returned function is called. While a message is
   * being sent, it is on the screen already, and its event can arrive before the answer.
   */
  suppressOwnEchoes(): () => void;
  close(): void;
}

export interface RoomStoreOptions {
  readonly api: Pick<Api, 'queryUncached' | 'connection'>;
  readonly roomId: string;
  readonly viewerId: string;
  onOpened(read: ReadWhenOpened): void;
  onAdded(message: SharedMessage): void;
  /**
   * The name, topic, capacity or number of members may have changed. Called at each opening, too: from then on events
   * report changes, but what was read before may already be out of date.
   */
  onRoomChanged(): void;
  onMember(change: MemberChange): void;
  /** After a reconnection that replayed more than fits on a screen: the first of those messages. */
  onReplayed(first: SharedMessage): void;
  /** More events were missed than the server replays. */
  onMissed(): void;
  /** Default: the browser's timers. */
  readonly clock?: Clock;
}

export function createRoomStore(options: RoomStoreOptions): RoomStore {
  const { api, roomId, viewerId } = options;
  const { backoff } = api.connection;
  const state = createStore<RoomState>(closedRoom);
  const closing = new AbortController();
  let cursor: string | undefined;
  let unsubscribe = () => {};
  const updates = createInFlightUpdates<MessageUpdate>();
  const replay = createReplay();
  /** Own messages that are being sent. */
  let sending = 0;
  let ownEchoes: MessageEvent[] = [];

  const reactions = createReactionsReader({
    api,
    state,
    closed: closing.signal,
    clock: options.clock,
    applyMessage: apply,
  });
  const opening = createRoomOpening({
    api,
    roomId,
    state,
    updates,
    closed: closing.signal,
    onOpened: options.onOpened,
    onCursor(first) {
      cursor = first;
      subscribe();
      options.onRoomChanged();
      // A thread that was requested before the cursor lacks what happened between the two.
      updates.invalidate();
      const { thread } = state.get();
      if (thread?.status === 'ready') void threads.openThread(thread.root);
    },
  });

  const threads = createThreads({ api, state, updates, closed: closing.signal });

  function subscribe(): void {
    unsubscribe();
    unsubscribe = api.connection.subscribe({
      document: RoomEventsDocument,
      variables: () => ({ room: roomId, ...(cursor === undefined ? {} : { after: cursor }) }),
      onOpening() {
        applyMissed(replay.begin());
        // The server does not report who stopped typing while there was no subscription.
        state.update((now) => ({ ...now, typing: [] }));
      },
      next: ({ roomEvents }) => handle(roomEvents),
      onRefused({ code }) {
        if (code === 'BAD_USER_INPUT') void openAgain();
        else state.set({ ...closedRoom, status: 'absent' });
      },
    });
  }

  /**
   * The server does not know the cursor, for example because it was restored from a backup: its messages are other
   * ones.
   */
  async function openAgain(): Promise<void> {
    await backoff.wait();
    if (closing.signal.aborted) return;
    // Their versions may be higher than those of now, and would win.
    state.update(({ thread }) => ({ ...closedRoom, thread: thread && closedThread(thread.root, 'loading') }));
    await opening.open();
    const { thread } = state.get();
    if (thread !== undefined) await threads.openThread(thread.root);
  }

  function handle(event: RoomEvent): void {
    cursor = event.cursor;
    switch (event.__typename) {
      case 'MessageAdded':
      case 'MessageChanged':
        if (!replay.collect(event)) applyEvent(event);
        break;
      case 'TypingChanged':
        state.update((now) => ({ ...now, typing: event.users }));
        break;
      case 'ResyncRequired':
        options.onMissed();
        options.onRoomChanged();
        void catchUp();
        break;
      case 'MembershipChanged':
        options.onMember(event);
        options.onRoomChanged();
        break;
      case 'RoomChanged':
        options.onRoomChanged();
        break;
      case 'Synced':
        applyReplay();
        break;
    }
  }

  function applyMissed(events: readonly MessageEvent[]): void {
    events.forEach(applyEvent);
    if (events.length > 0) state.update(withGap);
  }

  function applyReplay(): void {
    const events = replay.end();
    applyMissed(events);
    const first = firstOfMany(events, viewerId);
    if (first !== undefined) options.onReplayed(first);
  }

  function applyEvent(event: MessageEvent): void {
    const { message } = event;
    const isOwnAndNew = message.author.id === viewerId && !state.get().entities.server.has(message.id);
    if (sending > 0 && isOwnAndNew) {
      ownEchoes.push(event);
      return;
    }
    const cause = event.__typename === 'MessageChanged' ? event.cause : null;
    apply({ shared: message, own: ownChange(cause, viewerId) });
    reactions.schedule();
    if (event.__typename === 'MessageAdded') options.onAdded(message);
  }

  function apply(update: MessageUpdate): void {
    updates.push(update);
    state.update((now) => withMessage(now, update));
  }

  /** After more was missed than the server replays. */
  async function catchUp(): Promise<void> {
    updates.invalidate();
    const { status, timeline } = state.get();
    if (status !== 'ready' || timeline.ids.length === 0) return opening.open();
    state.update(withMissedEvents);
    const { signal } = closing;
    const applyMessage = (update: MessageUpdate) => {
      apply(update);
      state.update(withGap);
    };
    const firstUnread = await resync({ api, roomId, state: state.get(), applyMessage, signal });
    // Only few of the missed messages may be on the screen.
    if (firstUnread !== undefined) state.update((now) => ({ ...now, firstUnread }));
  }

  const pagination = createPagination({
    updates,
    backoff,
    window: () =>
      state.get().status === 'ready' && !closing.signal.aborted ? state.get().timeline : undefined,
    read: ({ variables }) => roomPage(api, roomId, variables),
    append: ({ end, from }, page, arrived) =>
      state.update((now) => {
        const timeline = grown(now.timeline, end, page, from);
        return timeline === undefined
          ? now
          : withGap(withAnswer({ ...now, timeline }, messagesOf(page), arrived));
      }),
  });

  return {
    get: state.get,
    subscribe: state.subscribe,
    ...threads,
    ...opening,
    ...createUnreadLine(state),
    older: () => pagination.loadMore('older'),
    newer: () => pagination.loadMore('newer'),
    trim: (far) =>
      state.update((now) => {
        const timeline = cut(now.timeline, far);
        return timeline === now.timeline ? now : tidied({ ...now, timeline });
      }),
    async change(id, patch, answer) {
      const pending = { id, apply: patch };
      state.update((now) => ({ ...now, entities: withPatch(now.entities, pending) }));
      try {
        const message = await answer();
        apply(message);
        return message;
      } finally {
        state.update((now) => ({ ...now, entities: withoutPatch(now.entities, pending) }));
      }
    },
    applyMessage: apply,
    setFirstUnread: (firstUnread) => state.update((now) => ({ ...now, firstUnread })),
    suppressOwnEchoes() {
      sending++;
      return () => {
        if (--sending > 0) return;
        const events = ownEchoes;
        ownEchoes = [];
        events.forEach(applyEvent);
      };
    },
    close() {
      closing.abort();
      unsubscribe();
    },
  };
}
