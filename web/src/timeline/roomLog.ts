import type { Api } from '../api/api.ts';
import { asApiError } from '../api/errors.ts';
import { OpenRoomDocument, RoomEventsDocument, type RoomEventsSubscription } from '../generated/graphql.ts';
import type { MemberChange } from '../members/members.ts';
import { createStore, type Store } from '../state/store.ts';
import { withMessages, withoutPatch, withPatch } from './entities.ts';
import type { Message, Patch } from './message.ts';
import { newerOf, olderOf, PAGE, roomPage } from './pages.ts';
import { closedRoom, type Focus, type RoomState, tidied, withAdded, withChanged } from './roomState.ts';
import { createThreads, type Threads } from './threads.ts';
import { cut, isFull, windowOf, withNewer, withOlder } from './window.ts';

type RoomEvent = RoomEventsSubscription['roomEvents'];

/** A room that is open: its messages, live and without a hole, and what is shown of them. */
export interface RoomLog extends Pick<Store<RoomState>, 'get' | 'subscribe'>, Threads {
  /** Opens it at its first unread message, else at its newest; or around a message. */
  open(around?: string): Promise<void>;
  older(): Promise<void>;
  newer(): Promise<void>;
  /** Forgets messages at the end that nobody looks at, where there are many. Not while somebody scrolls. */
  trim(end: 'oldest' | 'newest'): void;
  /** The newest page, whatever was shown before. */
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
  /** Told when the room is opened of the first position that is unread. */
  onOpened(firstUnreadPosition: number): void;
  onAdded(message: Message): void;
  /** Name, topic, capacity or the number of members is another one. */
  onRoomChanged(): void;
  onMember(change: MemberChange): void;
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
  const loading = { older: false, newer: false };
  let holds = 0;
  let heldBack: Message[] = [];

  async function open(around?: string): Promise<void> {
    const mine = ++place;
    state.update(({ thread }) => ({ ...closedRoom, thread, place }));
    try {
      await (around === undefined ? openAtUnread(mine) : openAround(mine, around));
    } catch (error) {
      if (mine !== place || closed) return;
      // Forbidden: a public room that the viewer is not in.
      const { code } = asApiError(error);
      const status = code === 'NOT_FOUND' || code === 'FORBIDDEN' ? 'absent' : 'failed';
      state.update((before) => ({ ...before, status }));
      if (status === 'failed') await api.connection.gate.wait();
      if (status === 'failed' && mine === place && !closed) await open(around);
    }
  }

  async function openAround(mine: number, around: string): Promise<void> {
    try {
      await openWith(mine, { around, first: PAGE });
      if (mine === place) focus(around, 'link');
    } catch (error) {
      // The message is not of this room, or no more: the room itself is there all the same.
      if (!['NOT_FOUND', 'BAD_USER_INPUT'].includes(asApiError(error).code)) throw error;
      await openAtUnread(mine);
    }
  }

  async function openAtUnread(mine: number): Promise<void> {
    const first = await openWith(mine, {});
    if (first === undefined) return;
    if (!state.get().timeline.ids.includes(first)) {
      const page = await roomPage(api, roomId, { first: PAGE, around: first });
      if (mine !== place || closed) return;
      show(page);
    }
    focus(first, 'unread');
  }

  function focus(id: string, why: Focus['why']): void {
    state.update((now) => ({ ...now, focus: { id, why, turn: ++turn } }));
  }

  /** Reads the room, goes on from there live, and gives the first unread message's id. */
  async function openWith(mine: number, page: { around?: string; first?: number }) {
    const { room } = await api.fetch(OpenRoomDocument, { id: roomId, ...page });
    if (mine !== place || closed) return undefined;
    if (room === null || room.eventsCursor === null) {
      state.update((before) => ({ ...before, status: 'absent' }));
      return undefined;
    }
    cursor = room.eventsCursor;
    const [first] = room.explainUnread;
    show(room.messages, first?.id);
    const newest = Math.max(0, ...room.messages.edges.map(({ node }) => node.position ?? 0));
    options.onOpened(first?.position ?? newest + 1);
    listen();
    return first?.id;
  }

