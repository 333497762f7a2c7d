import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { createBudget } from '../../src/jobs/budget.ts';
import { createPersonJobs } from '../../src/jobs/personJobs.ts';
import { onDynamoDbLocal, openTestDynamo } from '../support/database/dynamo.ts';
import { openTimers } from '../timers/support/timers.ts';
import { markKind, marksOf } from './support/marking.ts';
import { handlerOf, oneStep, storedJob } from './support/steps.ts';

const rates = { ofJob: 100, inAll: 300, ofPartition: 50 };

test('reserve: no job, no partition, and not all of them together, writes more than its rate', () => {
  const step = fc.record({
    job: fc.nat({ max: 5 }),
    partition: fc.nat({ max: 3 }),
    units: fc.nat({ max: 100 }),
    used: fc.double({ min: 0, max: 1, noNaN: true }),
    pause: fc.nat({ max: 2_000 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let time = 0;
      const budget = createBudget({ rates, now: () => time });
      const written: Array<{ at: number; units: number; buckets: string[] }> = [];
      for (const { job, partition, units, used, pause } of steps) {
        time += pause;
        const at = budget.reserve(`j${job}`, new Map([[`p${partition}`, units]]));
        // A job that asks again has the same place.
        if (units > 0) expect(budget.reserve(`j${job}`, new Map([['other', 1]]))).toBe(at);
        time = Math.max(time, at);
        const actual = Math.floor(units * used);
        budget.settle(`j${job}`, actual);
        const buckets = ['all', `job ${job}`, `partition ${partition}`];
        // What writes nothing waits for nothing.
        if (units > 0) written.push({ at: time, units: actual, buckets });
      }
      for (const bucket of new Set(written.flatMap(({ buckets }) => buckets))) {
        const rate =
          bucket === 'all' ? rates.inAll : bucket.startsWith('job') ? rates.ofJob : rates.ofPartition;
        const own = written.filter(({ buckets }) => buckets.includes(bucket));
        for (let i = 0; i < own.length; i++) {
          let sum = 0;
          for (const { at, units } of own.slice(i)) {
            // A step's units are written at once, so what is before the last one must fit into the time.
            expect(sum).toBeLessThanOrEqual((rate * (at - (own[i]?.at ?? 0))) / 1_000 + 1);
            sum += units;
          }
        }
      }
    }),
  );
});

test('reserve: nothing can be written at once, and moves no other reservation', () => {
  let time = 1_000;
  const budget = createBudget({ rates, now: () => time });
  const units = (count: number) => new Map([['p', count]]);
  expect(budget.reserve('some', units(50))).toBe(1_000);
  for (const none of [new Map<string, number>(), units(0)]) {
    expect(budget.reserve('none', none)).toBe(1_000);
    budget.settle('none', 0);
  }
  // Of what it has reserved, it has written nothing.
  budget.settle('some', 0);
  expect(budget.reserve('next', units(50))).toBe(1_000);
  time = 1_500;
  budget.settle('next', 50);
  // The partition has half a second more of the first fifty.
  expect(budget.reserve('last', units(1))).toBe(2_000);
});

test('reserve: a job that waits for its own share does not hold up the others', () => {
  const budget = createBudget({ rates, now: () => 0 });
  const units = (n: number) => new Map([[`p${n}`, 50]]);
  expect(budget.reserve('large', units(1))).toBe(0);
  budget.settle('large', 50);
  expect(budget.reserve('large', units(2))).toBe(500);
  // The first one fills a sixth of a second of all. The second one begins later.
  expect(budget.reserve('small', units(3))).toBeCloseTo(167, 0);
});

// DynamoDB Local charges a transaction as one of its writes.
test.skipIf(onDynamoDbLocal)(
  'personJobs: a job takes the time that its writes need, and keeps no place while it waits',
  async () => {
    const { dynamo, stop } = await openTestDynamo();
    onTestFinished(stop);
    let time = 0;
    const now = () => time;
    const work = {
      dynamo,
      kinds: [markKind()],
      now,
      budget: createBudget({ rates: { ofJob: 10, inAll: 1_000, ofPartition: 1_000 }, now }),
    };
    const list = newId();
    const rows = 60;
    const job = await createPersonJobs({ dynamo, now }).add('aki', {
      kind: 'mark',
      about: { list, rows, each: 20 },
      total: rows,
    });
    let handled = 0;
    for (let [next] = await openTimers(dynamo); next !== undefined; [next] = await openTimers(dynamo)) {
      time = Math.max(time, next.due);
      await handlerOf(work, job).handle(next, oneStep);
      await dynamo.remove(keys.timer(next.due, next.id));
      handled++;
    }
    expect(await storedJob(dynamo, job)).toMatchObject({ state: 'DONE', done: rows });
    expect(await marksOf(dynamo, list)).toHaveLength(rows);
    // Two units for each row of the first two steps, at 10 a second, and something for the job itself.
    expect(time).toBeGreaterThanOrEqual(8_000);
    expect(time).toBeLessThan(12_000);
    // Each step, and each wait for the next one.
    expect(handled).toBeLessThanOrEqual(6);
  },
);
