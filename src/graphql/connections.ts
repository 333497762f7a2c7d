import { badUserInput } from '../core/errors.ts';

export interface PageArgs {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly last?: number | null | undefined;
  readonly before?: string | null | undefined;
}

/** What to read: `limit` items behind `from` (a position; absent: from the end), in the given direction. */
export interface PageWanted {
  readonly limit: number;
  readonly direction: 'forward' | 'backward';
  readonly from: string | undefined;
}

export const PAGE_DEFAULT = 50;
const PAGE_MAX = 100;

/**
 * Cursors are opaque: base64url of the list's name and the item's position in it. A cursor of another
 * list, or one that was tampered with, is refused.
 */
export interface CursorCodec {
  /** Names the list: the field and what it belongs to, e.g. `messages:room-id`. */
  readonly list: string;
  /** What a position of this list looks like. */
  readonly position: RegExp;
}

export const encodeCursor = ({ list }: CursorCodec, position: string): string =>
  Buffer.from(`${list}|${position}`).toString('base64url');

export function decodeCursor({ list, position }: CursorCodec, cursor: string, field: string): string {
  const text = cursor.length > 512 ? '' : Buffer.from(cursor, 'base64url').toString('utf8');
  const rest = text.startsWith(`${list}|`) ? text.slice(list.length + 1) : '';
  if (!position.test(rest) || encodeCursor({ list, position }, rest) !== cursor) {
    throw badUserInput(field, 'This cursor is not of this list.');
  }
  return rest;
}

/**
 * Relay's arguments, checked. `newestFirst`: what a list in chronological order answers when it is given
 * neither `first` nor `last`: its newest page.
 */
export function pageWanted(args: PageArgs, codec: CursorCodec, { newest = false } = {}): PageWanted {
  const first = count(args.first, 'first');
  const last = count(args.last, 'last');
  const after = args.after ?? undefined;
  const before = args.before ?? undefined;
  if (first !== undefined && last !== undefined)
    throw badUserInput('last', 'Either `first` or `last`, not both.');
  if (after !== undefined && before !== undefined) {
    throw badUserInput('before', 'Either `after` or `before`, not both.');
  }
  if (last !== undefined && after !== undefined) throw badUserInput('after', '`after` goes with `first`.');
  if (first !== undefined && before !== undefined) throw badUserInput('before', '`before` goes with `last`.');
  const backward =
    last !== undefined || before !== undefined || (newest && first === undefined && after === undefined);
  const cursor = backward ? before : after;
  return {
    limit: first ?? last ?? PAGE_DEFAULT,
    direction: backward ? 'backward' : 'forward',
    from: cursor === undefined ? undefined : decodeCursor(codec, cursor, backward ? 'before' : 'after'),
  };
}

function count(value: number | null | undefined, field: string): number | undefined {
  if (value === null || value === undefined) return undefined;
  if (value < 1 || value > PAGE_MAX) throw badUserInput(field, `From 1 to ${PAGE_MAX}.`, PAGE_MAX);
  return value;
}

export interface Connection<T> {
  readonly edges: ReadonlyArray<{ readonly cursor: string; readonly node: T }>;
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

export interface PageRead<T> {
  /** In the list's own order, whatever direction was read in. */
  readonly nodes: readonly T[];
  /** Whether there is more in the direction of reading. */
  readonly more: boolean;
}

/**
 * `hasPreviousPage` of a page read forwards says whether there is anything before it as far as that is
 * known without reading: a page that starts behind a cursor has the cursor's item before it. (Relay allows
 * exactly this.) The same holds the other way round.
 */
export function connection<T>(
  { nodes, more }: PageRead<T>,
  wanted: PageWanted,
  { codec, position }: { codec: CursorCodec; position: (node: T) => string },
): Connection<T> {
  const edges = nodes.map((node) => ({ cursor: encodeCursor(codec, position(node)), node }));
  const behind = wanted.from !== undefined;
  return {
    edges,
    pageInfo: {
      hasNextPage: wanted.direction === 'forward' ? more : behind,
      hasPreviousPage: wanted.direction === 'forward' ? behind : more,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}
