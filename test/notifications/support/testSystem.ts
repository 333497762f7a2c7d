import { createDerivations, type Derivations } from '../../../src/app/features.ts';
import { createMemoryBus } from '../../../src/bus/memory.ts';
import { createPublisher } from '../../../src/bus/publisher.ts';
import { defined } from '../../../src/core/defined.ts';
import { newId } from '../../../src/core/ids.ts';
import { createTimestamps } from '../../../src/core/timestamps.ts';
import { createDynamo, type Dynamo } from '../../../src/dynamo/dynamo.ts';
import { keys, ranges } from '../../../src/dynamo/keys.ts';
import type { Cost } from '../../../src/dynamo/metering.ts';
import type { Message, MessageKey } from '../../../src/messages/message.ts';
import { applyReadAll, type Notification, notificationOf } from '../../../src/notifications/notification.ts';
import {
  createNotificationReading,
  type NotificationReading,
} from '../../../src/notifications/read/markRead.ts';
import type { StreamHandler } from '../../../src/stream/change.ts';
import { createDispatcher, type Dispatcher } from '../../../src/stream/dispatcher.ts';
import { badgeOf } from '../../../src/unread/badge/badge.ts';
import { silent } from '../../stream/support/stream.ts';
import { openTestDynamo, testTimeouts } from '../../support/database/dynamo.ts';
import { itemsIn } from '../../support/database/table.ts';
import { startTestApp } from '../../support/servers/app.ts';
import { followStream } from '../../support/stream/stream.ts';
import { hastyClock } from '../../support/time/clock.ts';
import { handleTimers } from '../../timers/support/timers.ts';

const RETENTION = 30 * 24 * 3600;

/** A user with a profile. */
export interface TestUser {
  readonly id: string;
  readonly handle: string;
}

export interface TestSystemOptions {
  /** Wraps the dispatcher of the stream's changes. */
  readonly wrapDispatcher?: (dispatcher: Dispatcher) => Dispatcher;
  readonly onCost?: (cost: Cost) => void;
}

/**
 * The product without its stream consumer: the test decides when the stream's changes are passed to the handlers, and
 * how often. Everything is done through the services, on a real database.
 */
export async function openTestSystem({ wrapDispatcher = (same) => same, onCost }: TestSystemOptions = {}) {
  const database = await openTestDynamo({ file: true });
  const app = await startTestApp({ database, role: 'api' });
  const { services, dynamo } = app;
  const bus = createMemoryBus({ log: silent });
  const publisher = createPublisher({ bus, log: silent });
  const clock = { ms: Date.now() };
  const now = () => {
    clock.ms = Math.max(clock.ms, Date.now());
    return clock.ms;
  };
  const derived = createDynamo({
    transport: database.transport,
    table: database.table,
    timeouts: testTimeouts,
    ...defined({ onCost }),
  });
  const derivationsOf = (on: Dynamo): Derivations =>
    createDerivations({ dynamo: on, publisher, retention: RETENTION, now });
  const failed: Error[] = [];
  const dispatcherOf = (handlers: readonly StreamHandler[]): Dispatcher =>
    createDispatcher({
      handlers,
      clock: hastyClock,
      log: silent,
      deadLetter: async (change, handler, error) => {
        failed.push(new Error(`${handler} cannot handle ${change.sequence}`, { cause: error }));
      },
    });
  const reading: NotificationReading = createNotificationReading({
    dynamo,
    timestamps: createTimestamps(now),
    retention: RETENTION,
    now,
  });
  const { handlers, timerKinds } = derivationsOf(derived);
  const dispatcher = wrapDispatcher(dispatcherOf(handlers));
  const readStream = await followStream(database);

  async function createUser(): Promise<TestUser> {
    const handle = `u_${newId().slice(0, 10)}`;
    const id = await services.users.ensure({ sub: handle, handle, name: handle });
    return { id, handle };
  }

  return {
    dynamo,
    database,
    services,
    reading,
    createUser,
    readStream,
    dispatcher,
    derivationsOf,
    dispatcherOf,

    /** Creates a public room with these members, the first of them its owner. Resolves to its id. */
    async room(owner: TestUser, ...members: readonly TestUser[]): Promise<string> {
      const room = { name: 'Room', topic: null, visibility: 'PUBLIC', capacity: null } as const;
      const { id } = await services.rooms.create(owner.id, room);
      for (const member of members) await services.rooms.join(member.id, id);
      return id;
    },

    say: (author: TestUser, room: string, body = 'Hello.'): Promise<Message> =>
      services.messages.send({ author: author.id, room, body }),

    reply: (author: TestUser, to: MessageKey, body = 'Well.'): Promise<Message> =>
      services.messages.send({ author: author.id, room: to.room, body, replyTo: to }),

    /** Processes the stream until it has no more records, and the timers that are set meanwhile. */
    async consume(): Promise<void> {
      for (let changes = await readStream(); changes.length > 0; changes = await readStream()) {
        await dispatcher.dispatch(changes);
        await handleTimers(changes, { dynamo, kinds: timerKinds });
      }
      if (failed.length > 0) throw new AggregateError(failed.splice(0), 'Some changes could not be handled.');
    },

    /** A user's notifications as the user sees them, newest first. */
    async notifications({ id }: TestUser): Promise<Notification[]> {
      const badge = badgeOf(await dynamo.get(keys.badge(id)));
      const items = await itemsIn(dynamo, ranges.notifications(id));
      return items
        .map((item) => applyReadAll(notificationOf(id, String(item.sk).slice(5), item), badge, RETENTION))
        .sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
    },

    badge: async ({ id }: TestUser): Promise<number> => badgeOf(await dynamo.get(keys.badge(id))).total,

    /** Advances the clock. The real time advances as well. */
    pass(days: number): void {
      clock.ms += days * 24 * 3600 * 1_000;
    },

    async stop(): Promise<void> {
      await publisher.stop();
      await bus.close();
      await app.stop();
      await database.stop();
    },
  };
}

export type TestSystem = Awaited<ReturnType<typeof openTestSystem>>;

/** One line per notification: `LIKE 2 by aki, ben` or `(LIKE 2 by aki, ben)` if it was read. */
export function summariesOf(
  notifications: readonly Notification[],
  people: Readonly<Record<string, TestUser>>,
) {
  const names = new Map(Object.entries(people).map(([name, { id }]) => [id, name]));
  return notifications.map(({ kind, count, actors, readAt }) => {
    const text = `${kind} ${count} by ${actors.map(({ user }) => names.get(user) ?? '?').join(', ')}`;
    return readAt === null ? text : `(${text})`;
  });
}
