import {
  type Entities,
  keptOnly,
  noEntities,
  withLiveMessage,
  withMessages,
  withUncertainReactions,
} from './entities.ts';
import { isLive, type Message, type MessageUpdate, type Person, type SharedMessage } from './message.ts';
import { emptyWindow, type Window, withLive, withUnknownEnd } from './window.ts';

/** The state of the open room. */
export interface RoomState {
  /** `absent`: the room does not exist, or the viewer has no access. The server does not say which. */
  readonly status: 'loading' | 'ready' | 'absent' | 'failed';
  readonly entities: Entities;
  readonly timeline: Window;
  readonly thread: OpenThread | undefined;
  /** Other users who are typing now. */
  readonly typing: readonly Person[];
  /** The first message that was unread when the room was opened, or that arrived while no one looked. */
  readonly firstUnread: string | undefined;
  /** Changes when the timeline shows another part of the room, so that a new list of messages is rendered. */
  readonly viewportKey: number;
  /** What to scroll to, once per `requestId`. */
  readonly focus: Focus | undefined;
  /** Rises when messages are added that have not just come: they were missed, or are a page. */
  readonly gaps: number;
}

export interface Focus {
  readonly id: string;
  readonly requestId: number;
  /** The first unread message, the target of a link, the first since a date, or the newest message. */
  readonly why: 'unread' | 'link' | 'date' | 'newest';
}

export interface OpenThread {
  readonly root: string;
  readonly status: 'loading' | 'ready' | 'absent' | 'failed';
  readonly replies: Window;
  readonly focus: Focus | undefined;
}

export const closedThread = (root: string, status: OpenThread['status']): OpenThread => ({
  root,
  status,
  replies: emptyWindow,
  focus: undefined,
});

export const closedRoom: RoomState = {
  status: 'loading',
  entities: noEntities,
  timeline: emptyWindow,
  thread: undefined,
  typing: [],
  firstUnread: undefined,
  viewportKey: 0,
  focus: undefined,
  gaps: 0,
};

export const withGap = (state: RoomState): RoomState => ({ ...state, gaps: state.gaps + 1 });

/**
 * Adds a message to the window it belongs to: a root to the timeline, a reply to its open thread. A message that
 * belongs to no window is updated if it is on the screen anyway, and ignored otherwise: its page contains it later.
 */
export function withMessage(state: RoomState, update: MessageUpdate): RoomState {
  const message = isLive(update) ? update.shared : update;
  const createdAtOf = (id: string) => state.entities.server.get(id)?.createdAt;
  const grown = withInWindow(state, message, (window) => withLive(window, message, createdAtOf));
  if (grown === state && !state.entities.server.has(message.id)) return state;
  const { entities } = grown;
  return {
    ...grown,
    entities: isLive(update) ? withLiveMessage(entities, update) : withMessages(entities, [update]),
  };
}

function withInWindow(
  state: RoomState,
  { root }: SharedMessage,
  change: (window: Window) => Window,
): RoomState {
  if (root === null) {
    const timeline = state.status === 'ready' ? change(state.timeline) : state.timeline;
    return timeline === state.timeline ? state : { ...state, timeline };
  }
  const { thread } = state;
  if (thread?.status !== 'ready' || thread.root !== root.id) return state;
  const replies = change(thread.replies);
  return replies === thread.replies ? state : { ...state, thread: { ...thread, replies } };
}

/**
 * Adds the messages of an answer, then those that arrived while it was in flight, to a state whose windows already
 * contain the answer. Drops the messages that no window contains any more.
 */
export function withAnswer(
  state: RoomState,
  messages: readonly Message[],
  arrived: readonly MessageUpdate[] = [],
): RoomState {
  const answered = { ...state, entities: withMessages(state.entities, messages) };
  return tidied(arrived.reduce(withMessage, answered));
}

/** After missed events: there may be messages after the newest ones, and reactions by the viewer. */
export const withMissedEvents = (state: RoomState): RoomState => ({
  ...state,
  entities: withUncertainReactions(state.entities),
  timeline: withUnknownEnd(state.timeline),
  thread: state.thread && { ...state.thread, replies: withUnknownEnd(state.thread.replies) },
});

/** The ids of all messages in a window. */
export const heldIds = ({ timeline, thread }: RoomState): ReadonlySet<string> =>
  new Set([...timeline.ids, ...(thread === undefined ? [] : [thread.root, ...thread.replies.ids])]);

/** Drops the messages that no window contains. */
export const tidied = (state: RoomState): RoomState => ({
  ...state,
  entities: keptOnly(state.entities, heldIds(state)),
});
