import type { Api } from '../api/api.ts';
import { type ApiError, asApiError } from '../api/errors.ts';
import { createInFlightUpdates } from '../api/inFlightUpdates.ts';
import { withRetry } from '../api/retry.ts';
import { createPaced } from '../state/paced.ts';
import { createStore, type Store } from '../state/store.ts';
import { type ListedRow, type ListView, putRow, rowOf } from './listed.ts';
import { type ListPage, PAGE, readPage, readRows, readSaved } from './listPages.ts';
import type { SavedNews } from './marks.ts';
import { createRowStore, type Rows } from './rowStore.ts';
import type { Saved } from './saves.ts';
import { type OnScreen, renew, restore, unloadedNear, unloadFar, unloadWhere } from './unloading.ts';

export interface ListState {
  readonly rows: Rows<ListedRow>;
  /** Whether the first page was read. */
  readonly isRead: boolean;
  readonly hasMore: boolean;
  /** Why the last page could not be read. */
  readonly error: ApiError | undefined;
}

export interface SavedList extends Pick<Store<ListState>, 'get' | 'subscribe'> {
  /** Reads the next page, unless one is being read. After a failure, tries again. */
  more(): Promise<void>;
  /** Says which rows are on the screen: the messages of those far from it are unloaded, and read again near it. */
  shows(onScreen: OnScreen): void;
  /** Shows what the viewer has changed or removed (null) here. */
  change(key: string, saved: Saved | null): void;
  /** Shows what has changed on any device. Undefined: anything may have changed. */
  onNews(news: SavedNews | undefined): void;
  /**
   * Reads what is on the screen again, and what is near it: there are no events of the messages. To be called when the
   * user comes back to the page.
   */
  look(): void;
  /** The viewer has lost this room, or has joined it: its messages are unloaded, and read again near the screen. */
  onRoom(roomId: string, isMember: boolean): void;
  close(): void;
}

/** What is known of a saved message. */
interface Update {
  readonly key: string;
  /** Undefined if it was removed. */
  readonly row: ListedRow | undefined;
  readonly version: number;
}

/** With more changes than these, the list is read again from its start. */
const WAITING_MAX = 10 * PAGE;
/** The most rows that are read again. Those after them are read as the viewer scrolls. */
const READ_AGAIN_MAX = 10 * PAGE;
/** The most removed rows whose place is remembered. */
const REMOVED_MAX = 100;

