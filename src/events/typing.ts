import { LRUCache } from 'lru-cache';
import { type Topic, topic } from '../bus/bus.ts';
import type { Publisher } from '../bus/publisher.ts';

/** Somebody types, or has stopped to. On the bus only: nothing of it is stored. */
export type TypingNews = { readonly user: string; readonly typing: boolean };

export const typingTopic = (room: string): Topic<TypingNews> => topic(`typing:${room}`);

/** Who has not said so again for this long does not type any more. */
export const TYPING_MS = 6_000;
/** The same news of the same person is told at most once in this time. */
const AGAIN_AFTER_MS = 2_000;
const KNOWN_MAX = 50_000;
/** A list of names gets no better by more of them. */
export const TYPERS_MAX = 20;

export type Typing = ReturnType<typeof createTyping>;

export function createTyping({ publisher }: { readonly publisher: Publisher }) {
  const told = new LRUCache<string, boolean>({ max: KNOWN_MAX, ttl: AGAIN_AFTER_MS });

  return {
    async set(room: string, user: string, typing: boolean): Promise<void> {
      const name = `${room}:${user}`;
      if (told.get(name) === typing) return;
      told.set(name, typing);
      await publisher.publish(typingTopic(room), { user, typing });
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
    take({ user, typing }: TypingNews): void {
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
