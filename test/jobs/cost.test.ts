/** What jobs cost, beyond what their steps read and write. */
import { expect, onTestFinished, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { createJobControl } from '../../src/jobs/control.ts';
import { createJobs, type JobKind } from '../../src/jobs/jobs.ts';
import { createPersonJobs } from '../../src/jobs/personJobs.ts';
import type { TimerRun } from '../../src/timers/timer.ts';
import { onDynamoDbLocal, openTestDynamo } from '../support/database/dynamo.ts';
import { openTimers } from '../timers/support/timers.ts';
import { markKind } from './support/marking.ts';
import { handlerOf, oneStep } from './support/steps.ts';

// DynamoDB Local reports one of a transaction's writes.
test.skipIf(onDynamoDbLocal)('jobs: cost what docs/data-model.md says', async () => {
  let total = { read: 0, write: 0, requests: 0 };
  const { dynamo, stop } = await openTestDynamo({
    onCost({ readUnits, writeUnits }) {
      const { read, write, requests } = total;
      total = { read: read + readUnits, write: write + writeUnits, requests: requests + 1 };
    },
  });
  onTestFinished(stop);
  async function costOf(work: () => Promise<unknown>) {
    total = { read: 0, write: 0, requests: 0 };
    await work();
    return [total.requests, total.read, total.write];
  }
  let time = 1_000;
  const now = () => time;
  const idle: JobKind = {
    name: 'idle',
    step: async (_, cursor) => (cursor === '4' ? null : String(Number(cursor) + 1)),
  };
  const work = { dynamo, kinds: [idle, markKind()], now };
  const job = { id: newId() };
  const handle = async (run: TimerRun, ref: { readonly id: string; readonly user?: string } = job) => {
    const [timer] = await openTimers(dynamo);
    if (timer === undefined) throw new Error('There is no timer.');
    const cost = await costOf(() => handlerOf(work, ref).handle(timer, run));
    await dynamo.remove(keys.timer(timer.due, timer.id));
    return cost;
  };
  /** Gives its place to another job after this many steps. */
  const steps = (count: number): TimerRun => {
    let left = count;
    return { shouldYield: () => --left <= 0, also: [], add() {} };
  };
  const jobs = createJobs({ dynamo, now });
  expect(await costOf(() => jobs.add({ ...job, kind: 'idle', about: {}, cursor: '0' }))).toEqual([1, 0, 5]);
  // The first step moves the job in the index. The last one of a slice sets a timer.
  expect(await handle(steps(1))).toEqual([2, 1, 6]);
  expect(await handle(steps(2))).toEqual([4, 2, 1 + 4]);
  expect(await handle(oneStep)).toEqual([2, 1, 4]);
  expect(await handle(oneStep)).toEqual([2, 1, 2]);

  const persons = createPersonJobs({ dynamo, now });
  const about = { list: newId(), rows: 4, each: 1 };
  let person = { id: '', user: '' };
  const add = async () => {
    person = { user: 'aki', ...(await persons.add('aki', { kind: 'mark', about })) };
  };
  expect(await costOf(add)).toEqual([2, 1, 7]);
  // Each writes one row.
  expect(await handle(oneStep, person)).toEqual([3, 2, 8]);
  time += 60_000;
  expect(await handle(oneStep, person)).toEqual([2, 1, 6]);
  const control = createJobControl({ dynamo, now });
  expect(await costOf(() => control.pause(person))).toEqual([3, 2, 4]);
  expect(await costOf(() => control.resume(person))).toEqual([3, 2, 6]);
  expect(await costOf(() => persons.cancel('aki', person.id))).toEqual([3, 2, 6]);
  expect(await costOf(control.counts)).toEqual([4, 2, 0]);
});