/** One list while it is open: its pages, and what changes in it. */
export function createSavedList(api: Pick<Api, 'queryUncached' | 'connection'>, view: ListView): SavedList {
  const { name } = view;
  const rows = createRowStore<ListedRow>();
  const state = createStore<ListState>({ rows: rows.get(), isRead: false, hasMore: true, error: undefined });
  const updates = createInFlightUpdates<Update>();
  const closing = new AbortController();
  /** What was removed while the list is open, and where it was: undo puts it back. */
  const removed = new Map<string, { readonly row: ListedRow; readonly at: number }>();
  /** The ids of saved messages that have changed and are not read yet. */
  const waiting = new Set<string>();
  /** Changes may have been missed. */
  let isOutdated = false;
  let after: string | null = null;
  let isReading = false;

  /** Shows the current rows. */
  const showRows = () =>
    state.update((now) => (now.rows === rows.get() ? now : { ...now, rows: rows.get() }));

  async function more(): Promise<void> {
    if (isReading || closing.signal.aborted) return;
    if (isOutdated) return readAgain();
    if (!state.get().hasMore) return;
    await read(
      () => readPage(api, view, after),
      (page) => rows.append(page.rows),
    );
  }

  /** Reads the pages that are shown again. */
  async function readAgain(): Promise<void> {
    const wanted = Math.min(rows.get().length, READ_AGAIN_MAX);
    await read(
      async () => {
        isOutdated = false;
        let page = await readPage(api, view, null);
        while (page.after !== null && page.rows.length < wanted) {
          const next = await readPage(api, view, page.after);
          page = { rows: [...page.rows, ...next.rows], after: next.after };
        }
        return page;
      },
      (page) => rows.reset(page.rows),
      () => {
        isOutdated = true;
      },
    );
  }

  async function read(
    request: () => Promise<ListPage>,
    put: (page: ListPage) => void,
    onFailure = () => {},
  ): Promise<void> {
    isReading = true;
    state.update((before) => ({ ...before, error: undefined }));
    try {
      await updates.read(request, (page, arrived) => {
        if (closing.signal.aborted) return;
        after = page.after;
        put(page);
        state.set({ rows: rows.get(), isRead: true, hasMore: after !== null, error: undefined });
        for (const update of arrived) apply(update);
      });
    } catch (thrown) {
      onFailure();
      if (!closing.signal.aborted) state.update((before) => ({ ...before, error: asApiError(thrown) }));
      return;
    } finally {
      isReading = false;
    }
    if (isOutdated) paced.run();
  }

  function show(update: Update): void {
    updates.push(update);
    apply(update);
  }

  function apply({ key, row, version }: Update): void {
    const { hasMore, isRead } = state.get();
    const at = rows.find(key);
    const before = rows.get().at(at);
    if (!isRead || (before?.saved?.version ?? 0) > version) return;
    if (row === undefined) rows.remove(at);
    else putRow({ rows, view, row, hasMore });
    if (before !== undefined && !rows.has(key)) remember(before, at);
    showRows();
  }

  function remember(row: ListedRow, at: number): void {
    removed.set(row.key, { row, at });
    for (const key of removed.keys()) {
      if (removed.size <= REMOVED_MAX) return;
      removed.delete(key);
    }
  }

  async function readWaiting(): Promise<void> {
    if (waiting.size > WAITING_MAX) isOutdated = true;
    if (isOutdated) {
      waiting.clear();
      // The page that is being read comes first.
      if (!isReading) await readAgain();
      return;
    }
    const ids = [...waiting].slice(0, PAGE);
    if (ids.length === 0) return;
    for (const id of ids) waiting.delete(id);
    const again = () => readSaved(api, ids);
    const found = await withRetry(api.connection.backoff, again, { signal: closing.signal }).catch(() => []);
    for (const saved of found ?? []) show({ key: saved.id, row: rowOf(saved), version: saved.version ?? 0 });
    if (waiting.size > 0) paced.run();
  }

  const paced = createPaced(readWaiting);

  let onScreen: OnScreen = { first: 0, last: 0 };
  /** The first row on the screen when messages were unloaded. */
  let unloadedAt = 0;
  let isRestoring = false;

  async function readUnloaded(): Promise<void> {
    if (isRestoring) return;
    isRestoring = true;
    try {
      for (;;) {
        const keys = unloadedNear(rows.get(), onScreen, PAGE);
        if (keys.length === 0) return;
        const again = () => readRows(api, name, keys);
        const found = await withRetry(api.connection.backoff, again, { signal: closing.signal });
        if (found === undefined || closing.signal.aborted) return;
        restore(rows, keys, found);
        showRows();
      }
    } finally {
      isRestoring = false;
    }
  }

  /** If the server refuses it, the next move of the screen tries again. */
  const readNear = () => void readUnloaded().catch(() => {});

  const looking = createPaced(async () => {
    const before = rows.get().slice(onScreen.first, Math.min(onScreen.last + 1, onScreen.first + PAGE));
    const keys = before.map(({ key }) => key);
    if (keys.length === 0) return;
    const again = () => readRows(api, name, keys);
    const reading = withRetry(api.connection.backoff, again, { signal: closing.signal });
    const found = await reading.catch(() => undefined);
    if (found === undefined || closing.signal.aborted) return;
    renew(rows, before, found);
    unloadFar(rows, onScreen, 0);
    showRows();
    readNear();
  });

  return {
    get: state.get,
    subscribe: state.subscribe,
    more,
    shows(now) {
      onScreen = now;
      if (Math.abs(now.first - unloadedAt) >= PAGE) {
        unloadedAt = now.first;
        unloadFar(rows, now);
        showRows();
      }
      readNear();
    },
    look: looking.run,
    onRoom(roomId, isMember) {
      unloadWhere(rows, ({ message }) => (isMember ? message === null : message?.room.id === roomId));
      showRows();
      // What is being read may have been read before.
      updates.invalidate();
      readNear();
    },
    change(key, saved) {
      const row = rows.get().at(rows.find(key));
      if (saved === null) return show({ key, row: undefined, version: (row?.saved?.version ?? 0) + 1 });
      const back = removed.get(key);
      removed.delete(key);
      const before = row ?? back?.row;
      if (before === undefined || before.saved === null) return;
      const changed = { ...before, saved: { ...before.saved, ...saved }, mark: saved };
      if (row !== undefined) return show({ key, row: changed, version: saved.version ?? 0 });
      rows.insert(back?.at ?? 0, changed);
      showRows();
    },
    onNews(news) {
      if (news === undefined) {
        isOutdated = true;
        updates.invalidate();
      } else if (name === 'liked') return;
      else if (news.isRemoved) {
        waiting.delete(news.id);
        return show({ key: news.id, row: undefined, version: news.version });
      } else waiting.add(news.id);
      paced.run();
    },
    close() {
      closing.abort();
      paced.stop();
      looking.stop();
    },
  };
}
