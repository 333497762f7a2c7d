import type { Api } from '../api/api.ts';
import { ApiError } from '../api/errors.ts';
import {
  type MessagePageFragment,
  MessagesAgainDocument,
  OpenThreadDocument,
  RoomPageDocument,
} from '../generated/graphql.ts';
import type { Message } from './message.ts';
import type { News } from './news.ts';
import { type End, edgeOf, type Window } from './window.ts';

export const PAGE = 50;
/** The server gives at most so many by their ids. */
const BY_IDS = 100;

export type Page = Readonly<MessagePageFragment>;

export const messagesOf = ({ edges }: Page): readonly Message[] => edges.map(({ node }) => node);

type Fetch = Pick<Api, 'fetch'>;

export interface PageVariables {
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

/** Messages as they are now, in no order; those that are gone are left out. */
export async function messagesAgain(api: Fetch, ids: readonly string[]): Promise<readonly Message[]> {
  const found: Message[] = [];
  for (let at = 0; at < ids.length; at += BY_IDS) {
    const { nodes } = await api.fetch(MessagesAgainDocument, { ids: ids.slice(at, at + BY_IDS) });
    for (const node of nodes) if (node?.__typename === 'Message') found.push(node);
  }
  return found;
}

/** What is beyond one end of a window. */
export interface Beyond {
  readonly end: End;
  readonly from: string;
  /** `around` where the message at that end came live, without a cursor. */
  readonly variables: PageVariables;
}

/** Undefined where there is nothing beyond. */
export function beyond(window: Window, end: End): Beyond | undefined {
  const from = edgeOf(window, end);
  if (from === undefined || !(end === 'older' ? window.hasOlder : window.hasNewer)) return undefined;
  const cursor = window.cursors.get(from);
  if (cursor === undefined) return { end, from, variables: { first: PAGE, around: from } };
  return {
    ...{ end, from },
    variables: end === 'older' ? { last: PAGE, before: cursor } : { first: PAGE, after: cursor },
  };
}

/** So many answers in a row may be outrun by news before somebody waits. */
const ATTEMPTS = 3;

/** An answer, and what was told of messages while it was on its way. Rejects as `ask` does, or UNAVAILABLE. */
export async function withNews<T>(news: News, ask: () => Promise<T>): Promise<[T, readonly Message[]]> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const end = news.collect();
    try {
      const answer = await ask();
      const told = end();
      if (told !== undefined) return [answer, told];
    } finally {
      end();
    }
  }
  throw new ApiError('UNAVAILABLE');
}
