/** Unsent texts, by the room or thread they belong to. */
export interface Drafts {
  get(place: string): string;
  /** An empty text deletes the draft. */
  set(place: string, text: string): void;
}

/** The most drafts that are kept. The oldest are deleted first. */
const MOST = 50;

/** Drafts are stored in the tab's session storage, like the outbox, so they survive a reload. */
export function createDrafts(viewerId: string): Drafts {
  const key = `tsudoi:drafts:${viewerId}`;
  const drafts = restored(key);
  return {
    get: (place) => drafts.get(place) ?? '',
    set(place, text) {
      drafts.delete(place);
      if (text !== '') drafts.set(place, text);
      for (const oldest of drafts.keys()) {
        if (drafts.size <= MOST) break;
        drafts.delete(oldest);
      }
      sessionStorage.setItem(key, JSON.stringify([...drafts]));
    },
  };
}

function restored(key: string): Map<string, string> {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]');
    return new Map(Array.isArray(kept) ? kept.filter(isDraft) : []);
  } catch {
    return new Map();
  }
}

const isDraft = (value: unknown): value is [string, string] =>
  Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string');
