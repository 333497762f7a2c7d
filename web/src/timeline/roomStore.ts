import type { Api } from '../api/api.ts';
import { type ApiError, asApiError } from '../api/errors.ts';
import { createInFlightUpdates } from '../api/inFlightUpdates.ts';
import { withRetry } from '../api/retry.ts';
import { OpenRoomDocument, RoomEventsDocument, type RoomEventsSubscription } from '../generated/graphql.ts';
import type { MemberChange } from '../members/members.ts';
import { createStore, type Store } from '../state/store.ts';
import type { ReadWhenOpened } from '../unread/readTracker.ts';
import { withoutPatch, withPatch } from './entities.ts';
import type { Message, Patch } from './message.ts';
import { messagesOf, PAGE, type Page, type PageVariables, roomPage } from './pages.ts';
import { createPagination } from './pagination.ts';
import { createReplay, firstOfMany, type MessageEvent } from './replay.ts';
import { resync } from './resync.ts';
import {
  closedRoom,
  type Focus,
  type RoomState,
  tidied,
  withAnswer,
  withMessage,
  withUnknownEnds,
} from './roomState.ts';
import { createThreads, type Threads } from './threads.ts';
import { cut, type End, grown, shows, windowOf } from './window.ts';

type RoomEvent = RoomEventsSubscription['roomEvents'];

/**
 * The open room: the only store of its messages. It shows a part of them, live and without a gap. Pages, events and
 * the answers to mutations are merged here, by version.
 */
export interface RoomStore extends Pick<Store<RoomState>, 'get' | 'subscribe'>, Threads {
  /** Opens the room around a message; without one at the first unread message, or else at the newest. */
  open(around?: string): Promise<void>;
  /** As `Pagination.loadMore`. */
  older(): Promise<boolean>;
  newer(): Promise<boolean>;
  /** Drops messages at the end that is far from the screen, if the window has become long. */
  trim(far: End): void;
  /** Goes to the newest message, from anywhere in the room. */
  toNewest(): Promise<void>;
  /** Goes to a page around a message. Resolves with false if the room has no such message. */
  toMessage(id: string): Promise<boolean>;
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
  onAdded(message: Message): void;
  /**
   * The name, topic, capacity or number of members may have changed. Called at each opening, too: from then on events
   * report changes, but what was read before may already be out of date.
   */
  onRoomChanged(): void;
  onMember(change: MemberChange): void;
  /** After a reconnection that replayed more than fits on a screen: the first of those messages. */
  onReplayed(first: Message): void;
  /** More events were missed than the server replays. */
  onMissed(): void;
}

