import type { Api } from '../api/api.ts';
import { ApiError } from '../api/errors.ts';
import type { InFlightUpdates } from '../api/inFlightUpdates.ts';
import {
  type MessagePageFragment,
  MessagesAgainDocument,
  OpenThreadDocument,
  RoomPageDocument,
} from '../generated/graphql.ts';
import type { Message, MessageUpdate } from './message.ts';
import { type End, edgeOf, type Window } from './window.ts';

export const PAGE = 50;
/** The server returns at most this many nodes by id. */
const MAX_IDS = 100;

export type Page = Readonly<MessagePageFragment>;
/** Guards pages of messages against messages that arrive live while a page is in flight. */
export type MessageUpdates = InFlightUpdates<MessageUpdate>;

export const messagesOf = ({ edges }: Page): readonly Message[] => edges.map(({ node }) => node);

type Query = Pick<Api, 'queryUncached'>;

export interface PageVariables {
  readonly first?: number;
  readonly after?: string;
  readonly last?: number;
  readonly before?: string;
  readonly around?: string;
}

/** A page of a room's thread roots. Rejects with NOT_FOUND if the viewer cannot see the room. */
export async function roomPage(api: Query, id: string, page: PageVariables): Promise<Page> {
  const { room } = await api.queryUncached(RoomPageDocument, { id, ...page });
  if (room === null) throw new ApiError('NOT_FOUND');
  return room.messages;
}

/** A thread's root and a page of its replies. Rejects with NOT_FOUND if the viewer cannot see it. */
export async function threadPage(api: Query, id: string, page: Omit<PageVariables, 'around'>) {
  const { node } = await api.queryUncached(OpenThreadDocument, { id, ...page });
  if (node?.__typename !== 'Message') throw new ApiError('NOT_FOUND');
  const { replies, __typename, ...root } = node;
  return { root, replies };
}

/** The current versions of messages, in no particular order and without those that are gone. */
export async function messagesById(api: Query, ids: readonly string[]): Promise<readonly Message[]> {
  const found: Message[] = [];
  for (let at = 0; at < ids.length; at += MAX_IDS) {
    const { nodes } = await api.queryUncached(MessagesAgainDocument, { ids: ids.slice(at, at + MAX_IDS) });
    for (const node of nodes) if (node?.__typename === 'Message') found.push(node);
  }
  return found;
}

/** The page after one end of a window. */
export interface NextPage {
  readonly end: End;
  /** The message at that end. */
  readonly from: string;
  /** Uses `around` if the message at that end arrived live, without a cursor. */
  readonly variables: PageVariables;
}

/** Undefined if the window reaches the end of the list. */
export function nextPage(window: Window, end: End): NextPage | undefined {
  const from = edgeOf(window, end);
  if (from === undefined || !(end === 'older' ? window.hasOlder : window.hasNewer)) return undefined;
  const cursor = window.cursors.get(from);
  if (cursor === undefined) return { end, from, variables: { first: PAGE, around: from } };
  return {
    end,
    from,
    variables: end === 'older' ? { last: PAGE, before: cursor } : { first: PAGE, after: cursor },
  };
}
