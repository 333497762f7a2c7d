import { badUserInput, wrongFields } from '../core/errors.ts';
import { PAGE_DEFAULT, PAGE_MAX } from '../core/pages.ts';
import { builder } from './builder.ts';
import type { CursorCipher } from './cursorCipher.ts';

/** The arguments of a list that is read from its beginning. */
export const forwardArgs = builder.args((t) => ({
  first: t.int({
    description: `The number of items: 1 to ${PAGE_MAX}, and ${PAGE_DEFAULT} if omitted. \`BAD_USER_INPUT\` otherwise.`,
  }),
  after: t.string({
    description: 'A cursor of this list: the page begins after it. `BAD_USER_INPUT` for any other text.',
  }),
}));

/** The arguments of a chronological list, which is read from either end. */
export const bothWaysArgs = builder.args((t) => ({
  first: t.int({
    description: `Asks for the oldest items, or for those that follow \`after\`: 1 to ${PAGE_MAX}. Cannot be combined with \`last\` or \`before\`.`,
  }),
  after: t.string({
    description: 'A cursor of this list: the page begins after it. Cannot be combined with `before`.',
  }),
  last: t.int({
    description: `Asks for the newest items, or for those that precede \`before\`: 1 to ${PAGE_MAX}. The default is the newest ${PAGE_DEFAULT}.`,
  }),
  before: t.string({
    description: 'A cursor of this list: the page ends before it. Cannot be combined with `after`.',
  }),
}));

/** The arguments of a list that has an order of its own, and is read from either end. */
export const eitherEndArgs = builder.args((t) => ({
  first: t.int({
    description: `Asks for the first items of the list, or for those that follow \`after\`: 1 to ${PAGE_MAX}, and ${PAGE_DEFAULT} if omitted. Cannot be combined with \`last\` or \`before\`.`,
  }),
  after: t.string({
    description: 'A cursor of this list: the page begins after it. Cannot be combined with `before`.',
  }),
  last: t.int({
    description: `Asks for the last items of the list, or for those that precede \`before\`: 1 to ${PAGE_MAX}.`,
  }),
  before: t.string({
    description: 'A cursor of this list: the page ends before it. Cannot be combined with `after`.',
  }),
}));

export interface PageArgs {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly last?: number | null | undefined;
  readonly before?: string | null | undefined;
}

export interface PageRequest {
  /** At most this many items. */
  readonly limit: number;
  readonly direction: 'forward' | 'backward';
  /** The position to start after, in the given direction. Undefined: start at the end of the list. */
  readonly from: string | undefined;
}

/**
 * Cursors are opaque: base64url of the list's name and the item's position in it. A cursor of another list and a
 * cursor that was changed are refused.
 */
export interface CursorCodec {
  /** The list's name: the field and the object it belongs to, e.g. `messages:room-id`. */
  readonly list: string;
  /** The format of a position in this list. */
  readonly position: RegExp;
  /** If positions may name what the viewer does not see: cursors are encrypted. */
  readonly cipher?: CursorCipher;
}

/** The formats of positions: an id, a timestamp or number in 16 digits, both, a thread
 * with its newest reply, or a message with another time. */
export const POSITIONS = {
  id: /^[0-9a-z]{1,64}$/,
  timestamp: /^\d{16}$/,
  timestampAndId: /^\d{16}#[0-9a-z]{1,64}$/,
  timestampAndThread: /^\d{16}#[0-9a-z]{1,64}#\d{16}$/,
  timestampAndMessage: /^\d{16}#[0-9a-z]{1,64}#\d{16}#\d{16}$/,
  threeTimestamps: /^\d{16}#\d{16}#\d{16}$/,
} as const;

export const encodeCursor = ({ list, cipher }: CursorCodec, position: string): string =>
  cipher?.seal(list, position) ?? Buffer.from(`${list}|${position}`).toString('base64url');

/** Throws BAD_USER_INPUT for any text that `encodeCursor` does not return for this list. */
export function decodeCursor({ list, position, cipher }: CursorCodec, cursor: string, field: string): string {
  const bytes = cursor.length > CURSOR_MAX ? NO_BYTES : Buffer.from(cursor, 'base64url');
  // There are several texts for the same bytes.
  const isCanonical = bytes.toString('base64url') === cursor;
  const rest = cipher === undefined ? positionIn(bytes.toString('utf8'), list) : cipher.open(list, cursor);
  if (rest === undefined || !isCanonical || !position.test(rest)) {
    throw badUserInput(field, 'This cursor does not belong to this list.');
  }
  return rest;
}

