import type { Clock } from '../../core/clock.ts';
import { defined } from '../../core/defined.ts';
import { BoundedMap } from '../../live/boundedMap.ts';
import { createSubscription, type Subscription } from '../../live/subscription.ts';
import type { Badge } from '../../unread/badge/badge.ts';
import type { Notification, NotificationUpdate } from '../notification.ts';
import { createThrottle, GONE } from './throttle.ts';

/** One event: the current notification, or the id of one that was removed. */
export type NotificationChange =
  | { readonly notification: Notification; readonly removedId: null }
  | { readonly notification: null; readonly removedId: string };

export interface UnreadNotifications {
  readonly nodes: readonly (Notification & { readonly cursor: string })[];
  readonly more: boolean;
  readonly badge: Badge;
}

/** What a subscription reads. All methods reject if the database is down. */
export interface NotificationSource {
  /** The newest unread notifications, newest first, and whether there are more. */
  unread(): Promise<UnreadNotifications>;
  /** The current notifications. Null for those that were removed. */
  getMany(ids: readonly string[]): Promise<ReadonlyArray<Notification | null>>;
  /** Changes with every change of an unread notification. Far cheaper than `unread`. */
  version(): Promise<string>;
}

export interface NotificationSubscriptionOptions {
  readonly source: NotificationSource;
  /** Paces the events. */
  readonly clock: Clock;
  readonly everyMs?: number;
  /** Called for every event that is sent. */
  readonly onPush: () => void;
  /** Called when a read has failed. It is repeated. */
  readonly onTrouble: (error: unknown) => void;
  readonly onClose: () => void;
}

export interface NotificationSubscription extends Subscription<NotificationChange> {
  receive(update: NotificationUpdate): void;
  /**
   * The user has entered or left a room, and may see more or less of its notifications than what was sent: sends those
   * again that are unread. `version`: of the membership, or higher than all it had. A lower one than before is old.
   */
  roomChanged(room: string, version: number): void;
  /** Updates may have been missed: reads again everything that is shown. */
  resync(): void;
  /** Reads the version. If it has changed since the last comparison, does a `resync`. */
  compare(): Promise<void>;
}

const NONE: ReadonlySet<string> = new Set();

/** How many are read at a time. */
const PART = 25;
/** The index may list a notification a little later than it is stored. Then the badge counts more than the list has. */
const LAG_MS = 1_000;
const LAG_READINGS = 5;
/** How many rooms have the version of the membership remembered, so that repeated events send nothing. */
const ROOMS_MAX = 1_000;

/**
 * The notifications of one subscriber:
 *
 *   the bus names one ── when it may be sent (`throttle.ts`), it is read ── sent, if it has changed
 *
 * At the start and after a gap it reads the newest unread notifications, plus those that it last sent as unread. A slow
 * client costs at most one page of notifications and 256 ids. It sends what it has just read, so a late or repeated
 * update cannot bring back an old state.
 */
