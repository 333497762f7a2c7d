import type { Api } from '../api/api.ts';
import { ApiError } from '../api/errors.ts';
import { type MessagePageFragment, OpenThreadDocument, RoomPageDocument } from '../generated/graphql.ts';
import type { Window } from './window.ts';

export const PAGE = 50;

export type Page = Readonly<MessagePageFragment>;

type Fetch = Pick<Api, 'fetch'>;

interface PageVariables {
  readonly first?: number;
  readonly after?: string;
  readonly last?: number;
  readonly before?: string;
  readonly around?: string;
}

export async function roomPage(api: Fetch, id: string, page: PageVariables): Promise<Page> {
  const { room } = await api.fetch(RoomPageDocument, { id, ...page });
  if (room === null) throw new ApiError('NOT_FOUND');
  return room.messages;
}

/** The root, and a page of its replies. */
export async function threadPage(api: Fetch, id: string, page: Omit<PageVariables, 'around'>) {
  const { node } = await api.fetch(OpenThreadDocument, { id, ...page });
  if (node?.__typename !== 'Message') throw new ApiError('NOT_FOUND');
  const { replies, __typename, ...root } = node;
  return { root, replies };
}

/** What was read before the window's first; undefined where there is nothing to go on from. */
export function olderOf({ ids, cursors }: Window): PageVariables | undefined {
  const before = cursors.get(ids[0] ?? '');
  return before === undefined ? undefined : { last: PAGE, before };
}

/** What comes behind the window's last. That one may have come live, without a cursor: then around it. */
export function newerOf({ ids, cursors }: Window): PageVariables | undefined {
  const last = ids.at(-1);
  if (last === undefined) return undefined;
  const after = cursors.get(last);
  return after === undefined ? { first: PAGE, around: last } : { first: PAGE, after };
}
