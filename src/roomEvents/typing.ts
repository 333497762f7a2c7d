import { LRUCache } from 'lru-cache';
import { type Bus, type Topic, topic } from '../bus/bus.ts';

/** A user types, or has stopped typing. Only on the bus: it is not stored. */
export type TypingUpdate = {
  readonly user: string;
  readonly typing: boolean;
  /** As in `RoomUpdate`: if it has risen, the server checks its readers before it sends. */
  readonly membershipEpoch: number;
};

export const typingTopic = (room: string): Topic<TypingUpdate> => topic(`typing:${room}`);

/** A user who has not repeated it for this long does not type any more. */
export const TYPING_MS = 6_000;
/** That a user types is published at most once in this time, and that they have stopped once after it. */
export const TYPING_AGAIN_MS = 2_000;
const KNOWN_MAX = 50_000;
/** More names would not make the list more useful. */
export const TYPERS_MAX = 20;

/** A user in a room, and the room's `membershipEpoch` when their membership was read. */
export interface Typist {
  readonly room: string;
  readonly user: string;
  readonly membershipEpoch: number;
}

export interface TypingOptions {
  readonly bus: Bus;
  /** Milliseconds on a clock that never goes back. */
  readonly now?: () => number;
}

export type Typing = ReturnType<typeof createTyping>;

export function createTyping({ bus, now = () => performance.now() }: TypingOptions) {
  /** When it was last published that a user types, and whether they still do. */
  const published = new LRUCache<string, { readonly at: number; readonly typing: boolean }>({
    max: KNOWN_MAX,
  });

  return {
    set({ room, user, membershipEpoch }: Typist, typing: boolean): void {
      const name = `${room}:${user}`;
      const before = published.get(name);
      const at = typing ? now() : (before?.at ?? 0);
      const tooSoon = before !== undefined && at < before.at + TYPING_AGAIN_MS;
      // If it was not published that they type, it need not be published that they have stopped.
      if (typing ? tooSoon : before?.typing !== true) return;
      published.set(name, { at, typing });
      // Not through the publisher, which asks for a resync after a failure: this is not worth one.
      bus.publish(typingTopic(room), { user, typing, membershipEpoch }).catch(() => {});
    },
  };
}

/** The users who type in a room, without the reader: at most TYPERS_MAX. */
export function createTypers(reader: string, onChange: () => void) {
  const typers = new Map<string, NodeJS.Timeout>();

  function stopped(user: string): void {
    clearTimeout(typers.get(user));
    if (typers.delete(user)) onChange();
  }

  return {
    take({ user, typing }: Pick<TypingUpdate, 'user' | 'typing'>): void {
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
