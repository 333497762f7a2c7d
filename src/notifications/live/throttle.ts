import { BoundedMap } from '../../live/boundedMap.ts';

/** Each notification has at most one event in this time. */
const EVERY_MS = 1_000;
/** How many notifications can wait to be read. If there are more, all unread ones are read instead. */
const WAITING_MAX = 256;
/** How many notifications have their last sent version remembered. */
const SENT_MAX = 1_000;

/** The last event of a notification. */
interface Sent {
  /** GONE if the event said that it was removed. Ids are never used again. */
  readonly version: number;
  readonly unread: boolean;
  /** The time of the event, by the clock. SENDING until it was sent. */
  readonly at: number;
}

export const GONE = Number.POSITIVE_INFINITY;
const SENDING = Number.POSITIVE_INFINITY;

/**
 * Decides which notifications a subscription has to read, and when: the first change of each at once, the following
 * ones together, a second after its last event. It holds ids and numbers, not notifications: the current state is sent,
 * so of many changes only the last one matters.
 */
export interface Throttle {
  /** A notification has changed. Does nothing if this version or a later one was sent. */
  markChanged(id: string, version: number): void;
  /** Removes and returns up to `max` that may be sent now. */
  takeDue(max: number): string[];
  /** Milliseconds until the next one is due. Undefined if none is waiting. */
  readonly dueIn: number | undefined;
  /** Whether an event of this notification may be sent now. */
  canSend(id: string): boolean;
  /** Marks this version as being sent. False if it was sent before. */
  beginSend(id: string, found: { readonly version: number; readonly unread: boolean }): boolean;
  /** The version that `beginSend` marked was sent. */
  sent(id: string): void;
  /** What is shown of it has changed without a new version: it may be sent again, unless it was removed. */
  sendAgain(id: string): void;
  /** The ids of those that were last sent as unread. */
  readonly unread: string[];
  /** More were waiting than can be kept. Until `restart` none is kept. */
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
  /**
   * The highest version of each notification that is waiting. Not a `BoundedBuffer`: a notification that changes again
   * takes no more room.
   */
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

    sendAgain(id) {
      const last = lastSent.get(id);
      if (last !== undefined && last.version !== GONE) lastSent.set(id, { ...last, version: 0 });
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
