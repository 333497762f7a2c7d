import type { RoomCache } from '../../live/roomCache.ts';
import { subscriptionEvents } from '../../live/subscriptionEvents.ts';
import type { Membership, Room, Seats } from '../../rooms/room.ts';
import type { Person, Watcher } from './person.ts';

export interface BadgeRoom {
  readonly room: Room & { readonly seats: Seats };
  readonly membership: Membership;
  readonly unreadCount: number;
  readonly readPosition: number;
}

/** The badge as it is now: the totals, and the rooms that have changed since the last one. */
export interface BadgeChange {
  readonly total: number;
  readonly notifications: number;
  readonly rooms: readonly BadgeRoom[];
  readonly removedRoomIds: readonly string[];
}

/** At most one update per reader in this time, however much happens. */
const PUSH_EVERY_MS = 100;

export interface BadgeOptions {
  readonly person: Person;
  readonly rooms: RoomCache;
  /** Milliseconds, of any clock that only goes forwards. */
  readonly now?: () => number;
  readonly onPush?: () => void;
  readonly onClose: () => void;
}

/**
 * One subscription's badge: pulled, not pushed. What changes is only noted (a set of rooms, never more than
 * the person is in) until the socket asks for the next value, and then told as it is at that moment. A
 * reader that does not drain costs nothing more and holds nobody up.
 */
export function createBadge({
  person,
  rooms,
  now = () => performance.now(),
  onPush,
  onClose,
}: BadgeOptions): AsyncIterableIterator<BadgeChange> {
  const changed = new Set<string>();
  const removed = new Set<string>();
  let due = true;
  let first = true;
  let closed = false;
  let lastPush = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let waiting: Array<(result: IteratorResult<BadgeChange>) => void> = [];

  const watcher: Watcher = {
    changed(room) {
      removed.delete(room);
      changed.add(room);
      note();
    },
    left(room) {
      changed.delete(room);
      removed.add(room);
      note();
    },
    notifications: note,
  };
  person.watchers.add(watcher);

  function note(): void {
    due = true;
    if (waiting.length > 0) deliver();
  }

  function deliver(): void {
    if (!due || closed || timer !== undefined || waiting.length === 0) return;
    const early = lastPush + PUSH_EVERY_MS - now();
    if (early > 0) {
      timer = setTimeout(() => {
        timer = undefined;
        deliver();
      }, early);
      return;
    }
    const [resolve, ...rest] = waiting;
    waiting = rest;
    lastPush = now();
    onPush?.();
    resolve?.({ done: false, value: take() });
  }

  function take(): BadgeChange {
    const ids = first
      ? [...person.rooms.keys()].filter((id) => (person.rooms.get(id)?.unreadCount ?? 0) > 0)
      : [...changed];
    const change: BadgeChange = {
      total: person.total,
      notifications: person.notifications,
      rooms: ids.flatMap(badgeRoom),
      removedRoomIds: [...removed],
    };
    first = false;
    due = false;
    changed.clear();
    removed.clear();
    return change;
  }

  function badgeRoom(id: string): BadgeRoom[] {
    const mine = person.rooms.get(id);
    const open = rooms.get(id);
    if (mine === undefined || open === undefined) return [];
    return [
      {
        room: { ...open.room, seats: open.seats },
        membership: mine.membership,
        unreadCount: mine.unreadCount,
        readPosition: mine.readPosition,
      },
    ];
  }

  function close(): void {
    if (closed) return;
    closed = true;
    clearTimeout(timer);
    person.watchers.delete(watcher);
    for (const resolve of waiting) resolve({ done: true, value: undefined });
    waiting = [];
    onClose();
  }

  function next(): Promise<IteratorResult<BadgeChange>> {
    if (closed) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve) => {
      waiting.push(resolve);
      deliver();
    });
  }

  return subscriptionEvents({ next, close });
}
