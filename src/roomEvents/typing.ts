import { LRUCache } from 'lru-cache';
import { type Bus, type Topic, topic } from '../bus/bus.ts';

/** Somebody types, or has stopped to. On the bus only: nothing of it is stored. */
export type TypingNews = {
  readonly user: string;
  readonly typing: boolean;
  /** As in `RoomEvent`: a server that sees it rise checks its readers before it sends. */
  readonly removals: number;
};

export const typingTopic = (room: string): Topic<TypingNews> => topic(`typing:${room}`);

/** Who has not said so again for this long does not type any more. */
export const TYPING_MS = 6_000;
/** That a person types is told at most once in this time, and that they have stopped once after it. */
export const TYPING_AGAIN_MS = 2_000;
const KNOWN_MAX = 50_000;
/** A list of names gets no better by more of them. */
export const TYPERS_MAX = 20;

/** A person, in a room that has seen so many removals. */
export interface Typist {
  readonly room: string;
  readonly user: string;
  readonly removals: number;
}

export interface TypingOptions {
  readonly bus: Bus;
  /** Milliseconds, of any clock that only goes forwards. */
  readonly now?: () => number;
}

export type Typing = ReturnType<typeof createTyping>;

export function createTyping({ bus, now = () => performance.now() }: TypingOptions) {
  /** When it was last told that somebody types, and whether that still holds. */
  const told = new LRUCache<string, { readonly at: number; readonly typing: boolean }>({ max: KNOWN_MAX });

  return {
    set({ room, user, removals }: Typist, typing: boolean): void {
      const name = `${room}:${user}`;
      const before = told.get(name);
      const at = typing ? now() : (before?.at ?? 0);
      const tooSoon = before !== undefined && at < before.at + TYPING_AGAIN_MS;
      // Who was not told to type needs not to be told to have stopped.
      if (typing ? tooSoon : before?.typing !== true) return;
      told.set(name, { at, typing });
      // Not through the publisher, which makes good what is lost: this is not worth it.
      bus.publish(typingTopic(room), { user, typing, removals }).catch(() => {});
    },
  };
}

/** The people who type in a room, as one reader sees it: others, at most TYPERS_MAX. */
export function createTypers(reader: string, onChange: () => void) {
  const typers = new Map<string, NodeJS.Timeout>();

  function stopped(user: string): void {
    clearTimeout(typers.get(user));
    if (typers.delete(user)) onChange();
  }

  return {
    take({ user, typing }: Pick<TypingNews, 'user' | 'typing'>): void {
      if (user === reader) return;
      if (!typing) {
        stopped(user);
        return;
      }
      const known = typers.get(user);
      if (known === undefined && typers.size >= TYPERS_MAX) return;
      clearTimeout(known);
      typers.set(
        user,
        setTimeout(() => stopped(user), TYPING_MS),
      );
      if (known === undefined) onChange();
    },
    get users(): string[] {
      return [...typers.keys()];
    },
    close(): void {
      for (const timer of typers.values()) clearTimeout(timer);
      typers.clear();
    },
  };
}
