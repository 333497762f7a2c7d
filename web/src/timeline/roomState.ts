import { type Entities, keptOnly, noEntities, withMessages } from './entities.ts';
import type { Message, Person } from './message.ts';
import { emptyWindow, type Window, withLive, withUnknownEnd } from './window.ts';

/** What is known of the room that is open. */
export interface RoomState {
  /** `absent`: there is no such room, or it is not for the viewer; nobody can tell which. */
  readonly status: 'loading' | 'ready' | 'absent' | 'failed';
  readonly entities: Entities;
  readonly timeline: Window;
  readonly thread: OpenThread | undefined;
  /** Others who type at this moment. */
  readonly typing: readonly Person[];
  /** The first message that was unread when the room was opened, or came while nobody looked. */
  readonly firstUnread: string | undefined;
  /** Rises when the timeline shows another part of the room, so that nothing of the former one is kept. */
  readonly place: number;
  /** What to bring onto the screen, once for each `turn`. */
  readonly focus: Focus | undefined;
}

export interface Focus {
  readonly id: string;
  readonly turn: number;
  /** Where somebody reads on, what they asked for, or the end. */
  readonly why: 'unread' | 'link' | 'newest';
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
  place: 0,
  focus: undefined,
};

/**
 * Takes a message in wherever it belongs: a root in the timeline, a reply in its open thread. What belongs to no
 * window is known only where it is shown all the same; else it comes as it is now when somebody goes there.
 */
export function withMessage(state: RoomState, message: Message): RoomState {
  const createdAtOf = (id: string) => state.entities.told.get(id)?.createdAt;
  const grown = withInWindow(state, message, (window) => withLive(window, message, createdAtOf));
  if (grown === state && !state.entities.told.has(message.id)) return state;
  return { ...grown, entities: withMessages(grown.entities, [message]) };
}

function withInWindow(state: RoomState, { root }: Message, change: (window: Window) => Window): RoomState {
  if (root === null) {
    const timeline = state.status === 'ready' ? change(state.timeline) : state.timeline;
    return timeline === state.timeline ? state : { ...state, timeline };
  }
  const { thread } = state;
  if (thread?.status !== 'ready' || thread.root !== root.id) return state;
  const replies = change(thread.replies);
  return replies === thread.replies ? state : { ...state, thread: { ...thread, replies } };
}

/** An answer, and what was told while it was on its way. */
export interface Told {
  readonly messages: readonly Message[];
  readonly news: readonly Message[];
}

/** With a window that an answer gave, or made longer; what no window holds any more is forgotten. */
export function withTold(state: RoomState, { messages, news }: Told): RoomState {
  const told = { ...state, entities: withMessages(state.entities, messages) };
  return tidied(news.reduce(withMessage, told));
}

/** Of what has been said since the newest ones nothing is known. */
export const withUnknownEnds = (state: RoomState): RoomState => ({
  ...state,
  timeline: withUnknownEnd(state.timeline),
  thread: state.thread && { ...state.thread, replies: withUnknownEnd(state.thread.replies) },
});

/** All that is shown somewhere. */
export const heldIds = ({ timeline, thread }: RoomState): ReadonlySet<string> =>
  new Set([...timeline.ids, ...(thread === undefined ? [] : [thread.root, ...thread.replies.ids])]);

/** Forgets the messages that no window holds. */
export const tidied = (state: RoomState): RoomState => ({
  ...state,
  entities: keptOnly(state.entities, heldIds(state)),
});
