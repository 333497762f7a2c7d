import type { Api } from '../api/api.ts';
import {
  LikedAgainDocument,
  LikedListDocument,
  type LikedListQuery,
  type ListedSavedFragment,
  ReminderListDocument,
  SavedAgainDocument,
  SavedListDocument,
} from '../generated/graphql.ts';
import { type ListedRow, type ListName, type ListView, rowOf } from './listed.ts';

type Query = Pick<Api, 'queryUncached'>;

export interface ListPage {
  readonly rows: readonly ListedRow[];
  /** Null after the last page. */
  readonly after: string | null;
}

/** As in the queries. */
export const PAGE = 100;

export async function readPage(api: Query, view: ListView, after: string | null): Promise<ListPage> {
  const { name } = view;
  if (name === 'liked') {
    const { viewer } = await api.queryUncached(LikedListDocument, { after });
    const { edges, pageInfo } = viewer.likedMessages;
    const rows = edges.map(({ node }) => likedRow(node));
    return { rows, after: pageInfo.hasNextPage ? pageInfo.endCursor : null };
  }
  const { edges, pageInfo } =
    name === 'reminders'
      ? (await api.queryUncached(ReminderListDocument, { after })).viewer.reminders
      : (await api.queryUncached(SavedListDocument, { after, ...filterOf(name), ...rangeOf(view) })).viewer
          .savedMessages;
  const rows = edges.map(({ node }) => rowOf(node));
  return { rows, after: pageInfo.hasNextPage ? pageInfo.endCursor : null };
}

type Liked = LikedListQuery['viewer']['likedMessages']['edges'][number]['node'];

const likedRow = (message: Liked): ListedRow => ({
  key: message.id,
  message,
  messageId: message.id,
  sentAt: message.createdAt,
  isUnloaded: false,
  saved: null,
  mark: message.viewerSaved,
});

/** Rows by their keys, at most a page, without those that are gone. */
export async function readRows(
  api: Query,
  name: ListName,
  keys: readonly string[],
): Promise<ReadonlyMap<string, ListedRow>> {
  const rows = name === 'liked' ? await readLiked(api, keys) : (await readSaved(api, keys)).map(rowOf);
  return new Map(rows.map((row) => [row.key, row]));
}

async function readLiked(api: Query, ids: readonly string[]): Promise<readonly ListedRow[]> {
  const { nodes } = await api.queryUncached(LikedAgainDocument, { ids: [...ids] });
  return nodes.flatMap((node) => (node?.__typename === 'Message' ? [likedRow(node)] : []));
}

const filterOf = (name: Exclude<ListName, 'liked' | 'reminders'>) => {
  if (typeof name === 'object') return { tags: [name.tag] };
  if (name === 'untagged') return { untagged: true };
  return name === 'all' ? {} : { visibility: name === 'public' ? ('PUBLIC' as const) : ('PRIVATE' as const) };
};

const rangeOf = ({ order, from }: ListView) => ({
  orderBy: order,
  ...(from === undefined ? {} : { from: new Date(from).toISOString() }),
});

/** Saved messages by id, at most a page, without those that were removed. */
export async function readSaved(
  api: Query,
  ids: readonly string[],
): Promise<readonly Readonly<ListedSavedFragment>[]> {
  const { nodes } = await api.queryUncached(SavedAgainDocument, { ids: [...ids] });
  return nodes.flatMap((node) => (node?.__typename === 'SavedMessage' ? [node] : []));
}
