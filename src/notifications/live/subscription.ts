import type { Clock } from '../../core/clock.ts';
import { defined } from '../../core/defined.ts';
import { createSubscription, type Subscription } from '../../live/subscription.ts';
import type { Badge } from '../badge.ts';
import type { Notification } from '../notification.ts';
import type { NotificationNews } from '../topics.ts';
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

/** What a subscription reads. All reject if the database does not answer. */
export interface NotificationSource {
  /** The newest unread ones, newest first, and whether there are more. */
  unread(): Promise<UnreadNotifications>;
  /** The current ones; null for those that were removed. */
  look(ids: readonly string[]): Promise<ReadonlyArray<Notification | null>>;
  /** Differs if something unread has changed since. Far cheaper than `unread`. */
  version(): Promise<string>;
}

export interface NotificationSubscriptionOptions {
  readonly source: NotificationSource;
  /** Paces the events. */
  readonly clock: Clock;
  readonly everyMs?: number;
  /** Called for every event that is sent. */
  readonly onPush: () => void;
  /** Called when a reading has failed. It is tried again. */
  readonly onTrouble: (error: unknown) => void;
  readonly onClose: () => void;
}

export interface NotificationSubscription extends Subscription<NotificationChange> {
  receive(news: NotificationNews): void;
  /** Something may have been missed: everything that is shown is read again. */
  resync(): void;
  /** Reads the version; if it is not that of the last comparison, does a `resync`. */
  compare(): Promise<void>;
}

/** How many are read at a time. */
const PART = 25;
/** The index may name a notification a little later than it is stored: then the badge counts more than the list has. */
const LAG_MS = 1_000;
const LAG_READINGS = 5;

/**
 * The notifications of one reader:
 *
 *   the bus says which ── when it may be sent (`throttle.ts`) it is read ── sent, if it is news
 *
 * The first reading, and every one after something was missed, is of the newest unread ones, and of those that were
 * sent as unread and are not among them. A reader who does not drain holds what one reading has found, and some ids.
 * What is sent was read when it was asked for, so a stream record that arrives late, twice or after everything was
 * read brings back nothing old.
 */
export function createNotificationSubscription(
  options: NotificationSubscriptionOptions,
): NotificationSubscription {
  const { source, clock, everyMs, onPush, onTrouble, onClose } = options;
  const throttle = createThrottle(defined({ now: clock.now, everyMs }));
  let ready: NotificationChange[] = [];
  /** When the list is to be read, by the clock; undefined: it need not be read. */
  let listAt: number | undefined = Number.NEGATIVE_INFINITY;
  /** How often the list may still be read again because it lags. */
  let lagReadings = LAG_READINGS;
  let version: string | undefined;

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

  async function look(ids: readonly string[]): Promise<void> {
    const found = await source.look(ids);
    ids.forEach((id, i) => {
      prepare(id, found[i] ?? null);
    });
  }

  async function list(): Promise<void> {
    const { nodes, more, badge } = await source.unread();
    version = versionOf(badge, nodes[0]?.cursor);
    const listed = new Set(nodes.map(({ id }) => id));
    // Oldest first: a client that puts each event on top of the others has them in order.
    for (const one of [...nodes].reverse()) prepare(one.id, one);
    const others = throttle.unread.filter((id) => !listed.has(id));
    if (others.length > 0) await look(others);
    const counted = nodes.reduce((sum, { count }) => sum + count, 0);
    if (more || counted === badge.total || lagReadings === 0) return;
    lagReadings--;
    listAt ??= clock.now() + LAG_MS;
  }

  const listIsDue = () => throttle.overflowed || (listAt !== undefined && listAt <= clock.now());

  function work(): Promise<void> | undefined {
    if (listIsDue()) {
      listAt = undefined;
      // Before the reading: what arrives during it may be newer.
      throttle.restart();
      return list();
    }
    const ids = throttle.takeDue(PART);
    return ids.length === 0 ? undefined : look(ids);
  }

  const subscription = createSubscription<NotificationChange>(
    {
      take() {
        const change = ready.shift();
        if (change === undefined) return undefined;
        throttle.sent(change.removedId ?? change.notification.id);
        onPush();
        return change;
      },
      work,
      readyIn() {
        const { dueIn } = throttle;
        if (listAt === undefined) return dueIn;
        return Math.min(Math.max(0, listAt - clock.now()), dueIn ?? Number.POSITIVE_INFINITY);
      },
      retryAfter(error) {
        onTrouble(error);
        // What was to be read is not known any more.
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
    receive(news: NotificationNews) {
      throttle.markChanged(news.id, news.version);
      subscription.wake();
    },
    resync,
    async compare() {
      // The first reading is still to be done, or waits for its client.
      if (version === undefined) return;
      const now = await source.version();
      if (now === version) return;
      version = now;
      resync();
    },
  });
}

/** Of two states of a user's unread notifications that differ, the badge or the newest cursor in the list differs. */
export const versionOf = ({ version }: Pick<Badge, 'version'>, newest: string | undefined): string =>
  `${version} ${newest ?? ''}`;