export function createRoomStore(options: RoomStoreOptions): RoomStore {
  const { api, roomId, viewerId } = options;
  const { backoff } = api.connection;
  const state = createStore<RoomState>(closedRoom);
  const closing = new AbortController();
  /** Aborted when the timeline moves to another part of the room: answers for the former one are dropped. */
  let viewport = new AbortController();
  let viewportKey = 0;
  let focusRequests = 0;
  let cursor: string | undefined;
  let unsubscribe = () => {};
  const updates = createInFlightUpdates<Message>();
  const replay = createReplay();
  /** Own messages that are being sent. */
  let sending = 0;
  let ownEchoes: MessageEvent[] = [];

  function moveViewport(): AbortSignal {
    viewport.abort();
    viewport = new AbortController();
    viewportKey++;
    return AbortSignal.any([viewport.signal, closing.signal]);
  }

  async function open(around?: string): Promise<void> {
    const signal = moveViewport();
    const isAbsent = ({ code }: ApiError) => code === 'NOT_FOUND' || code === 'FORBIDDEN';
    const isNotHere = (error: ApiError) =>
      around !== undefined && ['NOT_FOUND', 'BAD_USER_INPUT'].includes(error.code);
    const attempt = () => {
      state.update(({ thread }) => ({ ...closedRoom, thread, viewportKey }));
      return openAt(signal, around);
    };
    try {
      await withRetry(backoff, attempt, {
        signal,
        isRetryable: (error) => !isAbsent(error) && !isNotHere(error),
        onFailure: () => state.update((now) => ({ ...now, status: 'failed' })),
      });
    } catch (error) {
      // The room itself may exist even though the message does not, or is in another room.
      if (isNotHere(asApiError(error))) return open();
      // Not found, or a public room that the viewer is not a member of.
      state.update((now) => ({ ...now, status: 'absent' }));
    }
  }

  /** Reads the room, subscribes to its events from there on, and goes to the wanted message. */
  async function openAt(signal: AbortSignal, around: string | undefined): Promise<void> {
    const variables = around === undefined ? {} : { around, first: PAGE };
    const { room } = await api.queryUncached(OpenRoomDocument, { id: roomId, ...variables });
    if (signal.aborted) return;
    if (room === null || room.eventsCursor === null) {
      state.update((now) => ({ ...now, status: 'absent' }));
      return;
    }
    cursor = room.eventsCursor;
    subscribe();
    options.onRoomChanged();
    const [unread] = room.explainUnread;
    const newest = Math.max(0, ...room.newest.edges.map(({ node }) => node.position ?? 0));
    options.onOpened({ firstUnread: unread?.position ?? newest + 1, newest });
    const wanted = around ?? unread?.id;
    // In one step: a list without a focus would be rendered at its end, and that part would count as seen.
    const showWanted = (page: Page, arrived: readonly Message[]) => {
      show(page, arrived);
      state.update((now) => ({ ...now, firstUnread: unread?.id }));
      if (wanted !== undefined) focus(wanted, around === undefined ? 'unread' : 'link');
    };
    // This answer needs no guard: the subscription replays everything since its cursor.
    if (wanted === undefined || shows(windowOf(room.messages), wanted)) showWanted(room.messages, []);
    else await readPage(signal, { first: PAGE, around: wanted }, showWanted);
  }

  function focus(id: string, why: Focus['why']): void {
    state.update((now) => ({ ...now, focus: { id, why, requestId: ++focusRequests } }));
  }

  const readPage = (signal: AbortSignal, wanted: PageVariables, onPage = show): Promise<void> =>
    updates.read(
      () => roomPage(api, roomId, wanted),
      (page, arrived) => {
        if (!signal.aborted) onPage(page, arrived);
      },
    );

  function show(page: Page, arrived: readonly Message[]): void {
    state.update((now) =>
      withAnswer(
        { ...now, status: 'ready', viewportKey, focus: undefined, timeline: windowOf(page) },
        messagesOf(page),
        arrived,
      ),
    );
  }

  function subscribe(): void {
    unsubscribe();
    unsubscribe = api.connection.subscribe({
      document: RoomEventsDocument,
      variables: () => ({ room: roomId, ...(cursor === undefined ? {} : { after: cursor }) }),
      onOpening() {
        replay.begin().forEach(applyEvent);
        // The server does not report who stopped typing while there was no subscription.
        state.update((now) => ({ ...now, typing: [] }));
      },
      next: ({ roomEvents }) => handle(roomEvents),
      onRefused: () => state.set({ ...closedRoom, status: 'absent' }),
    });
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

  function applyReplay(): void {
    const events = replay.end();
    events.forEach(applyEvent);
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
    applyMessage(message);
    if (event.__typename === 'MessageAdded') options.onAdded(message);
  }

  function applyMessage(message: Message): void {
    updates.push(message);
    state.update((now) => withMessage(now, message));
  }

  /** After more was missed than the server replays. */
  async function catchUp(): Promise<void> {
    updates.invalidate();
    const { status, timeline } = state.get();
    if (status !== 'ready' || timeline.ids.length === 0) return open();
    state.update(withUnknownEnds);
    const { signal } = closing;
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
        return timeline === undefined ? now : withAnswer({ ...now, timeline }, messagesOf(page), arrived);
      }),
  });

  return {
    get: state.get,
    subscribe: state.subscribe,
    ...createThreads({ api, state, updates, closed: closing.signal }),
    open,
    older: () => pagination.loadMore('older'),
    newer: () => pagination.loadMore('newer'),
    trim: (far) =>
      state.update((now) => {
        const timeline = cut(now.timeline, far);
        return timeline === now.timeline ? now : tidied({ ...now, timeline });
      }),
    async toNewest() {
      const { ids, hasNewer } = state.get().timeline;
      if (hasNewer) return readPage(moveViewport(), { last: PAGE });
      const newest = ids.at(-1);
      if (newest !== undefined) focus(newest, 'newest');
    },
    async toMessage(id) {
      const focusIfShown = () => {
        const isShown = shows(state.get().timeline, id);
        if (isShown) focus(id, 'link');
        return isShown;
      };
      if (focusIfShown()) return true;
      let isFound = false;
      const showAround = (page: Page, arrived: readonly Message[]) => {
        show(page, arrived);
        isFound = focusIfShown();
      };
      await readPage(moveViewport(), { first: PAGE, around: id }, showAround).catch(() => {});
      return isFound;
    },
    async change(id, apply, answer) {
      const patch = { id, apply };
      state.update((now) => ({ ...now, entities: withPatch(now.entities, patch) }));
      try {
        const message = await answer();
        applyMessage(message);
        return message;
      } finally {
        state.update((now) => ({ ...now, entities: withoutPatch(now.entities, patch) }));
      }
    },
    applyMessage,
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
