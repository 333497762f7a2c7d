import { createMemoryBus } from '../../../src/bus/memory.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { defined } from '../../../src/core/defined.ts';
import { newId } from '../../../src/core/ids.ts';
import { type Timestamp, toTimestamp } from '../../../src/core/timestamps.ts';
import type { Dynamo } from '../../../src/dynamo/dynamo.ts';
import { createConsistentLoader } from '../../../src/dynamo/itemLoader.ts';
import { keys } from '../../../src/dynamo/keys.ts';
import { createResync } from '../../../src/live/resync.ts';
import { createNotificationStreams } from '../../../src/notifications/live/notificationStreams.ts';
import type { NotificationChange } from '../../../src/notifications/live/subscription.ts';
import {
  type Notification,
  notificationItem,
  notificationsTopic,
} from '../../../src/notifications/notification.ts';
import { createNotifications } from '../../../src/notifications/read/list.ts';
import type { Badge } from '../../../src/unread/badge/badge.ts';
import { silent } from '../../stream/support/stream.ts';
import { inTime, PATIENCE_MS } from '../../support/time/eventually.ts';

export const RETENTION = 30 * 24 * 3_600;

export interface FixtureOptions {
  readonly everyMs?: number;
  /** The clock of the throttle, in milliseconds. */
  readonly pace?: () => number;
  /** Wraps the client that reads the table. */
  readonly through?: (dynamo: Dynamo) => Dynamo;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** One user's notifications, written directly to the table, and a server that sends them. */
export async function createNotificationFixture(dynamo: Dynamo, options: FixtureOptions = {}) {
  const { everyMs, pace, through = (same) => same, now = Date.now } = options;
  const user = newId();
  const bus = createMemoryBus({ log: silent });
  const readFrom = through(dynamo);
  const notifications = createNotifications({ dynamo: readFrom, retention: RETENTION, now });
  const live = createNotificationStreams({
    dynamo: readFrom,
    items: createConsistentLoader(readFrom),
    notifications,
    bus,
    log: silent,
    clock: { ...systemClock, ...defined({ now: pace }) },
    ...defined({ everyMs }),
  });
  const resync = createResync({ bus, log: silent });
  resync.add(live);
  await resync.start();
  const stored = new Map<string, Notification>();
  let badge: Pick<Badge, 'total' | 'epoch' | 'version'> & { readAllAt?: Timestamp } = {
    total: 0,
    epoch: 0,
    version: 0,
  };
  let micros = Date.now() * 1_000;

  const badgeItem = () => {
    const { version: rev, ...stored } = badge;
    return { ...keys.badge(user), v: 1, ...stored, rev };
  };

  /** Like the product, changes the badge only if the count changes. */
  async function write(next: Notification): Promise<Notification> {
    const counted = (one: Notification | undefined) =>
      one === undefined || one.readAt !== null || one.epoch !== badge.epoch ? 0 : one.count;
    const change = counted(next) - counted(stored.get(next.id));
    if (change !== 0) badge = { ...badge, total: badge.total + change, version: badge.version + 1 };
    stored.set(next.id, next);
    await dynamo.transact([{ put: notificationItem(next) }, { put: badgeItem() }]);
    return next;
  }

  const known = (id: string): Notification => {
    const one = stored.get(id);
    if (one === undefined) throw new Error(`There is no ${id}.`);
    return one;
  };

  const publish = (id: string, version: number) => bus.publish(notificationsTopic(user), { id, version });

  return {
    user,
    bus,
    live,
    resync,
    notifications,
    stored,
    publish,

    /** Stores a new unread notification without publishing it. */
    async store(count = 1, room = 'r'): Promise<Notification> {
      const at = toTimestamp(++micros);
      return write({
        user,
        id: newId(),
        kind: 'LIKE',
        room,
        threadTs: at,
        ts: at,
        count,
        epoch: badge.epoch,
        actors: [{ user: 'a', at }],
        updatedAt: at,
        variants: [],
        latest: null,
        version: 1,
        readAt: null,
        expiresAt: null,
      });
    },

    /** Adds one actor without publishing it. */
    async grow(id: string): Promise<Notification> {
      const { count, version, ...one } = known(id);
      return write({ ...one, count: count + 1, version: version + 1, updatedAt: toTimestamp(++micros) });
    },

    /** Makes it newer with the same count, as after a second reply by the same actor, without publishing it. */
    async moveUp(id: string): Promise<Notification> {
      const { version, ...one } = known(id);
      return write({ ...one, version: version + 1, updatedAt: toTimestamp(++micros) });
    },

    async read(id: string): Promise<Notification> {
      const one = known(id);
      const readAt = toTimestamp(++micros);
      const expiresAt = Math.floor(micros / 1_000_000) + RETENTION;
      return write({ ...one, readAt, expiresAt, version: one.version + 1 });
    },

    /** Deletes it. Resolves to the version to publish. */
    async remove(id: string): Promise<number> {
      const { version, count, readAt } = known(id);
      badge = { ...badge, total: badge.total - (readAt === null ? count : 0), version: badge.version + 1 };
      stored.delete(id);
      await dynamo.transact([{ delete: keys.notification(user, id) }, { put: badgeItem() }]);
      return version + 1;
    },

    /** Marks all as read by the badge's epoch. The items are not updated yet. */
    async readAll(): Promise<void> {
      badge = {
        total: 0,
        epoch: badge.epoch + 1,
        version: badge.version + 1,
        readAllAt: toTimestamp(++micros),
      };
      await dynamo.put(badgeItem());
    },

    isUnread(id: string): boolean {
      const one = stored.get(id);
      return one !== undefined && one.readAt === null && one.epoch === badge.epoch;
    },

    /** Updates the items that `readAll` left. */
    async settle(): Promise<void> {
      for (const { id, epoch, readAt } of [...stored.values()]) {
        if (readAt === null && epoch < badge.epoch) await this.read(id);
      }
    },

    subscribe: () => live.subscribe(user),

    async stop(): Promise<void> {
      resync.stop();
      live.stop();
      await bus.close();
    },
  };
}

export type NotificationFixture = Awaited<ReturnType<typeof createNotificationFixture>>;

/** A clock that advances only between turns of the event loop, so that everything in one turn has the same time. */
export function createTurnClock(): () => number {
  let turn: number | undefined;
  return () => {
    if (turn === undefined) {
      turn = performance.now();
      setImmediate(() => {
        turn = undefined;
      });
    }
    return turn;
  };
}

/** The next event. Rejects if none arrives in time. */
export async function nextChange(events: AsyncIterator<NotificationChange>): Promise<NotificationChange> {
  const result = await inTime(events.next(), () => `No event arrived in ${PATIENCE_MS} ms.`);
  if (result.done === true) throw new Error('The subscription is complete.');
  return result.value;
}

/** `id×count`, `id read` or `id gone`. */
export const summaryOf = ({ notification, removedId }: NotificationChange): string =>
  notification === null
    ? `${removedId} gone`
    : notification.readAt === null
      ? `${notification.id}×${notification.count}`
      : `${notification.id} read`;