export function createNotificationSubscription(
  options: NotificationSubscriptionOptions,
): NotificationSubscription {
  const { source, clock, everyMs, onPush, onTrouble, onClose } = options;
  const throttle = createThrottle(defined({ now: clock.now, everyMs }));
  let ready: NotificationChange[] = [];
  /** When the list has to be read, by the clock. Undefined if it need not be read. */
  let listAt: number | undefined = Number.NEGATIVE_INFINITY;
  /** How often the list may still be read again because the index lags. */
  let lagReadings = LAG_READINGS;
  let version: string | undefined;
  /** Undefined before the first. */
  let rooms: BoundedMap<string, number> | undefined;
  /** Rooms that the user has entered or left since the last list. */
  let changedRooms = new Set<string>();
  /** Whether the user has entered or left a room since the last value was taken. */
  let isRoomChanged = false;

  function prepare(id: string, found: Notification | null): void {
    const now = found?.version ?? GONE;
    if (!throttle.canSend(id)) {
      throttle.markChanged(id, now);
      return;
    }
    if (!throttle.beginSend(id, { version: now, unread: found !== null && found.readAt === null })) return;
    ready.push(
      found === null ? { notification: null, removedId: id } : { notification: found, removedId: null },
    );
  }

  async function readMany(ids: readonly string[], again: ReadonlySet<string> = NONE): Promise<void> {
    const found = await source.getMany(ids);
    ids.forEach((id, i) => {
      const one = found[i] ?? null;
      if (one !== null && again.has(one.room)) throttle.sendAgain(id);
      prepare(id, one);
    });
  }

  async function list(): Promise<void> {
    const again = changedRooms;
    changedRooms = new Set();
    try {
      await listWith(again);
    } catch (error) {
      for (const room of again) changedRooms.add(room);
      throw error;
    }
  }

  async function listWith(again: ReadonlySet<string>): Promise<void> {
    const { nodes, more, badge } = await source.unread();
    version = versionOf(badge, nodes[0]?.cursor);
    const listed = new Set(nodes.map(({ id }) => id));
    // Oldest first, so that a client that puts each event on top of the others has them in order.
    for (const one of [...nodes].reverse()) {
      if (again.has(one.room)) throttle.sendAgain(one.id);
      prepare(one.id, one);
    }
    const others = throttle.unread.filter((id) => !listed.has(id));
    if (others.length > 0) await readMany(others, again);
    const counted = nodes.reduce((sum, { count }) => sum + count, 0);
    if (more || counted === badge.total || lagReadings === 0) return;
    lagReadings--;
    listAt ??= clock.now() + LAG_MS;
  }

  const listIsDue = () => throttle.overflowed || (listAt !== undefined && listAt <= clock.now());

  function work(): Promise<void> | undefined {
    if (listIsDue()) {
      listAt = undefined;
      // Before the read: an update that arrives during it may be newer.
      throttle.restart();
      return list();
    }
    const ids = throttle.takeDue(PART);
    return ids.length === 0 ? undefined : readMany(ids);
  }

  const subscription = createSubscription<NotificationChange>(
    {
      take() {
        const change = ready.shift();
        if (change === undefined) return undefined;
        throttle.sent(change.removedId ?? change.notification.id);
        isRoomChanged = false;
        onPush();
        return change;
      },
      mayStillSend(change) {
        if (!isRoomChanged) return true;
        // Its result may have something of that room, also in the badge: it is made again.
        ready.unshift(change);
        return false;
      },
      work,
      readyIn() {
        const { dueIn } = throttle;
        if (listAt === undefined) return dueIn;
        return Math.min(Math.max(0, listAt - clock.now()), dueIn ?? Number.POSITIVE_INFINITY);
      },
      retryAfter(error) {
        onTrouble(error);
        // The ids that were to be read are lost, so the list is read.
        listAt = Number.NEGATIVE_INFINITY;
        return true;
      },
      close() {
        ready = [];
        onClose();
      },
    },
    { clock },
  );

  function resync(): void {
    lagReadings = LAG_READINGS;
    listAt = Number.NEGATIVE_INFINITY;
    subscription.wake();
  }

  return Object.assign(subscription, {
    receive({ id, version: changed }: NotificationUpdate) {
      throttle.markChanged(id, changed);
      subscription.wake();
    },
    roomChanged(room: string, membership: number) {
      rooms ??= new BoundedMap(ROOMS_MAX);
      if (membership <= (rooms.get(room) ?? 0)) return;
      rooms.set(room, membership);
      changedRooms.add(room);
      isRoomChanged = true;
      resync();
    },
    resync,
    async compare() {
      // The list has not been read yet, or waits for the client.
      if (version === undefined) return;
      const now = await source.version();
      if (now === version) return;
      version = now;
      resync();
    },
  });
}

/** If a user's unread notifications change, the badge's version or the newest cursor in the list changes. */
export const versionOf = ({ version }: Pick<Badge, 'version'>, newest: string | undefined): string =>
  `${version} ${newest ?? ''}`;
