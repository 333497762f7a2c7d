import { type Entities, keptOnly, noEntities, withMessages } from './entities.ts';
import type { Message, Person } from './message.ts';
import { emptyWindow, type Window, withLive } from './window.ts';

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
  /** Where somebody reads on, or what they asked for. */
  readonly why: 'unread' | 'link';
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

/** Takes a message in wherever it belongs: a root at the end of the timeline, a reply in its open thread. */
export function withAdded(state: RoomState, message: Message): RoomState {
  const entities = withMessages(state.entities, [message]);
  const createdAtOf = (id: string) => entities.told.get(id)?.createdAt;
  if (message.root === null) {
    return { ...state, entities, timeline: withLive(state.timeline, message, createdAtOf) };
  }
  const { thread } = state;
  if (thread === undefined || thread.root !== message.root.id || thread.status !== 'ready') return state;
  return {
    ...state,
    entities,
    thread: { ...thread, replies: withLive(thread.replies, message, createdAtOf) },
  };
}

/** A message that is not shown may be ignored: it comes as it is now when it is. */
export const withChanged = (state: RoomState, message: Message): RoomState =>
  state.entities.told.has(message.id)
    ? { ...state, entities: withMessages(state.entities, [message]) }
    : state;

/** Forgets the messages that no window holds. */
export function tidied(state: RoomState): RoomState {
  const held = new Set([...state.timeline.ids, ...(state.thread?.replies.ids ?? [])]);
  if (state.thread !== undefined) held.add(state.thread.root);
  return { ...state, entities: keptOnly(state.entities, held) };
}
