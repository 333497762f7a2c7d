import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Dynamo } from '../../src/dynamo/dynamo.ts';
import { createItemLoader } from '../../src/dynamo/itemLoader.ts';
import type { Notifications, NotificationsPage } from '../../src/notifications/read/list.ts';
import { openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';
import { budget } from '../support/run/budget.ts';
import { createNotificationFixture, type NotificationFixture, RETENTION } from './support/fixture.ts';

let db: TestDynamo;
beforeAll(async () => {
  db = await openTestDynamo();
});
afterAll(() => db.stop());

const fixtureWith = (options = {}) => createNotificationFixture(db.dynamo, options);

function page(fixture: NotificationFixture, wanted: Partial<NotificationsPage> = {}) {
  const notifications: Notifications = fixture.notifications;
  const all = { limit: 100, from: undefined, unreadOnly: false, ...wanted };
  return notifications.list(fixture.user, all, createItemLoader(db.dynamo));
}

/** The whole list, page by page. */
async function pages(fixture: NotificationFixture, limit: number, unreadOnly = false): Promise<string[]> {
  const ids: string[] = [];
  let from: string | undefined;
  for (let more = true; more; ) {
    const read = await page(fixture, { limit, from, unreadOnly });
    expect(read.nodes.length).toBeLessThanOrEqual(limit);
    ids.push(...read.nodes.map(({ id }) => id));
    ({ more, end: from } = read);
  }
  return ids;
}

const { numRuns, timeout, start } = budget({ runs: 3, seconds: 2 });

test('notifications.list: returns each notification once, newest first, in pages of any size', {
  timeout,
}, async () => {
  const isOver = start();
  const steps = fc.array(fc.constantFrom('store', 'grow', 'read'), { minLength: 1, maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(
      steps,
      fc.integer({ min: 1, max: 7 }),
      fc.integer({ min: 0, max: 1_000 }),
      async (list, limit, pick) => {
        if (isOver()) return;
        const fixture = await fixtureWith();
        for (const [i, step] of list.entries()) {
          const unread = [...fixture.stored.values()].filter(({ readAt }) => readAt === null);
          const one = unread[(pick + i) % Math.max(1, unread.length)];
          if (step === 'store' || one === undefined) await fixture.store();
          else if (step === 'grow') await fixture.grow(one.id);
          else await fixture.read(one.id);
        }
        const newestFirst = [...fixture.stored.values()].sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
        const ids = (of: typeof newestFirst) => of.map(({ id }) => id);
        expect(await pages(fixture, limit)).toEqual(ids(newestFirst));
        expect(await pages(fixture, limit, true)).toEqual(
          ids(newestFirst.filter(({ readAt }) => readAt === null)),
        );
        await fixture.stop();
      },
    ),
    { numRuns },
  );
});

test('notifications.list: after markAllRead all are read, even if their items are not updated yet', async () => {
  const fixture = await fixtureWith();
  const before = await fixture.store(2);
  await fixture.readAll();
  const after = await fixture.store();
  const { nodes, badge } = await page(fixture);
  expect(nodes.map(({ id, readAt }) => [id, readAt === null])).toEqual([
    [after.id, true],
    [before.id, false],
  ]);
  expect(badge.total).toBe(1);
  expect((await page(fixture, { unreadOnly: true })).nodes.map(({ id }) => id)).toEqual([after.id]);
  await fixture.stop();
});

describe('notifications.list: an expired notification', () => {
  /** The reader's clock. The database's does not follow, so DynamoDB Local does not delete what has expired. */
  function movable() {
    let ahead = 0;
    return {
      now: () => Date.now() + ahead,
      /** Seconds ahead of the database's clock. */
      moveTo(seconds: number) {
        ahead = seconds * 1_000;
      },
    };
  }

  test('is left out at once, also if it was read by markAllRead', async () => {
    const { now, moveTo } = movable();
    const fixture = await fixtureWith({ now });
    const unread = await fixture.store();
    const read = await fixture.store();
    await fixture.read(read.id);
    expect((await page(fixture)).nodes).toHaveLength(2);
    moveTo(RETENTION - 60);
    expect((await page(fixture)).nodes).toHaveLength(2);
    moveTo(RETENTION + 60);
    expect((await page(fixture)).nodes.map(({ id }) => id)).toEqual([unread.id]);
    await fixture.readAll();
    expect((await page(fixture)).nodes).toEqual([]);
    await fixture.stop();
  });

  test('is skipped, and the page has the next one that has not expired', async () => {
    const { now, moveTo } = movable();
    const fixture = await fixtureWith({ now });
    const oldest = await fixture.store();
    for (let i = 0; i < 7; i++) await fixture.read((await fixture.store()).id);
    moveTo(RETENTION + 60);
    const { nodes, more } = await page(fixture, { limit: 2 });
    expect([nodes.map(({ id }) => id), more]).toEqual([[oldest.id], false]);
    await fixture.stop();
  });

  test('is skipped until 12 queries, after which the page ends with a cursor', async () => {
    let queries = 0;
    const through = (dynamo: Dynamo): Dynamo => ({
      ...dynamo,
      queryIndex(...args) {
        queries++;
        return dynamo.queryIndex(...args);
      },
    });
    const { now, moveTo } = movable();
    const fixture = await fixtureWith({ through, now });
    await fixture.store();
    for (let i = 0; i < 10; i++) await fixture.read((await fixture.store()).id);
    moveTo(RETENTION + 60);
    const { nodes, more, end } = await page(fixture, { limit: 1 });
    expect([nodes, more, typeof end]).toEqual([[], true, 'string']);
    expect(queries).toBe(12);
    expect(await pages(fixture, 1)).toHaveLength(1);
    await fixture.stop();
  });
});

describe('notifications.list: an index that lags', () => {
  /** Returns the index's earlier answers after `freeze`. */
  function frozen() {
    const answers = new Map<string, Awaited<ReturnType<Dynamo['queryIndex']>>>();
    let on = false;
    const through = (dynamo: Dynamo): Dynamo => ({
      ...dynamo,
      async queryIndex(pk, ...rest) {
        const answer = (on ? answers.get(pk) : undefined) ?? (await dynamo.queryIndex(pk, ...rest));
        if (!on) answers.set(pk, answer);
        return answer;
      },
    });
    return {
      through,
      freeze() {
        on = true;
      },
    };
  }

  test('never shows a read notification as unread, nor a deleted one', async () => {
    const { through, freeze } = frozen();
    const fixture = await fixtureWith({ through });
    const [isRead, removed, grows] = [await fixture.store(), await fixture.store(), await fixture.store()];
    await page(fixture);
    freeze();
    await fixture.read(isRead.id);
    await fixture.remove(removed.id);
    await fixture.grow(grows.id);
    const { nodes } = await page(fixture);
    expect(nodes.map(({ id, count, readAt }) => [id, count, readAt === null])).toEqual([
      [grows.id, 2, true],
      [isRead.id, 1, false],
    ]);
    expect((await page(fixture, { unreadOnly: true })).nodes.map(({ id }) => id)).toEqual([grows.id]);
    await fixture.stop();
  });

  test('shows a notification once if the index has it as unread and as read', async () => {
    const { through, freeze } = frozen();
    const fixture = await fixtureWith({ through });
    const one = await fixture.store();
    await page(fixture, { unreadOnly: true });
    freeze();
    await fixture.read(one.id);
    expect((await page(fixture)).nodes.map(({ id }) => id)).toEqual([one.id]);
    await fixture.stop();
  });
});

test("notifications.getMany: returns null for another user's notification", async () => {
  const [own, other] = [await fixtureWith(), await fixtureWith()];
  const one = await own.store();
  const items = createItemLoader(db.dynamo);
  expect((await own.notifications.getMany(own.user, [one.id], items)).notifications).toMatchObject([one]);
  expect((await other.notifications.getMany(other.user, [one.id], items)).notifications).toEqual([null]);
  await Promise.all([own.stop(), other.stop()]);
});
