import type { MessagePageFragment } from '../generated/graphql.ts';
import type { Message } from './message.ts';

/**
 * A part without gaps of a chronological list of messages: a room's roots, or a thread's replies. It grows at
 * both ends as somebody scrolls, and is cut at the far one, so that it stays small however long the list is.
 */
export interface Window {
  readonly ids: readonly string[];
  /** Where to go on from an item; those that came live have none. */
  readonly cursors: ReadonlyMap<string, string>;
  readonly hasOlder: boolean;
  /** False: it reaches the newest one, and new ones belong to it. */
  readonly hasNewer: boolean;
}

export const emptyWindow: Window = { ids: [], cursors: new Map(), hasOlder: false, hasNewer: false };

/** Beyond this many a window is cut to `KEPT`, at the end that is not looked at, once nobody scrolls. */
const MOST = 1_000;
const KEPT = 600;
/** And it grows no further before that. */
const FULL = 2_000;

export const isFull = ({ ids }: Window): boolean => ids.length >= FULL;

type Page = Readonly<MessagePageFragment>;

export const windowOf = ({ edges, pageInfo }: Page): Window => ({
  ids: edges.map(({ node }) => node.id),
  cursors: new Map(edges.map(({ node, cursor }) => [node.id, cursor])),
  hasOlder: pageInfo.hasPreviousPage,
  hasNewer: pageInfo.hasNextPage,
});

export function withOlder(window: Window, page: Page): Window {
  const older = windowOf(page);
  const known = new Set(window.ids);
  const ids = [...older.ids.filter((id) => !known.has(id)), ...window.ids];
  return cut(
    { ...joined(window, older), ids, hasOlder: older.hasOlder, hasNewer: window.hasNewer },
    'newest',
  );
}

/** `page` may overlap the window: what is in both stays where it is. */
export function withNewer(window: Window, page: Page): Window {
  const newer = windowOf(page);
  const known = new Set(window.ids);
  const ids = [...window.ids, ...newer.ids.filter((id) => !known.has(id))];
  return cut(
    { ...joined(window, newer), ids, hasOlder: window.hasOlder, hasNewer: newer.hasNewer },
    'oldest',
  );
}

/** A message that came live, in its place: after all that were sent before it. */
export function withLive(
  window: Window,
  { id, createdAt }: Message,
  createdAtOf: (id: string) => string | undefined,
): Window {
  if (window.hasNewer || window.ids.includes(id)) return window;
  let at = window.ids.length;
  while (at > 0 && (createdAtOf(window.ids[at - 1] ?? '') ?? '') > createdAt) at--;
  // Older than all of a window that does not reach back so far: it comes with its page.
  if (at === 0 && window.hasOlder) return window;
  return { ...window, ids: window.ids.toSpliced(at, 0, id) };
}

/** Shorter at one end, where it has become too long. A list on the screen moves at one end at a time: not in one step with growing. */
export function cut(window: Window, end: 'oldest' | 'newest'): Window {
  if (window.ids.length <= MOST) return window;
  const ids = end === 'oldest' ? window.ids.slice(-KEPT) : window.ids.slice(0, KEPT);
  const cursors = new Map(
    ids.flatMap((id) => {
      const cursor = window.cursors.get(id);
      return cursor === undefined ? [] : [[id, cursor] as const];
    }),
  );
  return end === 'oldest'
    ? { ...window, ids, cursors, hasOlder: true }
    : { ...window, ids, cursors, hasNewer: true };
}

const joined = (one: Window, other: Window): Window => ({
  ...one,
  cursors: new Map([...one.cursors, ...other.cursors]),
});
