/** At most one event for each notification in this time. */
const EVERY_MS = 1_000;
/** Notifications that wait to be looked at; beyond it everything unread is looked at instead. */
const WAITING_MAX = 256;
/** Notifications of which it is remembered what was told last: the newest. */
const REMEMBERED_MAX = 1_000;

/** What was told of a notification last. */
interface Told {
  /** GONE where it was that it is no more: ids do not come back. */
  readonly rev: number;
  readonly unread: boolean;
  /** When, by the clock; IN_HAND while it has not left yet. */
  readonly at: number;
}

export const GONE = Number.POSITIVE_INFINITY;
const IN_HAND = Number.POSITIVE_INFINITY;

/**
 * Which notifications one subscription has to look at, and when: the first change of each at once, what
 * follows together, a second after the last event of it. Holds ids and numbers, no notifications: what is
 * told is how things are when it is told, so of many changes only the last one matters.
 */
export interface Pacing {
  /** Something has changed; nothing to do where this change, or a later one, was told. */
  note(id: string, rev: number): void;
  /** Takes up to `max` that may be told now. */
  due(max: number): string[];
  /** Milliseconds until one is due; undefined where none waits for its time. */
  readonly dueIn: number | undefined;
  /** Whether an event of it may be sent now. */
  mayTell(id: string): boolean;
  /** It is about to be told as it was found. False: that is what was told before. */
  take(id: string, found: { readonly rev: number; readonly unread: boolean }): boolean;
  /** What was taken has left. */
  sent(id: string): void;
  /** Those that were last told to be unread. */
  readonly unread: string[];
  /** More waited than can be kept: nothing is kept from then on, until `restart`. */
  readonly overflown: boolean;
  restart(): void;
}

export interface PacingOptions {
  /** Milliseconds, on a clock that never goes back. */
  readonly now?: () => number;
  readonly everyMs?: number;
}

export function createPacing({
  now = () => performance.now(),
  everyMs = EVERY_MS,
}: PacingOptions = {}): Pacing {
  const told = new Map<string, Told>();
  /** With the highest number that was heard. */
  const waiting = new Map<string, number>();
  let overflown = false;

  const allowedAt = (id: string): number => (told.get(id)?.at ?? Number.NEGATIVE_INFINITY) + everyMs;

  function remember(id: string, what: Told): void {
    told.delete(id);
    told.set(id, what);
    for (const oldest of told.keys()) {
      if (told.size <= REMEMBERED_MAX) break;
      told.delete(oldest);
    }
  }

  return {
    note(id, rev) {
      if (overflown || rev <= (told.get(id)?.rev ?? 0)) return;
      waiting.set(id, Math.max(rev, waiting.get(id) ?? 0));
      if (waiting.size <= WAITING_MAX) return;
      overflown = true;
      waiting.clear();
    },

    due(max) {
      const ids: string[] = [];
      for (const [id, rev] of waiting) {
        if (ids.length >= max) break;
        const known = rev <= (told.get(id)?.rev ?? 0);
        if (!known && allowedAt(id) > now()) continue;
        waiting.delete(id);
        if (!known) ids.push(id);
      }
      return ids;
    },

    get dueIn() {
      const first = Math.min(...[...waiting.keys()].map(allowedAt));
      return first === IN_HAND ? undefined : Math.max(0, first - now());
    },

    mayTell: (id) => allowedAt(id) <= now(),

    take(id, { rev, unread }) {
      if (rev <= (told.get(id)?.rev ?? 0)) return false;
      remember(id, { rev, unread, at: IN_HAND });
      return true;
    },

    sent(id) {
      const last = told.get(id);
      if (last !== undefined) remember(id, { ...last, at: now() });
    },

    get unread() {
      return [...told].flatMap(([id, { unread }]) => (unread ? [id] : []));
    },

    get overflown() {
      return overflown;
    },
    restart() {
      overflown = false;
    },
  };
}
