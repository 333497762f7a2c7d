import type { Api } from '../api/api.ts';
import {
  LikedListDocument,
  type ListedSavedFragment,
  ReminderListDocument,
  SavedAgainDocument,
  SavedListDocument,
} from '../generated/graphql.ts';
import { type ListedRow, type ListName, rowOf } from './listed.ts';

type Query = Pick<Api, 'queryUncached'>;

export interface ListPage {
  readonly rows: readonly ListedRow[];
  /** Null after the last page. */
  readonly after: string | null;
}

/** As in the queries. */
export const PAGE = 100;

export async function readPage(api: Query, name: ListName, after: string | null): Promise<ListPage> {
  if (name === 'liked') {
    const { viewer } = await api.queryUncached(LikedListDocument, { after });
    const { edges, pageInfo } = viewer.likedMessages;
    const rows = edges.map(({ node }) => ({
      key: node.id,
      message: node,
      saved: null,
      mark: node.viewerSaved,
    }));
    return { rows, after: pageInfo.hasNextPage ? pageInfo.endCursor : null };
  }
  const { edges, pageInfo } =
    name === 'reminders'
      ? (await api.queryUncached(ReminderListDocument, { after })).viewer.reminders
      : (await api.queryUncached(SavedListDocument, { after, ...filterOf(name) })).viewer.savedMessages;
  const rows = edges.map(({ node }) => rowOf(node));
  return { rows, after: pageInfo.hasNextPage ? pageInfo.endCursor : null };
}

const filterOf = (name: Exclude<ListName, 'liked' | 'reminders'>) => {
  if (typeof name === 'object') return { tags: [name.tag] };
  if (name === 'untagged') return { untagged: true };
  return name === 'all' ? {} : { visibility: name === 'public' ? ('PUBLIC' as const) : ('PRIVATE' as const) };
};

/** Saved messages by id, at most a page, without those that were removed. */
export async function readSaved(
  api: Query,
  ids: readonly string[],
): Promise<readonly Readonly<ListedSavedFragment>[]> {
  const { nodes } = await api.queryUncached(SavedAgainDocument, { ids: [...ids] });
  return nodes.flatMap((node) => (node?.__typename === 'SavedMessage' ? [node] : []));
}
