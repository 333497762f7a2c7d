import type { Api } from '../api/api.ts';
import { MembershipsDocument, type OwnMembershipFragment } from '../generated/graphql.ts';
import { createStore, type Store } from '../state/store.ts';

export type OwnRoom = Readonly<OwnMembershipFragment>;

/** The viewer's rooms; undefined until they have been read once. */
export interface RoomList extends Pick<Store<readonly OwnRoom[] | undefined>, 'get' | 'subscribe'> {
  /** Reads every page; until the last is there, the list is what it was. Rejects with `ApiError`. */
  read(): Promise<void>;
}

type Page = { readonly after?: string };

/**
 * The pages as they were last read, each as the cache has it now: a room that is renamed is renamed here. The
 * cache does not put them together, for it would put a page that is read anew before pages that are old, and say
 * that nothing comes behind it.
 */
export function createRoomList(api: Pick<Api, 'client' | 'ask'>): RoomList {
  const state = createStore<readonly OwnRoom[] | undefined>(undefined);
  let pages: readonly Page[] = [];
  let stopWatching = () => {};

  async function read(): Promise<void> {
    stopWatching();
    try {
      const anew: Page[] = [];
      let page: Page | undefined = {};
      while (page !== undefined) {
        anew.push(page);
        page = await readPage(page);
      }
      pages = anew;
    } finally {
      stopWatching = watch();
    }
  }

  /** The page behind it; undefined where this is the last. */
  async function readPage(page: Page): Promise<Page | undefined> {
    const { viewer } = await api.ask(MembershipsDocument, page);
    const { hasNextPage, endCursor } = viewer.memberships.pageInfo;
    return hasNextPage && endCursor !== null ? { after: endCursor } : undefined;
  }

  function watch(): () => void {
    const known = new Map<Page, readonly OwnRoom[]>();
    const watched = pages.map((page) =>
      api.client.query(MembershipsDocument, page, { requestPolicy: 'cache-only' }).subscribe(({ data }) => {
        // Null where the cache has not all of it.
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
