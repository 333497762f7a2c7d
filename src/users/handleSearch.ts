/**
 * Finds users by the beginning of their handle, in an index. What the index names is read from the table before it is
 * shown.
 */
import { wrongFields } from '../core/errors.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { type handleList, type Key, MAX_SUFFIX, type memberHandles } from '../dynamo/keys.ts';
import type { CursorCodec, PageRequest } from '../graphql/connections.ts';
import { HANDLE_MAX, normalizedHandle } from './user.ts';

/** The most users that one search finds, on all of its pages. */
export const FOUND_MAX = 50;

const PREFIX = /^[a-z0-9_]+$/;

export interface HandleMatch {
  readonly user: string;
  readonly handle: string;
  /** Its place among all that the search finds, from 1. */
  readonly rank: number;
}

/** A text that a handle may begin with, in the form of handles. Throws BAD_USER_INPUT if it is empty or too long. */
export function handlePrefix(text: string): string {
  const prefix = normalizedHandle(text);
  if (prefix.length >= 1 && prefix.length <= HANDLE_MAX) return prefix;
  const message = `\`prefix\` must have 1 to ${HANDLE_MAX} characters.`;
  throw wrongFields([{ field: 'prefix', min: 1, max: HANDLE_MAX, message }], HANDLE_MAX);
}

/** Whether a handle can begin with it. Otherwise a search finds no one. */
const isHandlePrefix = (prefix: string): boolean => PREFIX.test(prefix);

/** The cursors of one search: a place, and the entry of the index at it. `list` names the field and its object. */
export const matchCodec = (list: string, prefix: string): CursorCodec => ({
  list: `${list}:${prefix}`,
  position: new RegExp(
    isHandlePrefix(prefix) ? `^[1-9]\\d?#${prefix}[a-z0-9_]{0,${HANDLE_MAX}}#[0-9a-z]{1,64}$` : '^$',
  ),
});

const matchPosition = ({ rank, handle, user }: HandleMatch): string => `${rank}#${handle}#${user}`;

/** What a search shows of an entry, with the entry. */
export interface Found {
  readonly match: HandleMatch;
}

export const foundPosition = ({ match }: Found): string => matchPosition(match);

/** The entries of a page, by handle. */
export interface Matches {
  readonly matches: readonly HandleMatch[];
  readonly more: boolean;
  /** The position of the last entry. */
  readonly end: string | undefined;
}

export interface HandleSearch {
  readonly dynamo: Dynamo;
  readonly index: typeof handleList | typeof memberHandles;
  /** The partition of the index. */
  readonly partition: string;
  /** The table's key of an entry. */
  readonly keyOf: (match: Omit<HandleMatch, 'rank'>) => Key;
}

/** The entries of a page, by handle. One query, of FOUND_MAX entries and one at most. */
export async function findHandles(
  { dynamo, index, partition, keyOf }: HandleSearch,
  prefix: string,
  { limit, from }: PageRequest,
): Promise<Matches> {
  const [rank = '0', handle = '', user = ''] = from?.split('#') ?? [];
  const before = Number(rank);
  const most = Math.min(limit, FOUND_MAX - before);
  if (most <= 0 || !isHandlePrefix(prefix)) return { matches: [], more: false, end: undefined };
  const startKey =
    from === undefined
      ? {}
      : { startKey: { ...keyOf({ handle, user }), gsi1pk: partition, gsi1sk: index.sk(handle, user) } };
  const between = { from: prefix, to: prefix + MAX_SUFFIX };
  const { items, more } = await dynamo.queryIndex(partition, { limit: most, between, ...startKey });
  const matches = items.map((item, i) => ({
    ...index.parts(item.gsi1sk as string),
    rank: before + i + 1,
  }));
  const last = matches.at(-1);
  return { matches, more: more && before + matches.length < FOUND_MAX, end: last && matchPosition(last) };
}
