import type { Api } from '../api/api.ts';
import { type ApiError, asApiError } from '../api/errors.ts';
import {
  LikedListDocument,
  type ListedMessageFragment,
  type ListedSavedFragment,
  ReminderListDocument,
  SavedListDocument,
} from '../generated/graphql.ts';
import { createStore, type Store } from '../state/store.ts';
import type { SavedMark } from './marks.ts';

/** Which list is open: one of these, or those with a tag. */
export type ListName =
  | 'all'
  | 'public'
  | 'private'
  | 'untagged'
  | 'reminders'
  | 'liked'
  | { readonly tag: string };

/** A message in a list. `saved`: null if the viewer only likes it. */
export interface ListedRow {
  readonly key: string;
  readonly message: Readonly<ListedMessageFragment> | null;
  readonly saved: Readonly<ListedSavedFragment> | null;
  readonly mark: SavedMark;
}

export interface ListState {
  readonly rows: readonly ListedRow[];
  /** Whether the first page was read. */
  readonly isRead: boolean;
  readonly hasMore: boolean;
  /** Why the last page could not be read. */
  readonly error: ApiError | undefined;
}

export interface SavedList extends Pick<Store<ListState>, 'get' | 'subscribe'> {
  /** Reads the next page, unless one is being read. */
  more(): Promise<void>;
  /** Shows what was changed or removed (null). */
  change(key: string, saved: Partial<ListedSavedFragment> | null): void;
  close(): void;
}

interface Page {
  readonly rows: readonly ListedRow[];
  readonly after: string | null;
}

/** The pages of one list, while it is open. */
export function createSavedList(api: Pick<Api, 'queryUncached'>, name: ListName): SavedList {
  const state = createStore<ListState>({ rows: [], isRead: false, hasMore: true, error: undefined });
  /** What was removed while the list is open, and where it was: undo puts it back. */
  const removed = new Map<string, { readonly row: ListedRow; readonly at: number }>();
  let after: string | null = null;
  let isReading = false;
  let isClosed = false;

  async function more(): Promise<void> {
    if (isReading || isClosed || !state.get().hasMore) return;
    isReading = true;
    state.update((before) => ({ ...before, error: undefined }));
    try {
      const page = await readPage(api, name, after);
      if (isClosed) return;
      after = page.after;
      state.update(({ rows }) => {
        const known = new Set(rows.map(({ key }) => key));
        return {
          rows: [...rows, ...page.rows.filter(({ key }) => !known.has(key))],
          ...{ isRead: true, hasMore: after !== null, error: undefined },
        };
      });
    } catch (thrown) {
      if (!isClosed) state.update((before) => ({ ...before, error: asApiError(thrown) }));
    } finally {
      isReading = false;
    }
  }

  return {
    get: state.get,
    subscribe: state.subscribe,
    more,
    change(key, saved) {
      const { rows } = state.get();
      const at = rows.findIndex((row) => row.key === key);
      const row = rows[at];
      if (saved === null) {
        if (row === undefined) return;
        removed.set(key, { row, at });
        return state.update((before) => ({ ...before, rows: rows.toSpliced(at, 1) }));
      }
      const back = removed.get(key);
      removed.delete(key);
      const changed = row ?? back?.row;
      if (changed === undefined || changed.saved === null) return;
      const shown = { ...changed, saved: { ...changed.saved, ...saved } };
      const next = row === undefined ? rows.toSpliced(back?.at ?? 0, 0, shown) : rows.with(at, shown);
      state.update((before) => ({ ...before, rows: next }));
    },
    close() {
      isClosed = true;
    },
  };
}

async function readPage(
  api: Pick<Api, 'queryUncached'>,
  name: ListName,
  after: string | null,
): Promise<Page> {
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
  const rows = edges.map(({ node }) => ({ key: node.id, message: node.message, saved: node, mark: node }));
  return { rows, after: pageInfo.hasNextPage ? pageInfo.endCursor : null };
}

const filterOf = (name: Exclude<ListName, 'liked' | 'reminders'>) => {
  if (typeof name === 'object') return { tags: [name.tag] };
  if (name === 'untagged') return { untagged: true };
  return name === 'all' ? {} : { visibility: name === 'public' ? ('PUBLIC' as const) : ('PRIVATE' as const) };
};
