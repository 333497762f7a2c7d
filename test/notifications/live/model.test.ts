import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { resyncTopic } from '../../../src/bus/bus.ts';
import type { NotificationChange } from '../../../src/notifications/live/subscription.ts';
import { openTestDynamo, type TestDynamo } from '../../support/database/dynamo.ts';
import { budget } from '../../support/run/budget.ts';
import { eventually } from '../../support/time/eventually.ts';
import { createNotificationFixture, createTurnClock } from '../support/fixture.ts';

let db: TestDynamo;
beforeAll(async () => {
  db = await openTestDynamo();
});
afterAll(() => db.stop());

const EVERY_MS = 20;

/** A change, and how it is published. `again`: together with all earlier changes. */
const step = fc.record({
  change: fc.constantFrom('store', 'grow', 'grow', 'read', 'remove', 'readAll', 'open'),
  pick: fc.nat(1_000),
  published: fc.constantFrom('at once', 'at once', 'late', 'never', 'again'),
});

/** The clock of the server's throttle; clients use it to check the throttle. */
const pace = createTurnClock();

/** A client that applies every event. `shown`: the unread notifications. `early`: intervals below the throttle's. */
function client(events: AsyncIterableIterator<NotificationChange>) {
  const shown = new Map<string, number>();
  const times = new Map<string, number>();
  const early: number[] = [];
  const reading = (async () => {
    for await (const { notification, removedId } of events) {
      const id = removedId ?? notification.id;
      const since = pace() - (times.get(id) ?? Number.NEGATIVE_INFINITY);
      if (since < EVERY_MS) early.push(since);
      times.set(id, pace());
      if (notification?.readAt === null) shown.set(id, notification.count);
      else shown.delete(id);
    }
  })();
  return { shown, early, reading, events };
}

const { numRuns, timeout, start } = budget({ runs: 4, seconds: 2 });

test('notificationChanged model: after lost, late and repeated changes and a resync all clients are current', {
  timeout,
}, async () => {
  const isOver = start();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      if (isOver()) return;
      const fixture = await createNotificationFixture(db.dynamo, { everyMs: EVERY_MS, pace });
      const history: Array<[id: string, version: number]> = [];
      const late: Array<[id: string, version: number]> = [];
      const clients = [client(await fixture.subscribe())];
      for (const { change, pick, published } of steps) {
        const unread = [...fixture.stored.values()].filter(({ id }) => fixture.isUnread(id));
        const one = unread[pick % Math.max(1, unread.length)];
        let changed: [string, number] | undefined;
        if (change === 'open') clients.push(client(await fixture.subscribe()));
        else if (change === 'readAll') await fixture.readAll();
        else if (change === 'store' || one === undefined) changed = [(await fixture.store()).id, 1];
        else if (change === 'remove') changed = [one.id, await fixture.remove(one.id)];
        else changed = [one.id, (await fixture[change](one.id)).version];
        if (changed === undefined) continue;
        history.push(changed);
        if (published === 'at once') await fixture.publish(...changed);
        if (published === 'late') late.push(changed);
        if (published === 'again') for (const each of history) await fixture.publish(...each);
      }
      for (const each of late.reverse()) await fixture.publish(...each);
      // As the job does after markAllRead.
      await fixture.settle();
      await fixture.bus.publish(resyncTopic, { reason: 'a test' });
      const unread = new Map(
        [...fixture.stored.values()].flatMap(({ id, count }) =>
          fixture.isUnread(id) ? [[id, count] as const] : [],
        ),
      );
      for (const { shown, early, reading, events } of clients) {
        await eventually(() => expect(shown).toEqual(unread), 5);
        expect(early).toEqual([]);
        await events.return?.();
        await reading;
      }
      await fixture.stop();
    }),
    { numRuns },
  );
});
