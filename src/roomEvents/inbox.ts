import type { RoomUpdate } from './event.ts';

/** Changes that wait for a slow reader; beyond it they are told to read the room again. */
const BUFFER_MAX = 256;

/** What has arrived for one reader and was not taken yet, in order. */
export interface Inbox {
  /** Keeps it; where that makes more than BUFFER_MAX changes, everything is thrown away instead. */
  add(event: RoomUpdate): void;
  readonly first: RoomUpdate | undefined;
  /** Takes the first away. */
  shift(): void;
  /** Something was thrown away since `clear`; nothing is kept meanwhile. */
  readonly overflown: boolean;
  clear(): void;
}

export function createInbox(): Inbox {
  let events: RoomUpdate[] = [];
  let changes = 0;
  let overflown = false;
  return {
    add(event) {
      if (overflown) return;
      events.push(event);
      changes += event.entries.length;
      overflown = changes > BUFFER_MAX;
      if (overflown) events = [];
    },
    get first() {
      return events[0];
    },
    shift() {
      changes -= events.shift()?.entries.length ?? 0;
    },
    get overflown() {
      return overflown;
    },
    clear() {
      events = [];
      changes = 0;
      overflown = false;
    },
  };
}
