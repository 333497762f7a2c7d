import { LRUCache } from 'lru-cache';
import { type Bus, type Topic, topic } from '../bus/bus.ts';
import { type Clock, systemClock } from '../core/clock.ts';

/** A user is typing, or has stopped. It is sent over the bus and not stored. */
export type TypingUpdate = {
  readonly user: string;
  readonly typing: boolean;
  /** As in `RoomUpdate`: if it has risen, the server checks its subscribers' memberships before it sends. */
  readonly membershipEpoch: number;
};

export const typingTopic = (room: string): Topic<TypingUpdate> => topic(`typing:${room}`);

/** If a user does not repeat it within this time, they have stopped. */
export const TYPING_MS = 6_000;
/** A user's start is published at most once in this time. A stop after it is always published. */
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
  readonly clock?: Pick<Clock, 'now'>;
}

export type Typing = ReturnType<typeof createTyping>;

export function createTyping({ bus, clock = systemClock }: TypingOptions) {
  /** What was last published for a user in a room. */
  const published = new LRUCache<string, { readonly at: number; readonly typing: boolean }>({
    max: KNOWN_MAX,
  });

  return {
    set({ room, user, membershipEpoch }: Typist, typing: boolean): void {
      const name = `${room}:${user}`;
      const before = published.get(name);
      const at = typing ? clock.now() : (before?.at ?? 0);
      const tooSoon = before !== undefined && at < before.at + TYPING_AGAIN_MS;
      // A stop is published only after a start.
      if (typing ? tooSoon : before?.typing !== true) return;
      published.set(name, { at, typing });
      // Not through the publisher, which requests a resync after a failure. Typing is not worth one.
      bus.publish(typingTopic(room), { user, typing, membershipEpoch }).catch(() => {});
    },
  };
}

/** The users who are typing in a room, except the reader: at most TYPERS_MAX. */
export class Typers {
  readonly #reader: string;
  readonly #onChange: () => void;
  readonly #clock: Clock;
  /** Cancels each user's timer. Undefined before the first one. */
  #timers: Map<string, () => void> | undefined = undefined;

  constructor(reader: string, onChange: () => void, clock = systemClock) {
    this.#reader = reader;
    this.#onChange = onChange;
    this.#clock = clock;
  }

  apply({ user, typing }: Pick<TypingUpdate, 'user' | 'typing'>): void {
    if (user === this.#reader) return;
    if (!typing) {
      this.#stopped(user);
      return;
    }
    this.#timers ??= new Map();
    const cancel = this.#timers.get(user);
    if (cancel === undefined && this.#timers.size >= TYPERS_MAX) return;
    cancel?.();
    this.#timers.set(
      user,
      this.#clock.after(TYPING_MS, () => this.#stopped(user)),
    );
    if (cancel === undefined) this.#onChange();
  }

  get users(): string[] {
    return [...(this.#timers?.keys() ?? [])];
  }

  close(): void {
    for (const cancel of this.#timers?.values() ?? []) cancel();
    this.#timers = undefined;
  }

  #stopped(user: string): void {
    this.#timers?.get(user)?.();
    if (this.#timers?.delete(user) === true) this.#onChange();
  }
}
