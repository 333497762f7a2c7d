import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { resyncTopic } from '../../../src/bus/bus.ts';
import type { NotificationChange } from '../../../src/notifications/live/subscription.ts';
import { openTestDynamo, type TestDynamo } from '../../support/dynamo.ts';
import { eventually, PATIENCE_MS } from '../../support/eventually.ts';
import {
  createNotificationFixture,
  createTurnClock,
  type FixtureOptions,
  type NotificationFixture,
  nextChange,
  summaryOf,
} from '../support/fixture.ts';

let db: TestDynamo;
let stages: NotificationFixture[] = [];
beforeAll(async () => {
  db = await openTestDynamo();
});
afterAll(() => db.stop());
afterEach(async () => {
  await Promise.all(stages.map((stage) => stage.stop()));
  stages = [];
});

async function open(options: FixtureOptions = {}): Promise<NotificationFixture> {
  const stage = await createNotificationFixture(db.dynamo, { everyMs: 100, ...options });
  stages.push(stage);
  return stage;
}

/** So many events, summaryOf. */
async function told(events: AsyncIterator<NotificationChange>, count: number): Promise<string[]> {
  const list: string[] = [];
  while (list.length < count) list.push(summaryOf(await nextChange(events)));
  return list;
}

test('the unread ones come first, oldest first, then each as it becomes', async () => {
  const stage = await open();
  const [a, b, c] = [await stage.store(), await stage.store(3), await stage.store()];
  await stage.read(b.id);
  const events = await stage.watch();
  expect(await told(events, 2)).toEqual([`${a.id}×1`, `${c.id}×1`]);
  const grown = await stage.grow(a.id);
  await stage.tell(a.id, grown.rev);
  const d = await stage.store();
  await stage.tell(d.id, d.rev);
  expect((await told(events, 2)).sort()).toEqual([`${a.id}×2`, `${d.id}×1`].sort());
});

test('the first change is told at once', async () => {
  const stage = await open({ everyMs: 2 * PATIENCE_MS });
  const events = await stage.watch();
  const { id, rev } = await stage.store();
  await stage.tell(id, rev);
  expect(await told(events, 1)).toEqual([`${id}×1`]);
});

test('many changes are one event in its time: the last', async () => {
  const everyMs = 400;
  const pace = createTurnClock();
  const stage = await open({ everyMs, pace });
  const events = await stage.watch();
  const { id, rev } = await stage.store();
  await stage.tell(id, rev);
  expect(await told(events, 1)).toEqual([`${id}×1`]);
  const first = pace();
  for (let i = 0; i < 20; i++) await stage.tell(id, (await stage.grow(id)).rev);
  expect(await told(events, 1)).toEqual([`${id}×21`]);
  expect(pace() - first).toBeGreaterThanOrEqual(everyMs);
});

test('one that is taken back to nothing is told by its id, once', async () => {
  const stage = await open();
  const { id } = await stage.store();
  const events = await stage.watch();
  expect(await told(events, 1)).toEqual([`${id}×1`]);
  const rev = await stage.remove(id);
  await stage.tell(id, rev);
  expect(await told(events, 1)).toEqual([`${id} gone`]);
  await stage.tell(id, rev);
  const other = await stage.store();
  await stage.tell(other.id, other.rev);
  expect(await told(events, 1)).toEqual([`${other.id}×1`]);
});

test('what is told again, late, or about earlier changes brings nothing back', async () => {
  const stage = await open();
  const events = await stage.watch();
  const { id } = await stage.store();
  await stage.grow(id);
  const read = await stage.read(id);
  // As a consumer does that begins anew: from the first change on.
  for (const rev of [1, 2, read.rev, 1, 2]) await stage.tell(id, rev);
  expect(await told(events, 1)).toEqual([`${id} read`]);
  const other = await stage.store();
  await stage.tell(other.id, other.rev);
  expect(await told(events, 1)).toEqual([`${other.id}×1`]);
});

test('when all were read, what is looked at is read, whatever its item still says', async () => {
  const stage = await open();
  const events = await stage.watch();
  const { id } = await stage.store();
  await stage.readAll();
  await stage.tell(id, 1);
  expect(await told(events, 1)).toEqual([`${id} read`]);
  const late = await stage.watch();
  const fresh = await stage.store();
  await stage.tell(fresh.id, fresh.rev);
  expect(await told(late, 1)).toEqual([`${fresh.id}×1`]);
});

