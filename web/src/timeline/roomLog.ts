import type { Api } from '../api/api.ts';
import { asApiError } from '../api/errors.ts';
import { OpenRoomDocument, RoomEventsDocument, type RoomEventsSubscription } from '../generated/graphql.ts';
import type { MemberChange } from '../members/members.ts';
import { createStore, type Store } from '../state/store.ts';
import type { ReadWhenOpened } from '../unread/reader.ts';
import { withoutPatch, withPatch } from './entities.ts';
import { createGrowth } from './growth.ts';
import type { Message, Patch } from './message.ts';
import { createNews } from './news.ts';
import { messagesOf, PAGE, type Page, type PageVariables, roomPage, withNews } from './pages.ts';
import { readAgain } from './readAgain.ts';
import { createReplay, firstOfMany, type MessageEvent } from './replay.ts';
import {
  closedRoom,
  type Focus,
  type RoomState,
  tidied,
  withMessage,
  withTold,
  withUnknownEnds,
} from './roomState.ts';
import { createThreads, type Threads } from './threads.ts';
import { cut, type End, grown, shows, windowOf } from './window.ts';

type RoomEvent = RoomEventsSubscription['roomEvents'];

/** A room that is open: its messages, live and without a hole, and what is shown of them. */
export interface RoomLog extends Pick<Store<RoomState>, 'get' | 'subscribe'>, Threads {
  /** Opens it at its first unread message, else at its newest; or around a message. */
  open(around?: string): Promise<void>;
  /** As `Growth.grow`. */
  older(): Promise<boolean>;
  newer(): Promise<boolean>;
  /** Forgets messages at the end that nobody looks at, where there are many. */
  trim(far: End): void;
  /** To the newest message, whatever was shown before. */
  toNewest(): Promise<void>;
  /** A page around a message; false where there is none such in this room. */
  toMessage(id: string): Promise<boolean>;
  /** Shows a change at once; when `answer` comes, what it says, or what there was. Rejects as `answer` does. */
  change(id: string, apply: Patch, answer: () => Promise<Message>): Promise<Message>;
  /** What the server answered to somebody who sent it. */
  added(message: Message): void;
  setFirstUnread(id: string | undefined): void;
  /** Own messages that the subscription tells while one is on its way are held back: see `Outbox`. */
  hold(): () => void;
  close(): void;
}

export interface RoomLogOptions {
  readonly api: Api;
  readonly roomId: string;
  readonly viewerId: string;
  onOpened(read: ReadWhenOpened): void;
  onAdded(message: Message): void;
  /** Name, topic, capacity or the number of members is another one. */
  onRoomChanged(): void;
  onMember(change: MemberChange): void;
  /** More was missed than fits on a screen, from this message on; all of it is there now. */
  onReplayed(first: Message): void;
  /** Too much was missed to be told one by one. */
  onMissed(): void;
}

