import { keep } from '../state/keep.ts';
import { createStore, type Store } from '../state/store.ts';

type Texts = ReadonlyMap<string, string>;

/** Unsent texts, by the room or thread they belong to. They are the same in all tabs of this browser. */
export interface Drafts {
  readonly all: Pick<Store<Texts>, 'get' | 'subscribe'>;
  get(draftKey: string): string;
  /** An empty one is forgotten. Does nothing after `forget`. */
  set(draftKey: string, text: string): void;
  /** Deletes all of them, and keeps no others: another person may use this browser next. */
  forget(): void;
  stop(): void;
}

/** The most drafts that are kept. The oldest are deleted first. */
const MOST = 50;

/** The key of the draft of a new message in a room. */
export const roomDraft = (roomId: string) => `room ${roomId}`;

/** The key of the draft of a reply in a thread. */
export const threadDraft = (root: string) => `thread ${root}`;

/** The key of the draft of an edit. */
export const editDraft = (messageId: string) => `edit ${messageId}`;

/**
 * Drafts are in the browser's storage, so they survive a reload and are there in each tab. While it is full, those that
 * are written are in their tab only.
 */
export function createDrafts(viewerId: string): Drafts {
  const key = `tsudoi:drafts:${viewerId}`;
  const store = createStore<Texts>(restored(key));
  /** What could not be stored, because the storage is full. An empty text: the draft was deleted. */
  const unstored = new Map<string, string>();
  let isForgotten = false;
  /** Reads the storage again: another tab may have written a draft whose event is on its way. */
  function current(): Texts {
    const drafts = restored(key);
    for (const [draftKey, text] of unstored) {
      drafts.delete(draftKey);
      if (text !== '') drafts.set(draftKey, text);
    }
    return withoutOldest(drafts);
  }
  const follow = ({ key: changed }: StorageEvent) => {
    if (changed === key || changed === null) store.set(current());
  };
  addEventListener('storage', follow);
  return {
    all: store,
    get: (draftKey) => store.get().get(draftKey) ?? '',
    set(draftKey, text) {
      // What was sent before the sign-out may fail after it.
      if (isForgotten) return;
      unstored.delete(draftKey);
      withoutOldest(unstored.set(draftKey, text));
      const drafts = current();
      if (keep(localStorage, key, JSON.stringify([...drafts]))) unstored.clear();
      store.set(drafts);
    },
    forget() {
      isForgotten = true;
      unstored.clear();
      localStorage.removeItem(key);
      store.set(new Map());
    },
    stop: () => removeEventListener('storage', follow),
  };
}

function withoutOldest(drafts: Map<string, string>): Map<string, string> {
  for (const oldest of drafts.keys()) {
    if (drafts.size <= MOST) break;
    drafts.delete(oldest);
  }
  return drafts;
}

function restored(key: string): Map<string, string> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return new Map(Array.isArray(kept) ? kept.filter(isDraft) : []);
  } catch {
    return new Map();
  }
}

const isDraft = (value: unknown): value is [string, string] =>
  Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string');
