import type { ObjectRef } from '@pothos/core';
import { badUserInput, wrongFields } from '../core/errors.ts';
import { PAGE_DEFAULT, PAGE_MAX } from '../core/pages.ts';
import { builder, type PothosTypes } from './builder.ts';
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
function parsePageArgs(args: PageArgs, codec: CursorCodec, { newest = false } = {}): PageRequest {
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

export interface PageRead<T> {
  /** In the list's own order, in whichever direction they were read. */
  readonly nodes: readonly T[];
  /** Whether there are more items in the direction of reading. */
  readonly more: boolean;
  /** Whether there are more in the other direction. Absent: what is known without a read, see `connection`. */
  readonly moreBehind?: boolean;
  /** The position of the last item that was read, if some that were read are not in the page. */
  readonly end?: string | undefined;
}

export interface ListOptions<Of, Item, Node> {
  /** The cursors of the list that belongs to `of`: the id of a room or a user, or what else tells lists apart. */
  readonly cursors: (of: Of) => CursorCodec;
  /** An item's position in the list, in the format that `cursors` names. */
  readonly position: (item: Item) => string;
  /** What the API shows of an item. Absent: the item itself. */
  readonly node?: (item: Item) => Node;
  /** Whether a page without arguments is the newest one of a chronological list, instead of the first one. */
  readonly newest?: boolean;
}

/** A list of the API. What it costs to read is the business of the feature, which reads a page with one call. */
export interface List<Of, Item, Node = Item> {
  /** An item as it is in a page: what a mutation returns that adds it, so a client can put it into its pages. */
  edge(of: Of, item: Item): Edge<Node>;
  /**
   * The page that the arguments ask for. They are checked before `read` is called, in the same turn of the event loop:
   * throws BAD_USER_INPUT, also for cursors of other lists.
   */
  page(
    of: Of,
    args: PageArgs,
    read: (request: PageRequest) => Promise<PageRead<Item>> | PageRead<Item>,
  ): Promise<Connection<Node>>;
}

/** Defines a list: the one way from a field's arguments to its page, and from an item to its edge. */
export function pagedList<Of, Item, Node = Item>(options: ListOptions<Of, Item, Node>): List<Of, Item, Node> {
  // Without `node`, both types are the same.
  const { cursors, position, newest = false, node = (item: Item) => item as unknown as Node } = options;
  const edgeIn = (codec: CursorCodec, item: Item): Edge<Node> => ({
    cursor: encodeCursor(codec, position(item)),
    node: node(item),
  });
  return {
    edge: (of, item) => edgeIn(cursors(of), item),
    async page(of, args, read) {
      const codec = cursors(of);
      const request = parsePageArgs(args, codec, { newest });
      const { nodes, end, ...page } = await read(request);
      const edges = nodes.map((item) => edgeIn(codec, item));
      return connection(edges, request, {
        ...page,
        end: end === undefined ? undefined : encodeCursor(codec, end),
      });
    },
  };
}

/**
 * A page as the API returns it. `hasPreviousPage` of a page that was read forwards is what is known without a read,
 * which Relay allows: a page that starts after a cursor has at least the cursor's item before it. The same is true of
 * `hasNextPage` of a page that was read backwards.
 *
 * By hand: Pothos' `resolveCursorConnection` asks the list for one item more than the page, and `dynamo.query` does
 * that already.
 */
function connection<T>(
  edges: ReadonlyArray<Edge<T>>,
  { direction, from }: PageRequest,
  { more, moreBehind = from !== undefined, end }: Omit<PageRead<T>, 'nodes'>,
): Connection<T> {
  const isForward = direction === 'forward';
  return {
    edges,
    pageInfo: {
      hasNextPage: isForward ? more : moreBehind,
      hasPreviousPage: isForward ? moreBehind : more,
      startCursor: (isForward ? undefined : end) ?? edges[0]?.cursor ?? null,
      endCursor: (isForward ? end : undefined) ?? edges.at(-1)?.cursor ?? null,
    },
  };
}

/**
 * Defines the types `<name>Edge` and `<name>Connection`, which the lists of one type of node share. `edge` and `page`
 * are their descriptions.
 */
export function pageTypes<Node extends object>(
  type: ObjectRef<PothosTypes, Node>,
  name: string,
  { edge, page }: { readonly edge: string; readonly page: string },
): PageTypes<Node> {
  const edgeType = builder.edgeObject({ type, name: `${name}Edge`, description: edge });
  const connectionType = builder.connectionObject(
    { type, name: `${name}Connection`, description: page },
    edgeType,
  );
  // The builder's types do not resolve the generic node.
  return { edge: edgeType, connection: connectionType } as unknown as PageTypes<Node>;
}

export interface PageTypes<Node> {
  readonly edge: ObjectRef<PothosTypes, Edge<Node>>;
  readonly connection: ObjectRef<PothosTypes, Connection<Node>>;
}