const CURSOR_MAX = 512;
const NO_BYTES = Buffer.alloc(0);

const positionIn = (text: string, list: string): string | undefined =>
  text.startsWith(`${list}|`) ? text.slice(list.length + 1) : undefined;

/**
 * Checks Relay's arguments; throws BAD_USER_INPUT. `newest`: without arguments, return the newest page of a
 * chronological list instead of the first page.
 */
export function parsePageArgs(args: PageArgs, codec: CursorCodec, { newest = false } = {}): PageRequest {
  const first = pageSize(args.first, 'first');
  const last = pageSize(args.last, 'last');
  const after = args.after ?? undefined;
  const before = args.before ?? undefined;
  if (first !== undefined && last !== undefined)
    throw badUserInput('last', '`first` and `last` cannot be combined.');
  if (after !== undefined && before !== undefined) {
    throw badUserInput('before', '`after` and `before` cannot be combined.');
  }
  if (last !== undefined && after !== undefined) {
    throw badUserInput('after', '`after` can be combined with `first` only.');
  }
  if (first !== undefined && before !== undefined) {
    throw badUserInput('before', '`before` can be combined with `last` only.');
  }
  const backward =
    last !== undefined || before !== undefined || (newest && first === undefined && after === undefined);
  const cursor = backward ? before : after;
  return {
    limit: first ?? last ?? PAGE_DEFAULT,
    direction: backward ? 'backward' : 'forward',
    from: cursor === undefined ? undefined : decodeCursor(codec, cursor, backward ? 'before' : 'after'),
  };
}

function pageSize(value: number | null | undefined, field: string): number | undefined {
  if (value === null || value === undefined) return undefined;
  if (value < 1 || value > PAGE_MAX) {
    const message = `\`${field}\` must be 1 to ${PAGE_MAX}.`;
    throw wrongFields([{ field, min: 1, max: PAGE_MAX, message }], PAGE_MAX);
  }
  return value;
}

export interface Connection<T> {
  readonly edges: ReadonlyArray<Edge<T>>;
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

export interface Edge<T> {
  readonly cursor: string;
  readonly node: T;
}

/** An item of a list as it is in a page: what a mutation returns that adds it, so a client can put it into its pages. */
export const edgeOf = <T>(node: T, codec: CursorCodec, position: string): Edge<T> => ({
  cursor: encodeCursor(codec, position),
  node,
});

export interface PageRead<T> {
  /** In the list's own order, in whichever direction they were read. */
  readonly nodes: readonly T[];
  /** Whether there are more items in the direction of reading. */
  readonly more: boolean;
  /** The position of the last item that was read, if some that were read are not in the page. */
  readonly end?: string | undefined;
}

/**
 * A page as the API returns it. `hasPreviousPage` of a page that was read forwards is what is known without a read, which
 * Relay allows: a page that starts after a cursor has at least the cursor's item before it. The same is true of
 * `hasNextPage` of a page that was read backwards.
 *
 * By hand: Pothos' `resolveCursorConnection` asks the list for one item more than the page, and `dynamo.query` does that
 * already.
 */
export function connection<T>(
  { nodes, more, end }: PageRead<T>,
  request: PageRequest,
  { codec, position }: { codec: CursorCodec; position: (node: T) => string },
): Connection<T> {
  const edges = nodes.map((node) => edgeOf(node, codec, position(node)));
  const startsAfterCursor = request.from !== undefined;
  const isForward = request.direction === 'forward';
  const endOfReading = end === undefined ? undefined : encodeCursor(codec, end);
  return {
    edges,
    pageInfo: {
      hasNextPage: isForward ? more : startsAfterCursor,
      hasPreviousPage: isForward ? startsAfterCursor : more,
      startCursor: (isForward ? undefined : endOfReading) ?? edges[0]?.cursor ?? null,
      endCursor: (isForward ? endOfReading : undefined) ?? edges.at(-1)?.cursor ?? null,
    },
  };
}
