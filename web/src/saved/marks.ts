import type { SavedMarkFragment } from '../generated/graphql.ts';
import { createStore, type Store } from '../state/store.ts';

/** What the viewer has saved of a message; null if it is not saved. */
export type SavedMark = Readonly<SavedMarkFragment> | null;

/**
 * What the viewer saved or removed on this page, by the ids of the messages. It is newer than the copies of the messages: no
 * event of a room has it.
 */
export type SavedMarks = Pick<Store<ReadonlyMap<string, SavedMark>>, 'get' | 'subscribe'> & {
  put(messageId: string, mark: SavedMark): void;
};

const MOST = 1_000;

export function createSavedMarks(): SavedMarks {
  const marks = createStore<ReadonlyMap<string, SavedMark>>(new Map());
  return {
    get: marks.get,
    subscribe: marks.subscribe,
    put: (messageId, mark) =>
      marks.update((before) => {
        const others = [...before].filter(([id]) => id !== messageId);
        return new Map([...others.slice(1 - MOST), [messageId, mark]]);
      }),
  };
}
