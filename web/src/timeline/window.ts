import type { MessagePageFragment } from '../generated/graphql.ts';
import type { SharedMessage } from './message.ts';

/**
 * A contiguous part of a chronological list of messages: a room's roots, or a thread's replies. It grows at both ends
 * as the reader scrolls, and is cut at the far end, so its size is bounded however long the list is.
 */
export interface Window {
  readonly ids: readonly string[];
  /** The cursors of items, for the next page. Items that arrived live have none. */
  readonly cursors: ReadonlyMap<string, string>;
  readonly hasOlder: boolean;
  /** If false, the window reaches the newest message, and live messages are added to it. */
  readonly hasNewer: boolean;
}

export type End = 'older' | 'newer';

export const emptyWindow: Window = { ids: [], cursors: new Map(), hasOlder: false, hasNewer: false };

/** A longer window is cut to `KEPT`, which is still several screens on both sides of the visible one. */
export const MAX_LENGTH = 400;
const KEPT = 300;

type Page = Readonly<MessagePageFragment>;

export const windowOf = ({ edges, pageInfo }: Page): Window => ({
  ids: edges.map(({ node }) => node.id),
  cursors: new Map(edges.map(({ node, cursor }) => [node.id, cursor])),
  hasOlder: pageInfo.hasPreviousPage,
  hasNewer: pageInfo.hasNextPage,
});

/** The message at one end. */
export const edgeOf = ({ ids }: Window, end: End): string | undefined =>
  end === 'older' ? ids[0] : ids.at(-1);

/**
 * Extends a window by a page that begins at `from` or contains it. Returns undefined if `from` is not the window's end
 * any more: the window was cut or replaced while the page was in flight, and there would be a gap.
 */
export function grown(window: Window, end: End, page: Page, from: string): Window | undefined {
  if (edgeOf(window, end) !== from) return undefined;
  const more = windowOf(page);
  const at = more.ids.indexOf(from);
  const added = at === -1 ? more.ids : end === 'older' ? more.ids.slice(0, at) : more.ids.slice(at + 1);
  const ids = end === 'older' ? [...added, ...window.ids] : [...window.ids, ...added];
  const cursors = cursorsOf(ids, [...window.cursors, ...more.cursors]);
  return end === 'older'
    ? { ...window, ids, cursors, hasOlder: more.hasOlder }
    : { ...window, ids, cursors, hasNewer: more.hasNewer };
}

/**
 * Adds a live message after all that were created before it. A message past an end that is not the end of the list is
 * left out: its page contains it later.
 */
export function withLive(
  window: Window,
  { id, createdAt }: SharedMessage,
  createdAtOf: (id: string) => string | undefined,
): Window {
  const { ids, hasOlder, hasNewer } = window;
  if (ids.includes(id)) return window;
  let at = ids.length;
  while (at > 0 && (createdAtOf(ids[at - 1] ?? '') ?? '') > createdAt) at--;
  if ((at === 0 && hasOlder) || (at === ids.length && hasNewer)) return window;
  return { ...window, ids: ids.toSpliced(at, 0, id) };
}

/** Shortens a window at one end if it is too long, and returns the same one otherwise. */
export function cut(window: Window, far: End): Window {
  if (window.ids.length <= MAX_LENGTH) return window;
  const ids = far === 'older' ? window.ids.slice(-KEPT) : window.ids.slice(0, KEPT);
  const cursors = cursorsOf(ids, [...window.cursors]);
  return far === 'older'
    ? { ...window, ids, cursors, hasOlder: true }
    : { ...window, ids, cursors, hasNewer: true };
}

/** Whether a message is visible. The oldest one is visible only if nothing is before it (`rowsOf`). */
export const shows = ({ ids, hasOlder }: Window, id: string): boolean =>
  ids.indexOf(id) >= (hasOlder ? 1 : 0);

/** After missed events: there may be messages after the newest one. */
export const withUnknownEnd = (window: Window): Window => ({ ...window, hasNewer: window.ids.length > 0 });

function cursorsOf(
  ids: readonly string[],
  cursors: readonly (readonly [string, string])[],
): Window['cursors'] {
  const kept = new Set(ids);
  return new Map(cursors.filter(([id]) => kept.has(id)));
}
