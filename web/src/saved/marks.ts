import type { Api } from '../api/api.ts';
import { withRetry } from '../api/retry.ts';
import {
  SavedChangedDocument,
  type SavedMarkFragment,
  SavedMarksAgainDocument,
} from '../generated/graphql.ts';
import { createStore, type Store } from '../state/store.ts';

/** What the viewer has saved of a message; null if it is not saved. */
export type SavedMark = Readonly<SavedMarkFragment> | null;

/** A copy of a message, with the mark of when it was read. */
export interface MarkedMessage {
  readonly id: string;
  readonly viewerSaved: SavedMark;
}

export interface MarksState {
  /** By the ids of the messages. */
  readonly saved: ReadonlyMap<string, NonNullable<SavedMark>>;
  /** The versions at which saved messages were removed, by their own ids. */
  readonly gone: ReadonlyMap<string, number>;
}

/** A saved message of which the server says that it was changed or removed, by its own id. */
export interface SavedNews {
  readonly id: string;
  readonly version: number;
  readonly isRemoved: boolean;
}

/**
 * What the viewer has saved and removed on all their devices since this page was opened. No event of a room has it. The
 * highest version wins, here as well as between this and the copies of the messages.
 */
export interface SavedMarks extends Pick<Store<MarksState>, 'get' | 'subscribe'> {
  put(messageId: string, mark: NonNullable<SavedMark>): void;
  /** The viewer has removed what was saved. */
  remove(mark: NonNullable<SavedMark>): void;
  /** Calls the listener after each change on any device; with undefined if changes may have been missed. */
  onNews(listener: (news: SavedNews | undefined) => void): () => void;
  stop(): void;
}

/** More than a page shows. What is dropped shows the copies of the messages again. */
const MOST = 1_000;
/** The server returns at most this many nodes by id. */
const MAX_IDS = 100;

/** `held`: the messages whose marks may be on the screen. */
export function createSavedMarks(
  { connection, queryUncached }: Pick<Api, 'connection' | 'queryUncached'>,
  held: () => readonly MarkedMessage[],
): SavedMarks {
  const state = createStore<MarksState>({ saved: new Map(), gone: new Map() });
  const listeners = new Set<(news: SavedNews | undefined) => void>();
  let reading = new AbortController();
  let openings = 0;
  let isFirst = true;

  function put(messageId: string, mark: NonNullable<SavedMark>): void {
    const known = state.get().saved.get(messageId);
    if (known !== undefined && versionOf(known) > versionOf(mark)) return;
    state.update(({ saved, gone }) => ({ saved: withNewest(saved, messageId, mark), gone }));
  }

  function remove(id: string, version: number): void {
    if ((state.get().gone.get(id) ?? -1) >= version) return;
    state.update(({ saved, gone }) => ({ saved, gone: withNewest(gone, id, version) }));
  }

  /** Reads the marks on the screen again. A message that is not saved has no version: what was known before is gone. */
  async function readAgain(): Promise<void> {
    reading.abort();
    reading = new AbortController();
    const { signal } = reading;
    const before = state.get();
    const messages = held();
    const known = new Map(messages.map((message) => [message.id, newestOf(before, message)]));
    for (let at = 0; at < messages.length; at += MAX_IDS) {
      const ids = messages.slice(at, at + MAX_IDS).map(({ id }) => id);
      const read = () => queryUncached(SavedMarksAgainDocument, { ids });
      const answer = await withRetry(connection.backoff, read, { signal });
      for (const node of answer?.nodes ?? []) {
        if (node?.__typename !== 'Message') continue;
        const was = known.get(node.id);
        if (node.viewerSaved !== null) put(node.id, node.viewerSaved);
        else if (was != null) remove(was.id, versionOf(was));
      }
    }
  }

  function announce(news: SavedNews | undefined): void {
    for (const listener of [...listeners]) listener(news);
  }

  const stop = connection.subscribe({
    document: SavedChangedDocument,
    variables: () => ({}),
    onOpening() {
      openings++;
    },
    next({ savedChanged: { savedMessage, removedId, version } }) {
      if (savedMessage !== null) {
        if (savedMessage.message !== null) put(savedMessage.message.id, savedMessage);
        return announce({ id: savedMessage.id, version, isRemoved: false });
      }
      if (removedId !== null) {
        remove(removedId, version);
        return announce({ id: removedId, version, isRemoved: true });
      }
      // What is on the screen was read a moment before the session's first event.
      const isStart = isFirst && openings === 1;
      isFirst = false;
      if (isStart) return;
      // If the server refuses it, the next event or the next page shows what is saved.
      void readAgain().catch(() => {});
      announce(undefined);
    },
  });

  return {
    get: state.get,
    subscribe: state.subscribe,
    put,
    // At least one version higher. The event has the exact one.
    remove: (mark) => remove(mark.id, versionOf(mark) + 1),
    onNews(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop() {
      reading.abort();
      stop();
    },
  };
}

/** What the viewer has saved of a message now. */
export function markOf(state: MarksState, message: MarkedMessage): SavedMark {
  const newest = newestOf(state, message);
  if (newest === null) return null;
  return (state.gone.get(newest.id) ?? -1) >= versionOf(newest) ? null : newest;
}

function newestOf({ saved }: MarksState, { id, viewerSaved }: MarkedMessage): SavedMark {
  const known = saved.get(id);
  if (known === undefined || viewerSaved === null) return known ?? viewerSaved;
  return versionOf(viewerSaved) > versionOf(known) ? viewerSaved : known;
}

/** Null only for those of others. */
const versionOf = ({ version }: NonNullable<SavedMark>): number => version ?? 0;

function withNewest<T>(before: ReadonlyMap<string, T>, key: string, value: T): ReadonlyMap<string, T> {
  const others = [...before].filter(([other]) => other !== key);
  return new Map([...others.slice(1 - MOST), [key, value]]);
}