describe('after something may have been missed', () => {
  test('everything that differs is told: grown, new, read, gone', async () => {
    const stage = await open();
    const [grows, goes, isRead, stays] = [
      await stage.store(),
      await stage.store(),
      await stage.store(),
      await stage.store(),
    ];
    const events = await stage.watch();
    await told(events, 4);
    await stage.grow(grows.id);
    await stage.remove(goes.id);
    await stage.read(isRead.id);
    const fresh = await stage.store();
    await stage.bus.publish(resyncTopic, { reason: 'a test' });
    expect((await told(events, 4)).sort()).toEqual(
      [`${grows.id}×2`, `${goes.id} gone`, `${isRead.id} read`, `${fresh.id}×1`].sort(),
    );
    await stage.tell(stays.id, (await stage.grow(stays.id)).rev);
    expect(await told(events, 1)).toEqual([`${stays.id}×2`]);
  });

  test('more than can wait for a reader who does not drain are read from the table', async () => {
    const stage = await open();
    const events = await stage.watch();
    const pending = nextChange(events);
    const first = await stage.store();
    await stage.tell(first.id, 1);
    await pending;
    const ids: string[] = [];
    for (let i = 0; i < 60; i++) ids.push((await stage.store()).id);
    for (let i = 0; i < 300; i++) await stage.tell(`nothing${i}`, 1);
    for (const id of ids) await stage.tell(id, 1);
    expect(await told(events, 60)).toEqual(ids.map((id) => `${id}×1`));
  });
});

describe('opening', () => {
  test('what changes at the very moment of the first reading is told', async () => {
    let meanwhile: (() => Promise<void>) | undefined;
    const stage = await open({
      through: (dynamo) => ({
        ...dynamo,
        async queryIndex(...args) {
          const page = await dynamo.queryIndex(...args);
          const act = meanwhile;
          meanwhile = undefined;
          await act?.();
          return page;
        },
      }),
    });
    const shown = await stage.store();
    let fresh = '';
    meanwhile = async () => {
      const one = await stage.store();
      fresh = one.id;
      await stage.tell(one.id, one.rev);
    };
    const events = await stage.watch();
    expect(await told(events, 2)).toEqual([`${shown.id}×1`, `${fresh}×1`]);
  });

  test('an index that lags hides nothing for long: the badge counts what is missing', async () => {
    let lagging = true;
    const stage = await open({
      through: (dynamo) => ({
        ...dynamo,
        queryIndex: async (...args) => (lagging ? { items: [], more: false } : dynamo.queryIndex(...args)),
      }),
    });
    const { id } = await stage.store();
    const events = await stage.watch();
    const first = told(events, 1);
    await eventually(() => expect(stage.live.size).toBe(1));
    lagging = false;
    expect(await first).toEqual([`${id}×1`]);
  });

  test('only the newest hundred are told of more', async () => {
    const stage = await open();
    const ids: string[] = [];
    for (let i = 0; i < 105; i++) ids.push((await stage.store()).id);
    const events = await stage.watch();
    expect(await told(events, 100)).toEqual(ids.slice(5).map((id) => `${id}×1`));
  });
});

test('while the database does not answer it waits, and then tells what there is', async () => {
  let failures = 0;
  const stage = await open({
    through: (dynamo) => ({
      ...dynamo,
      async batchGet(wanted) {
        if (failures++ === 0) throw new Error('The database is away.');
        return dynamo.batchGet(wanted);
      },
    }),
  });
  const { id } = await stage.store();
  expect(await told(await stage.watch(), 1)).toEqual([`${id}×1`]);
  expect(failures).toBeGreaterThan(1);
});

test('a subscription that is closed while it waits ends at once and leaves nothing behind', async () => {
  const stage = await open();
  const events = await stage.watch();
  const waiting = events.next();
  expect(stage.live.size).toBe(1);
  await events.return?.();
  expect(await waiting).toEqual({ done: true, value: undefined });
  expect(stage.live.size).toBe(0);
});