export function createRoomLog(options: RoomLogOptions): RoomLog {
  const { api, roomId, viewerId } = options;
  const state = createStore<RoomState>(closedRoom);
  let cursor: string | undefined;
  let stopListening = () => {};
  let closed = false;
  /** Rises when the timeline is set to another place: an answer for the former one is dropped. */
  let place = 0;
  let turn = 0;
  /** What is known of its name and seats may have been read before the cursor that the events go on from. */
  let isRoomOlder = false;
  const news = createNews();
  const replay = createReplay();
  let holds = 0;
  let heldBack: MessageEvent[] = [];

  async function open(around?: string): Promise<void> {
    const mine = ++place;
    const isOver = () => mine !== place || closed;
    state.update(({ thread }) => ({ ...closedRoom, thread, place }));
    try {
      await openAt(isOver, around);
    } catch (error) {
      if (isOver()) return;
      const { code } = asApiError(error);
      // The message is not of this room, or no more: the room itself is there all the same.
      if (around !== undefined && ['NOT_FOUND', 'BAD_USER_INPUT'].includes(code)) return open();
      // Forbidden: a public room that the viewer is not in.
      const status = code === 'NOT_FOUND' || code === 'FORBIDDEN' ? 'absent' : 'failed';
      state.update((before) => ({ ...before, status }));
      if (status === 'absent') return;
      await api.connection.gate.wait();
      if (!isOver()) await open(around);
    }
  }

  /** Reads the room, goes on from there live, and shows the message, the first unread one, or the newest. */
  async function openAt(isOver: () => boolean, around: string | undefined): Promise<void> {
    const variables = around === undefined ? {} : { around, first: PAGE };
    const { room } = await api.fetch(OpenRoomDocument, { id: roomId, ...variables });
    if (isOver()) return;
    if (room === null || room.eventsCursor === null) {
      state.update((before) => ({ ...before, status: 'absent' }));
      return;
    }
    cursor = room.eventsCursor;
    isRoomOlder = true;
    listen();
    const [unread] = room.explainUnread;
    const newest = Math.max(0, ...room.newest.edges.map(({ node }) => node.position ?? 0));
    options.onOpened({ firstUnread: unread?.position ?? newest + 1, newest });
    const wanted = around ?? unread?.id;
    // The subscription tells again what has happened since the cursor was read: there is no news to be kept.
    if (wanted === undefined || shows(windowOf(room.messages), wanted)) show(room.messages, []);
    else {
      const [page, told] = await withNews(news, () => roomPage(api, roomId, { first: PAGE, around: wanted }));
      if (isOver()) return;
      show(page, told);
    }
    state.update((now) => ({ ...now, firstUnread: unread?.id }));
    if (wanted !== undefined) focus(wanted, around === undefined ? 'unread' : 'link');
  }

  function focus(id: string, why: Focus['why']): void {
    state.update((now) => ({ ...now, focus: { id, why, turn: ++turn } }));
  }

  function show(page: Page, told: readonly Message[]): void {
    state.update((before) =>
      withTold(
        { ...before, status: 'ready', place, focus: undefined, timeline: windowOf(page) },
        { messages: messagesOf(page), news: told },
      ),
    );
  }

  function listen(): void {
    stopListening();
    stopListening = api.connection.listen({
      document: RoomEventsDocument,
      variables: () => ({ room: roomId, ...(cursor === undefined ? {} : { after: cursor }) }),
      opening() {
        replay.begin().forEach(learn);
        // Who stopped meanwhile is not told of.
        state.update((now) => ({ ...now, typing: [] }));
      },
      next: ({ roomEvents }) => take(roomEvents),
      refused: () => state.set({ ...closedRoom, status: 'absent' }),
    });
  }

  function take(event: RoomEvent): void {
    cursor = event.cursor;
    switch (event.__typename) {
      case 'MessageAdded':
      case 'MessageChanged':
        if (!replay.keep(event)) learn(event);
        break;
      case 'TypingChanged':
        state.update((now) => ({ ...now, typing: event.users }));
        break;
      case 'ResyncRequired':
        options.onMissed();
        // Its name may be another one, too.
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
        synced();
        break;
    }
  }

  function synced(): void {
    const told = replay.end();
    told.forEach(learn);
    const first = firstOfMany(told, viewerId);
    if (first !== undefined) options.onReplayed(first);
    if (isRoomOlder) options.onRoomChanged();
    isRoomOlder = false;
  }

  function learn(event: MessageEvent): void {
    const { message } = event;
    if (holds > 0 && message.author.id === viewerId && !state.get().entities.told.has(message.id)) {
      heldBack.push(event);
      return;
    }
    know(message);
    if (event.__typename === 'MessageAdded') options.onAdded(message);
  }

  function know(message: Message): void {
    news.tell(message);
    state.update((now) => withMessage(now, message));
  }

  /** More was missed than the server tells one by one. */
  async function catchUp(): Promise<void> {
    news.miss();
    const { status, timeline } = state.get();
    if (status !== 'ready' || timeline.ids.length === 0) return open();
    state.update(withUnknownEnds);
    const firstUnread = await readAgain({ api, roomId, shown: state.get(), know, isOver: () => closed });
    // Of what was said meanwhile little may be on the screen.
    if (firstUnread !== undefined) state.update((now) => ({ ...now, firstUnread }));
  }

  const growth = createGrowth({
    news,
    gate: api.connection.gate,
    window: () => (state.get().status === 'ready' && !closed ? state.get().timeline : undefined),
    read: ({ variables }) => roomPage(api, roomId, variables),
    joins: ({ end, from }, page, told) =>
      state.update((now) => {
        const timeline = grown(now.timeline, end, page, from);
        if (timeline === undefined) return now;
        return withTold({ ...now, timeline }, { messages: messagesOf(page), news: told });
      }),
  });

  /** Sets the timeline to another place. */
  async function toPage(wanted: PageVariables): Promise<void> {
    const mine = ++place;
    const [page, told] = await withNews(news, () => roomPage(api, roomId, wanted));
    if (mine === place && !closed) show(page, told);
  }

  return {
    get: state.get,
    subscribe: state.subscribe,
    ...createThreads({ api, state, news, isClosed: () => closed }),
    open,
    older: () => growth.grow('older'),
    newer: () => growth.grow('newer'),
    trim: (far) =>
      state.update((now) => {
        const timeline = cut(now.timeline, far);
        return timeline === now.timeline ? now : tidied({ ...now, timeline });
      }),
    async toNewest() {
      const { ids, hasNewer } = state.get().timeline;
      if (hasNewer) return toPage({ last: PAGE });
      const newest = ids.at(-1);
      if (newest !== undefined) focus(newest, 'newest');
    },
    async toMessage(id) {
      try {
        if (!shows(state.get().timeline, id)) await toPage({ first: PAGE, around: id });
      } catch {
        return false;
      }
      if (!shows(state.get().timeline, id)) return false;
      focus(id, 'link');
      return true;
    },
    async change(id, apply, answer) {
      const patch = { id, apply };
      state.update((now) => ({ ...now, entities: withPatch(now.entities, patch) }));
      try {
        const message = await answer();
        know(message);
        return message;
      } finally {
        state.update((now) => ({ ...now, entities: withoutPatch(now.entities, patch) }));
      }
    },
    added: know,
    setFirstUnread: (firstUnread) => state.update((now) => ({ ...now, firstUnread })),
    hold() {
      holds++;
      return () => {
        if (--holds > 0) return;
        const events = heldBack;
        heldBack = [];
        for (const event of events) learn(event);
      };
    },
    close() {
      closed = true;
      place++;
      stopListening();
    },
  };
}
