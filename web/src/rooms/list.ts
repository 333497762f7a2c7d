import type { Api } from '../api/api.ts';
import { MembershipsDocument, type OwnMembershipFragment } from '../generated/graphql.ts';
import { createStore, type Store } from '../state/store.ts';

export type OwnRoom = Readonly<OwnMembershipFragment>;

/** The viewer's rooms. Undefined until they have been read once. */
export interface RoomList extends Pick<Store<readonly OwnRoom[] | undefined>, 'get' | 'subscribe'> {
  /** Reads all pages. The list does not change until the last one is there. Rejects with `ApiError`. */
  read(): Promise<void>;
}

type Page = { readonly after?: string };

/**
 * Concatenates the pages of the last reading, each with the current state of the cache: a room that is renamed is
 * renamed here. The cache cannot concatenate them itself: it would put a page of this reading before pages of the
 * former one, and report that nothing follows.
 */
export function createRoomList(api: Pick<Api, 'client' | 'query'>): RoomList {
  const state = createStore<readonly OwnRoom[] | undefined>(undefined);
  let pages: readonly Page[] = [];
  let stopWatching = () => {};

  async function read(): Promise<void> {
    stopWatching();
    try {
      const next: Page[] = [];
      let page: Page | undefined = {};
      while (page !== undefined) {
        next.push(page);
        page = await readPage(page);
      }
      pages = next;
    } finally {
      stopWatching = watch();
    }
  }

  /** Resolves with the next page. Undefined if this is the last one. */
  async function readPage(page: Page): Promise<Page | undefined> {
    const { viewer } = await api.query(MembershipsDocument, page);
    const { hasNextPage, endCursor } = viewer.memberships.pageInfo;
    return hasNextPage && endCursor !== null ? { after: endCursor } : undefined;
  }

  function watch(): () => void {
    const known = new Map<Page, readonly OwnRoom[]>();
    const watched = pages.map((page) =>
      api.client.query(MembershipsDocument, page, { requestPolicy: 'cache-only' }).subscribe(({ data }) => {
        // Null if the cache does not have all of it.
        if (data == null) return;
        known.set(
          page,
          data.viewer.memberships.edges.map(({ node }) => node),
        );
        if (known.size === pages.length) state.set(pages.flatMap((each) => known.get(each) ?? []));
      }),
    );
    return () => {
      for (const { unsubscribe } of watched) unsubscribe();
    };
  }

  return { get: state.get, subscribe: state.subscribe, read };
}
