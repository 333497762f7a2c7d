import { subscriptionEvents } from '../../live/subscriptionEvents.ts';
import type { Badge } from '../badge.ts';
import type { Notification } from '../notification.ts';
import type { NotificationNews } from '../topics.ts';
import { createPacing, GONE, type PacingOptions } from './throttle.ts';

/** One event: a notification as it is, or the id of one that is no more. */
export type NotificationChange =
  | { readonly notification: Notification; readonly removedId: null }
  | { readonly notification: null; readonly removedId: string };

/** What a subscription reads. Both reject where the database does not answer. */
export interface NotificationSource {
  /** The newest unread ones, newest first, and whether there are more. */
  unread(): Promise<{
    readonly nodes: readonly Notification[];
    readonly more: boolean;
    readonly badge: Badge;
  }>;
  /** These as they are now; null for what is gone. */
  look(ids: readonly string[]): Promise<ReadonlyArray<Notification | null>>;
}

export interface NotificationSubscriptionOptions extends PacingOptions {
  readonly source: NotificationSource;
  /** Told of every event that is sent. */
  readonly onPush: () => void;
  /** Told of a reading that failed; it is tried again. */
  readonly onTrouble: (error: unknown) => void;
  readonly onClose: () => void;
}

export interface NotificationSubscription {
  take(news: NotificationNews): void;
  /** Something may have been missed: everything that is shown is looked at again. */
  readAgain(): void;
  readonly events: AsyncIterableIterator<NotificationChange>;
  close(): void;
}

/** How many are looked at in one reading. */
const PART = 25;
const RETRY_MS = 1_000;
/** The index may name one a little later than it is there: then the badge counts more than the list has. */
const LAG_MS = 1_000;
const LAG_READINGS = 5;

/**
 * One reader's notifications, as each becomes:
 *
 *   the bus says which ── when it may be told (`pacing.ts`) it is read ── told, where it is news
 *
 * The first reading, and every one after something was missed, is of the newest unread ones, and of those that
 * were told to be unread and are not among them. Pulled by the socket: a reader who does not drain holds what
 * one reading has found, and some ids. What is told was read when it was asked for, so a record of the stream
 * that comes late, twice or after all was read brings back nothing old.
 */
export function createNotificationSubscription(
  options: NotificationSubscriptionOptions,
): NotificationSubscription {
  const { source, onPush, onTrouble, onClose } = options;
  const pacing = createPacing(options);
  let ready: NotificationChange[] = [];
  let listDue = true;
  /** Readings left in which the list may be waited for to have what the badge counts. */
  let patience = LAG_READINGS;
  let listAgain: NodeJS.Timeout | undefined;
  let closed = false;
  /** Ends the waiting for something to tell. */
  let wake = () => {};
  /** Ends the rest after a failure, which news does not. */
  let getUp = () => {};

  function tell(id: string, found: Notification | null): void {
    const rev = found?.rev ?? GONE;
    if (!pacing.mayTell(id)) {
      pacing.note(id, rev);
      return;
    }
    if (!pacing.take(id, { rev, unread: found !== null && found.readAt === null })) return;
    ready.push(
      found === null ? { notification: null, removedId: id } : { notification: found, removedId: null },
    );
  }

  async function look(ids: readonly string[]): Promise<void> {
    const found = await source.look(ids);
    ids.forEach((id, i) => {
      tell(id, found[i] ?? null);
    });
  }

  async function list(): Promise<void> {
    const { nodes, more, badge } = await source.unread();
    const listed = new Set(nodes.map(({ id }) => id));
    // Oldest first: whoever puts each event on top of the others has them in order.
    for (const one of [...nodes].reverse()) tell(one.id, one);
    const others = pacing.unread.filter((id) => !listed.has(id));
    if (others.length > 0) await look(others);
    const counted = nodes.reduce((sum, { count }) => sum + count, 0);
    if (more || counted === badge.total || patience === 0) return;
    patience--;
    clearTimeout(listAgain);
    listAgain = setTimeout(listSoon, LAG_MS);
  }

  function listSoon(): void {
    listDue = true;
    wake();
  }

  async function work(): Promise<void> {
    if (listDue || pacing.overflown) {
      listDue = false;
      // Before the reading: what arrives during it may be newer.
      pacing.restart();
      try {
        return await list();
      } catch (error) {
        listDue = true;
        throw error;
      }
    }
    const ids = pacing.due(PART);
    if (ids.length === 0) return something(pacing.dueIn);
    try {
      await look(ids);
    } catch (error) {
      // What was to be looked at is not known any more.
      listDue = true;
      throw error;
    }
  }

  /** Waits until something arrives, or so many milliseconds. */
  const something = (ms: number | undefined) =>
    new Promise<void>((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const rest = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, RETRY_MS);
      getUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  async function next(): Promise<IteratorResult<NotificationChange>> {
    while (!closed) {
      const value = ready.shift();
      if (value !== undefined) {
        pacing.sent(value.removedId ?? value.notification.id);
        onPush();
        return { done: false, value };
      }
      try {
        await work();
      } catch (error) {
        onTrouble(error);
        if (!closed) await rest();
      }
    }
    return { done: true, value: undefined };
  }

  function readAgain(): void {
    patience = LAG_READINGS;
    listSoon();
  }

  function close(): void {
    if (closed) return;
    closed = true;
    ready = [];
    clearTimeout(listAgain);
    onClose();
    wake();
    getUp();
  }

  return {
    take({ id, rev }) {
      pacing.note(id, rev);
      wake();
    },
    readAgain,
    events: subscriptionEvents({ next, close }),
    close,
  };
}
