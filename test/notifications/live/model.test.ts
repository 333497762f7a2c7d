import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { resyncTopic } from '../../../src/bus/bus.ts';
import type { NotificationChange } from '../../../src/notifications/live/subscription.ts';
import { budget } from '../../support/budget.ts';
import { openTestDynamo, type TestDynamo } from '../../support/dynamo.ts';
import { eventually } from '../../support/eventually.ts';
import { createNotificationFixture, createTurnClock } from '../support/fixture.ts';

let db: TestDynamo;
beforeAll(async () => {
  db = await openTestDynamo();
});
afterAll(() => db.stop());

const EVERY_MS = 20;

/** What happens, and how it is announced: not at all, late, or together with everything before. */
const step = fc.record({
  act: fc.constantFrom('store', 'grow', 'grow', 'read', 'remove', 'readAll', 'open'),
  pick: fc.nat(1_000),
  told: fc.constantFrom('at once', 'at once', 'late', 'never', 'again'),
});

/** The clock of the server's throttle; clients use it to check the throttle. */
const pace = createTurnClock();

/** Applies every event like a client, and has what it shows as unread. */
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

test('notificationChanged model: whatever is lost, late or repeated, after a resync every client shows what is unread', {
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
      for (const { act, pick, told } of steps) {
        const unread = [...fixture.stored.values()].filter(({ id }) => fixture.isUnread(id));
        const one = unread[pick % Math.max(1, unread.length)];
        let news: [string, number] | undefined;
        if (act === 'open') clients.push(client(await fixture.subscribe()));
        else if (act === 'readAll') await fixture.readAll();
        else if (act === 'store' || one === undefined) news = [(await fixture.store()).id, 1];
        else if (act === 'remove') news = [one.id, await fixture.remove(one.id)];
        else news = [one.id, (await fixture[act](one.id)).version];
        if (news === undefined) continue;
        history.push(news);
        if (told === 'at once') await fixture.publish(...news);
        if (told === 'late') late.push(news);
        if (told === 'again') for (const each of history) await fixture.publish(...each);
      }
      for (const each of late.reverse()) await fixture.publish(...each);
      // Like the job that runs after all were read.
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