  function show(page: Parameters<typeof windowOf>[0], firstUnread = state.get().firstUnread): void {
    state.update((before) =>
      tidied({
        ...before,
        status: 'ready',
        place,
        focus: undefined,
        firstUnread,
        timeline: windowOf(page),
        entities: withMessages(
          before.entities,
          page.edges.map(({ node }) => node),
        ),
      }),
    );
  }

  function listen(): void {
    stopListening();
    stopListening = api.connection.listen({
      document: RoomEventsDocument,
      variables: () => ({ room: roomId, ...(cursor === undefined ? {} : { after: cursor }) }),
      next: ({ roomEvents }) => take(roomEvents),
      refused: () => state.set({ ...closedRoom, status: 'absent' }),
    });
  }

  function take(event: RoomEvent): void {
    cursor = event.cursor;
    switch (event.__typename) {
      case 'MessageAdded':
        add(event.message);
        break;
      case 'MessageChanged':
        state.update((now) => withChanged(now, event.message));
        break;
      case 'TypingChanged':
        state.update((now) => ({ ...now, typing: event.users }));
        break;
      case 'ResyncRequired':
        options.onMissed();
        void open();
        break;
      case 'MembershipChanged':
        options.onMember(event);
        options.onRoomChanged();
        break;
      case 'RoomChanged':
        options.onRoomChanged();
        break;
      case 'Synced':
        break;
    }
  }

  function add(message: Message): void {
    if (holds > 0 && message.author.id === viewerId) {
      heldBack.push(message);
      return;
    }
    state.update((now) => withAdded(now, message));
    options.onAdded(message);
  }

  async function page(end: 'older' | 'newer'): Promise<void> {
    const { timeline, status } = state.get();
    const more = end === 'older' ? timeline.hasOlder : timeline.hasNewer;
    const wanted = end === 'older' ? olderOf(timeline) : newerOf(timeline);
    if (loading[end] || !more || wanted === undefined || status !== 'ready' || isFull(timeline)) return;
    const mine = place;
    loading[end] = true;
    try {
      const found = await roomPage(api, roomId, wanted);
      if (mine !== place || closed) return;
      const grow = end === 'older' ? withOlder : withNewer;
      state.update((now) =>
        tidied({
          ...now,
          timeline: grow(now.timeline, found),
          entities: withMessages(
            now.entities,
            found.edges.map(({ node }) => node),
          ),
        }),
      );
    } catch {
      await api.connection.gate.wait();
    } finally {
      loading[end] = false;
    }
  }

  function trim(end: 'newest' | 'oldest'): void {
    state.update((now) => {
      const timeline = cut(now.timeline, end);
      return timeline === now.timeline ? now : tidied({ ...now, timeline });
    });
  }

  async function toPage(wanted: Parameters<typeof roomPage>[2]): Promise<void> {
    const mine = ++place;
    const found = await roomPage(api, roomId, wanted);
    if (mine === place && !closed) show(found);
  }

  return {
    get: state.get,
    subscribe: state.subscribe,
    ...createThreads({ api, state, isClosed: () => closed }),
    open,
    older: () => page('older'),
    newer: () => page('newer'),
    trim,
    toNewest: () => toPage({ last: PAGE }),
    async toMessage(id) {
      try {
        if (!state.get().timeline.ids.includes(id)) await toPage({ first: PAGE, around: id });
      } catch {
        return false;
      }
      if (!state.get().timeline.ids.includes(id)) return false;
      focus(id, 'link');
      return true;
    },
    async change(id, apply, answer) {
      const patch = { id, apply };
      state.update((now) => ({ ...now, entities: withPatch(now.entities, patch) }));
      try {
        const message = await answer();
        state.update((now) => withChanged(now, message));
        return message;
      } finally {
        state.update((now) => ({ ...now, entities: withoutPatch(now.entities, patch) }));
      }
    },
    added: (message) => state.update((now) => withAdded(now, message)),
    setFirstUnread: (firstUnread) => state.update((now) => ({ ...now, firstUnread })),
    hold() {
      holds++;
      return () => {
        if (--holds > 0) return;
        const messages = heldBack;
        heldBack = [];
        for (const message of messages) add(message);
      };
    },
    close() {
      closed = true;
      place++;
      stopListening();
    },
  };
}
