import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Dynamo } from '../../src/dynamo/dynamo.ts';
import { createItemLoader } from '../../src/dynamo/itemLoader.ts';
import type { Notifications, NotificationsPage } from '../../src/notifications/read/list.ts';
import { openTestDynamo, type TestDynamo } from '../support/dynamo.ts';
import { createNotificationStage, type NotificationStage, RETENTION } from './stage.ts';

let db: TestDynamo;
beforeAll(async () => {
  db = await openTestDynamo();
});
afterAll(() => db.stop());

const stageWith = (options = {}) => createNotificationStage(db.dynamo, options);

function page(stage: NotificationStage, wanted: Partial<NotificationsPage> = {}) {
  const notifications: Notifications = stage.notifications;
  const all = { limit: 100, from: undefined, unreadOnly: false, ...wanted };
  return notifications.list(stage.user, all, createItemLoader(db.dynamo));
}

/** The whole list, page by page. */
async function pages(stage: NotificationStage, limit: number, unreadOnly = false): Promise<string[]> {
  const ids: string[] = [];
  let from: string | undefined;
  for (let more = true; more; ) {
    const read = await page(stage, { limit, from, unreadOnly });
    expect(read.nodes.length).toBeLessThanOrEqual(limit);
    ids.push(...read.nodes.map(({ id }) => id));
    ({ more, end: from } = read);
  }
  return ids;
}

test('any mixture of unread and read ones comes newest first, once each, in pages of any size', async () => {
  const acts = fc.array(fc.constantFrom('store', 'grow', 'read'), { minLength: 1, maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(
      acts,
      fc.integer({ min: 1, max: 7 }),
      fc.integer({ min: 0, max: 1_000 }),
      async (list, limit, pick) => {
        const stage = await stageWith();
        for (const [i, act] of list.entries()) {
          const unread = [...stage.stored.values()].filter(({ readAt }) => readAt === null);
          const one = unread[(pick + i) % Math.max(1, unread.length)];
          if (act === 'store' || one === undefined) await stage.store();
          else if (act === 'grow') await stage.grow(one.id);
          else await stage.read(one.id);
        }
        const newestFirst = [...stage.stored.values()].sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
        const ids = (of: typeof newestFirst) => of.map(({ id }) => id);
        expect(await pages(stage, limit)).toEqual(ids(newestFirst));
        expect(await pages(stage, limit, true)).toEqual(
          ids(newestFirst.filter(({ readAt }) => readAt === null)),
        );
        await stage.stop();
      },
    ),
    { numRuns: 12 },
  );
});

test('after all were read none is unread, though no item says so', async () => {
  const stage = await stageWith();
  const before = await stage.store(2);
  await stage.readAll();
  const after = await stage.store();
  const { nodes, badge } = await page(stage);
  expect(nodes.map(({ id, readAt }) => [id, readAt === null])).toEqual([
    [after.id, true],
    [before.id, false],
  ]);
  expect(badge.total).toBe(1);
  expect((await page(stage, { unreadOnly: true })).nodes.map(({ id }) => id)).toEqual([after.id]);
  await stage.stop();
});

describe('what is past its time', () => {
  test('is gone at once, whether it was read by itself or with all others', async () => {
    let ahead = 0;
    const stage = await stageWith({ now: () => Date.now() + ahead });
    const unread = await stage.store();
    const read = await stage.store();
    await stage.read(read.id);
    expect((await page(stage)).nodes).toHaveLength(2);
    ahead = (RETENTION - 60) * 1_000;
    expect((await page(stage)).nodes).toHaveLength(2);
    ahead = (RETENTION + 60) * 1_000;
    expect((await page(stage)).nodes.map(({ id }) => id)).toEqual([unread.id]);
    await stage.readAll();
    expect((await page(stage)).nodes).toEqual([]);
    await stage.stop();
  });

  test('is passed over, so that a page is not empty while there are more', async () => {
    const stage = await stageWith();
    const oldest = await stage.store();
    for (let i = 0; i < 7; i++) await stage.read((await stage.store()).id, { ago: RETENTION + 60 });
    const { nodes, more } = await page(stage, { limit: 2 });
    expect([nodes.map(({ id }) => id), more]).toEqual([[oldest.id], false]);
    await stage.stop();
  });

  test('does not make a page read without end', async () => {
    let queries = 0;
    const through = (dynamo: Dynamo): Dynamo => ({
      ...dynamo,
      queryIndex(...args) {
        queries++;
        return dynamo.queryIndex(...args);
      },
    });
    const stage = await stageWith({ through });
    await stage.store();
    for (let i = 0; i < 10; i++) await stage.read((await stage.store()).id, { ago: RETENTION + 60 });
    const { nodes, more, end } = await page(stage, { limit: 1 });
    expect([nodes, more, typeof end]).toEqual([[], true, 'string']);
    expect(queries).toBe(12);
    expect(await pages(stage, 1)).toHaveLength(1);
    await stage.stop();
  });
});

describe('an index that lags', () => {
  /** What the index said before. */
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

  test('never shows what was read as unread, nor what is gone', async () => {
    const { through, freeze } = frozen();
    const stage = await stageWith({ through });
    const [isRead, isGone, grows] = [await stage.store(), await stage.store(), await stage.store()];
    await page(stage);
    freeze();
    await stage.read(isRead.id);
    await stage.remove(isGone.id);
    await stage.grow(grows.id);
    const { nodes } = await page(stage);
    expect(nodes.map(({ id, count, readAt }) => [id, count, readAt === null])).toEqual([
      [grows.id, 2, true],
      [isRead.id, 1, false],
    ]);
    expect((await page(stage, { unreadOnly: true })).nodes.map(({ id }) => id)).toEqual([grows.id]);
    await stage.stop();
  });

  test('shows one that it has in two places once', async () => {
    const { through, freeze } = frozen();
    const stage = await stageWith({ through });
    const one = await stage.store();
    await page(stage, { unreadOnly: true });
    freeze();
    await stage.read(one.id);
    expect((await page(stage)).nodes.map(({ id }) => id)).toEqual([one.id]);
    await stage.stop();
  });
});

test("another's notifications are not there", async () => {
  const [mine, theirs] = [await stageWith(), await stageWith()];
  const one = await mine.store();
  const items = createItemLoader(db.dynamo);
  expect((await mine.notifications.getMany(mine.user, [one.id], items)).notifications).toMatchObject([one]);
  expect((await theirs.notifications.getMany(theirs.user, [one.id], items)).notifications).toEqual([null]);
});
