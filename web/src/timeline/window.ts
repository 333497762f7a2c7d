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

export type End = 'older' | 'newer';

export const emptyWindow: Window = { ids: [], cursors: new Map(), hasOlder: false, hasNewer: false };

/** Beyond this many a window is cut to `KEPT`, which is still several screens on both sides of the one in sight. */
export const MOST = 400;
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
 * Longer by a page that begins at `from`, or has it within. Undefined where `from` is not the window's end, for
 * it has been cut or replaced while the page was on its way: there would be a gap between the two.
 */
export function grown(window: Window, end: End, page: Page, from: string): Window | undefined {
  if (edgeOf(window, end) !== from) return undefined;
  const more = windowOf(page);
  const at = more.ids.indexOf(from);
  const beyond = at === -1 ? more.ids : end === 'older' ? more.ids.slice(0, at) : more.ids.slice(at + 1);
  const ids = end === 'older' ? [...beyond, ...window.ids] : [...window.ids, ...beyond];
  const cursors = cursorsOf(ids, [...window.cursors, ...more.cursors]);
  return end === 'older'
    ? { ...window, ids, cursors, hasOlder: more.hasOlder }
    : { ...window, ids, cursors, hasNewer: more.hasNewer };
}

/**
 * With a message that was told live, in its place: after all that were sent before it. One that is beyond an end
 * which is not the list's own is left out, and comes with its page.
 */
export function withLive(
  window: Window,
  { id, createdAt }: Message,
  createdAtOf: (id: string) => string | undefined,
): Window {
  const { ids, hasOlder, hasNewer } = window;
  if (ids.includes(id)) return window;
  let at = ids.length;
  while (at > 0 && (createdAtOf(ids[at - 1] ?? '') ?? '') > createdAt) at--;
  if ((at === 0 && hasOlder) || (at === ids.length && hasNewer)) return window;
  return { ...window, ids: ids.toSpliced(at, 0, id) };
}

/** Shorter at one end, where it has become too long; else the same. */
export function cut(window: Window, far: End): Window {
  if (window.ids.length <= MOST) return window;
  const ids = far === 'older' ? window.ids.slice(-KEPT) : window.ids.slice(0, KEPT);
  const cursors = cursorsOf(ids, [...window.cursors]);
  return far === 'older'
    ? { ...window, ids, cursors, hasOlder: true }
    : { ...window, ids, cursors, hasNewer: true };
}

/** Whether a message can be seen in it: the oldest one only when the one before it is there, too (`rowsOf`). */
export const shows = ({ ids, hasOlder }: Window, id: string): boolean =>
  ids.indexOf(id) >= (hasOlder ? 1 : 0);

/** Of what has been said since its newest nothing is known. */
export const withUnknownEnd = (window: Window): Window => ({ ...window, hasNewer: window.ids.length > 0 });

function cursorsOf(
  ids: readonly string[],
  cursors: readonly (readonly [string, string])[],
): Window['cursors'] {
  const kept = new Set(ids);
  return new Map(cursors.filter(([id]) => kept.has(id)));
}
