import { BoundedMap } from '../../live/boundedMap.ts';

/** At most one event for each notification in this time. */
const EVERY_MS = 1_000;
/** Notifications that wait to be read. If there are more, everything unread is read instead. */
const WAITING_MAX = 256;
/** Notifications whose last sent version is remembered: the newest. */
const SENT_MAX = 1_000;

/** What was sent of a notification last. */
interface Sent {
  /** GONE if it was sent as removed: ids do not come back. */
  readonly version: number;
  readonly unread: boolean;
  /** When, by the clock; SENDING while it has not left yet. */
  readonly at: number;
}

export const GONE = Number.POSITIVE_INFINITY;
const SENDING = Number.POSITIVE_INFINITY;

/**
 * Which notifications a subscription has to read, and when: the first change of each at once, the following ones
 * together, a second after its last event. It holds ids and numbers and no notifications: what is sent is the current
 * state, so of many changes only the last one matters.
 */
export interface Throttle {
  /** A notification has changed. Does nothing if this version or a later one was sent. */
  markChanged(id: string, version: number): void;
  /** Removes and returns up to `max` that may be sent now. */
  takeDue(max: number): string[];
  /** Milliseconds until one is due; undefined if none waits for its time. */
  readonly dueIn: number | undefined;
  /** Whether an event of it may be sent now. */
  canSend(id: string): boolean;
  /** It is about to be sent as it was read. False: this version was sent before. */
  beginSend(id: string, found: { readonly version: number; readonly unread: boolean }): boolean;
  /** The event that `beginSend` announced has left. */
  sent(id: string): void;
  /** Those that were last sent as unread. */
  readonly unread: string[];
  /** More waited than can be kept: nothing is kept until `restart`. */
  readonly overflowed: boolean;
  restart(): void;
}

export interface ThrottleOptions {
  /** Milliseconds on a clock that never goes back. */
  readonly now?: () => number;
  readonly everyMs?: number;
}

export function createThrottle({
  now = () => performance.now(),
  everyMs = EVERY_MS,
}: ThrottleOptions = {}): Throttle {
  const lastSent = new BoundedMap<string, Sent>(SENT_MAX);
  /** With the highest version that was announced. */
  const waiting = new Map<string, number>();
  let overflowed = false;

  const allowedAt = (id: string): number => (lastSent.get(id)?.at ?? Number.NEGATIVE_INFINITY) + everyMs;

  return {
    markChanged(id, version) {
      if (overflowed || version <= (lastSent.get(id)?.version ?? 0)) return;
      waiting.set(id, Math.max(version, waiting.get(id) ?? 0));
      if (waiting.size <= WAITING_MAX) return;
      overflowed = true;
      waiting.clear();
    },

    takeDue(max) {
      const ids: string[] = [];
      for (const [id, version] of waiting) {
        if (ids.length >= max) break;
        const known = version <= (lastSent.get(id)?.version ?? 0);
        if (!known && allowedAt(id) > now()) continue;
        waiting.delete(id);
        if (!known) ids.push(id);
      }
      return ids;
    },

    get dueIn() {
      let first = Number.POSITIVE_INFINITY;
      for (const id of waiting.keys()) first = Math.min(first, allowedAt(id));
      return first === Number.POSITIVE_INFINITY ? undefined : Math.max(0, first - now());
    },

    canSend: (id) => allowedAt(id) <= now(),

    beginSend(id, { version, unread }) {
      if (version <= (lastSent.get(id)?.version ?? 0)) return false;
      lastSent.set(id, { version, unread, at: SENDING });
      return true;
    },

    sent(id) {
      const last = lastSent.get(id);
      if (last !== undefined) lastSent.set(id, { ...last, at: now() });
    },

    get unread() {
      return [...lastSent].flatMap(([id, { unread }]) => (unread ? [id] : []));
    },

    get overflowed() {
      return overflowed;
    },
    restart() {
      overflowed = false;
    },
  };
}
