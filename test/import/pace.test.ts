/** Items are written in the shape that is in force when they are written, also after a wait. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Clock } from '../../src/core/clock.ts';
import { OutageError } from '../../src/core/errors.ts';
import { newId } from '../../src/core/ids.ts';
import { toTimestamp } from '../../src/core/timestamps.ts';
import type { Dynamo } from '../../src/dynamo/dynamo.ts';
import { keys, ranges } from '../../src/dynamo/keys.ts';
import { ImportRunning } from '../../src/import/lock.ts';
import { createPace } from '../../src/import/pace.ts';
import { openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';
import { itemsIn } from '../support/database/table.ts';
import { createTestClock } from '../support/time/clock.ts';

let database: TestDynamo;
beforeAll(async () => {
  database = await openTestDynamo();
});
afterAll(() => database.stop());

const check = async () => {};

test('write: in the shape in force after the wait for the rate', async () => {
  const clock = createTestClock();
  let shape = 1;
  const dynamo = { ...database.dynamo, shape: () => shape };
  const pace = createPace({ dynamo, by: 'transactions', rate: 1, check, clock });
  const room = newId();
  const write = (message: number) =>
    pace.write([message], (n, v) => [{ ...keys.root(room, toTimestamp(n)), v }]);
  const first = write(1);
  clock.advance(0);
  await first;
  const second = write(2);
  shape = 2;
  clock.advance(60_000);
  await second;
  expect((await itemsIn(database.dynamo, ranges.roots(room))).map(({ v }) => v)).toEqual([1, 2]);
});

test('write: begins again if another shape comes into force in between', async () => {
  // For the units, for the items, before the first part of the bulk: after that, another one.
  const shapes = [1, 1, 1];
  const dynamo = { ...database.dynamo, shape: () => shapes.shift() ?? 2 };
  const pace = createPace({ dynamo, by: 'batches', rate: undefined, check });
  const room = newId();
  const all = Array.from({ length: 60 }, (_, n) => n + 1);
  await pace.write([all], (some, v) => some.map((n) => ({ ...keys.root(room, toTimestamp(n)), v })));
  const stored = await itemsIn(database.dynamo, ranges.roots(room));
  expect(stored.map(({ v }) => v)).toEqual(all.map(() => 2));
});

test('pay: several at once share the rate', async () => {
  const clock = createTestClock();
  const pace = createPace({ dynamo: database.dynamo, by: 'batches', rate: 10, check, clock });
  let paid = 0;
  const paying = Array.from({ length: 8 }, () => pace.pay(10).then(() => paid++));
  const paidAfter = async (ms: number) => {
    clock.advance(ms);
    await new Promise(setImmediate);
    return paid;
  };
  expect(await paidAfter(0)).toBe(1);
  expect(await paidAfter(1_000)).toBe(2);
  expect(await paidAfter(6_000)).toBe(8);
  await Promise.all(paying);
});

test('pay: nothing costs nothing, but is checked', async () => {
  const clock = createTestClock();
  let checks = 0;
  const counted = async () => {
    checks++;
  };
  const pace = createPace({ dynamo: database.dynamo, by: 'batches', rate: 10, check: counted, clock });
  const paid = pace.pay(10);
  clock.advance(0);
  await paid;
  // The next unit is a second away.
  await pace.pay(0);
  await pace.write([1], () => []);
  expect(checks).toBe(3);
  const next = pace.pay(10);
  clock.advance(1_000);
  await next;
});

test('pay: waits out an outage in which it cannot check, and nothing else', async () => {
  const clock = createTestClock();
  const errors: Error[] = [new OutageError(), new OutageError()];
  const asked: number[] = [];
  const failing = async () => {
    asked.push(clock.now());
    const error = errors.shift();
    if (error !== undefined) throw error;
  };
  const pace = createPace({ dynamo: database.dynamo, by: 'batches', rate: undefined, check: failing, clock });
  const paid = pace.pay(1);
  for (let i = 0; i < 2; i++) {
    while (clock.waiting === 0) await new Promise(setImmediate);
    clock.advance(1_000);
  }
  await paid;
  expect(asked).toHaveLength(3);
  errors.push(new ImportRunning());
  await expect(pace.pay(1)).rejects.toThrow(ImportRunning);
  expect(asked).toHaveLength(4);
});

test('write: items that belong together cost twice, because they are in one transaction', async () => {
  let now = 0;
  // Every wait ends at once, and the time has passed.
  const clock: Clock = {
    now: () => now,
    after(ms, call) {
      const timer = setImmediate(() => {
        now += ms;
        call();
      });
      return () => clearImmediate(timer);
    },
  };
  const written: Array<readonly [ms: number, items: number]> = [];
  const dynamo: Dynamo = {
    ...database.dynamo,
    async transact(writes, options) {
      await database.dynamo.transact(writes, options);
      written.push([now, writes.length]);
    },
  };
  const pace = createPace({ dynamo, by: 'batches', rate: 4, check, clock });
  const room = newId();
  const item = (n: number) => ({ ...keys.root(room, toTimestamp(n)), v: 1 });
  await pace.write([1, 3, 5], (n) => [[item(n), item(n + 1)]]);
  expect(written).toEqual([
    [0, 2],
    [1_000, 2],
    [2_000, 2],
  ]);
  expect(await itemsIn(database.dynamo, ranges.roots(room))).toHaveLength(6);
});
