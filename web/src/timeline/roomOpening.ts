import type { Api } from '../api/api.ts';
import { type ApiError, asApiError } from '../api/errors.ts';
import { withRetry } from '../api/retry.ts';
import { OpenRoomDocument } from '../generated/graphql.ts';
import type { Store } from '../state/store.ts';
import type { ReadWhenOpened } from '../unread/readTracker.ts';
import type { MessageUpdate } from './message.ts';
import { type MessageUpdates, messagesOf, PAGE, type Page, type PageVariables, roomPage } from './pages.ts';
import { closedRoom, type Focus, type RoomState, tidied, withAnswer } from './roomState.ts';
import { shows, windowOf } from './window.ts';

export interface RoomOpeningOptions {
  readonly api: Pick<Api, 'queryUncached' | 'connection'>;
  readonly roomId: string;
  readonly state: Store<RoomState>;
  readonly updates: MessageUpdates;
  /** Aborted when the room is closed. */
  readonly closed: AbortSignal;
  /** Called with each answer that opens the room: events that follow its cursor change what it shows. */
  onCursor(cursor: string): void;
  onOpened(read: ReadWhenOpened): void;
}

/** Opens a room, and moves its timeline to another part of it. */
export interface RoomOpening {
  /** Opens the room around a message; without one at the first unread message, or else at the newest. */
  open(around?: string): Promise<void>;
  /** Goes to the newest message, from anywhere in the room. */
  toNewest(): Promise<void>;
  /** Goes to a page around a message. Resolves with false if the room has no such message. */
  toMessage(id: string, why?: 'link' | 'date'): Promise<boolean>;
}

const isAbsent = ({ code }: ApiError) => code === 'NOT_FOUND' || code === 'FORBIDDEN';

export function createRoomOpening(options: RoomOpeningOptions): RoomOpening {
  const { api, roomId, state, updates, closed } = options;
  /** Aborted when the timeline moves to another part of the room: answers for the former one are dropped. */
  let viewport = new AbortController();
  let viewportKey = 0;
  let focusRequests = 0;

  function moveViewport(): AbortSignal {
    viewport.abort();
    viewport = new AbortController();
    viewportKey++;
    return AbortSignal.any([viewport.signal, closed]);
  }

  async function open(around?: string): Promise<void> {
    const signal = moveViewport();
    const isNotHere = (error: ApiError) =>
      around !== undefined && ['NOT_FOUND', 'BAD_USER_INPUT'].includes(error.code);
    const attempt = () => {
      // The thread beside it stays: it is read on its own.
      state.update(({ thread, entities }) => tidied({ ...closedRoom, thread, entities, viewportKey }));
      return openAt(signal, around);
    };
    try {
      await withRetry(api.connection.backoff, attempt, {
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
    options.onCursor(room.eventsCursor);
    const [unread] = room.explainUnread;
    const newest = Math.max(0, ...room.newest.edges.map(({ node }) => node.position ?? 0));
    options.onOpened({ firstUnread: unread?.position ?? newest + 1, newest });
    const wanted = around ?? unread?.id;
    // In one step: a list without a focus would be rendered at its end, and that part would count as seen.
    const showWanted = (page: Page, arrived: readonly MessageUpdate[]) => {
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

  function show(page: Page, arrived: readonly MessageUpdate[]): void {
    state.update((now) =>
      withAnswer(
        { ...now, status: 'ready', viewportKey, focus: undefined, timeline: windowOf(page) },
        messagesOf(page),
        arrived,
      ),
    );
  }

  return {
    open,
    async toNewest() {
      const { ids, hasNewer } = state.get().timeline;
      if (hasNewer) return readPage(moveViewport(), { last: PAGE });
      const newest = ids.at(-1);
      if (newest !== undefined) focus(newest, 'newest');
    },
    async toMessage(id, why = 'link') {
      const focusIfShown = () => {
        const isShown = shows(state.get().timeline, id);
        if (isShown) focus(id, why);
        return isShown;
      };
      if (focusIfShown()) return true;
      let isFound = false;
      const showAround = (page: Page, arrived: readonly MessageUpdate[]) => {
        show(page, arrived);
        isFound = focusIfShown();
      };
      await readPage(moveViewport(), { first: PAGE, around: id }, showAround).catch(() => {});
      return isFound;
    },
  };
}
