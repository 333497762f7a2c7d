/** The jobs that users asked for. */
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { conflict, notFound } from '../../src/core/errors.ts';
import { newId } from '../../src/core/ids.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { createJobControl } from '../../src/jobs/control.ts';
import { openJobsCounter } from '../../src/jobs/counters.ts';
import { remainingSeconds, timerOfJob } from '../../src/jobs/job.ts';
import { OPEN_JOBS_MAX } from '../../src/jobs/openJobs.ts';
import { createPersonJobs, type PersonJobKind } from '../../src/jobs/personJobs.ts';
import { createJobRunner } from '../../src/jobs/runner.ts';
import { createTimerRunner } from '../../src/timers/runner.ts';
import { verify } from '../../src/verify/verify.ts';
import { silent } from '../stream/support/stream.ts';
import { openTestDynamo } from '../support/database/dynamo.ts';
import { eventually } from '../support/time/eventually.ts';
import { openTimers } from '../timers/support/timers.ts';
import { markKind, marksOf } from './support/marking.ts';
import { handlerOf, stepOf, storedJob } from './support/steps.ts';

const opened = openTestDynamo({ file: true });
afterAll(async () => (await opened).stop());

const unlimited = { reserve: () => 0, settle() {} };
const DAY = 24 * 3_600_000;
const about = (rows: number, list = newId()) => ({ list, rows, each: 2 });

async function fixture() {
  const { dynamo } = await opened;
  let time = 1_000;
  const now = () => time;
  const work = { dynamo, kinds: [markKind()], now };
  return {
    dynamo,
    now,
    work,
    user: newId(),
    jobs: createPersonJobs({ dynamo, now }),
    control: createJobControl({ dynamo, now }),
    pass(ms: number) {
      time += ms;
    },
  };
}

test('add: at most twenty are open, also if they are added at once; an end makes room', async () => {
  const { dynamo, jobs, user } = await fixture();
  const some = Array.from({ length: OPEN_JOBS_MAX + 5 }, () =>
    jobs.add(user, { kind: 'mark', about: about(2) }),
  );
  const results = await Promise.allSettled(some);
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  expect(refused).toHaveLength(5);
  for (const reason of refused) {
    expect(reason).toMatchObject({ code: 'CONFLICT', details: { reason: 'LIMIT_REACHED' } });
  }
  const { nodes } = await jobs.list(user, { limit: 100 });
  expect(new Set(nodes.map(({ id }) => id)).size).toBe(OPEN_JOBS_MAX);
  const [newest] = nodes;
  await jobs.cancel(user, newest?.id ?? '');
  // Idempotent.
  expect(await jobs.cancel(user, newest?.id ?? '')).toMatchObject({ state: 'CANCELLED' });
  await jobs.add(user, { kind: 'mark', about: about(2) });
  await expect(jobs.add(user, { kind: 'mark', about: about(2) })).rejects.toMatchObject({ code: 'CONFLICT' });
  await expect(jobs.cancel(newId(), newest?.id ?? '')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect((await verify({ dynamo, counters: [openJobsCounter], fix: false })).differences).toEqual([]);
});

test('jobs of one user run one at a time, in the order asked; a paused one holds back those after it', async () => {
  const { dynamo, jobs, control, work, user, pass } = await fixture();
  const [first, second, third] = [
    await jobs.add(user, { kind: 'mark', about: about(4), total: 4 }),
    await jobs.add(user, { kind: 'mark', about: about(2), total: 2 }),
    await jobs.add(user, { kind: 'mark', about: about(2), total: 2 }),
  ];
  const states = async () =>
    Promise.all([first, second, third].map(async (job) => (await storedJob(dynamo, job))?.state));
  await stepOf(work, second);
  await stepOf(work, first);
  expect(await states()).toEqual(['RUNNING', 'QUEUED', 'QUEUED']);
  await control.pause(first);
  await stepOf(work, first);
  await stepOf(work, second);
  expect(await states()).toEqual(['PAUSED', 'QUEUED', 'QUEUED']);
  expect(await marksOf(dynamo, String(first.about.list))).toEqual([1, 1]);
  await control.resume(first);
  await stepOf(work, first);
  expect(await states()).toEqual(['DONE', 'QUEUED', 'QUEUED']);
  // Its end has set the timer of the next one, which had none any more.
  const [next] = (await openTimers(dynamo)).filter(
    ({ about: { job, user: of } }) => of === user && job === second.id,
  );
  expect(next).toBeDefined();
  await stepOf(work, second);
  await control.cancel(third);
  expect(await states()).toEqual(['DONE', 'DONE', 'CANCELLED']);
  expect(await dynamo.get(keys.openJobs(user))).toMatchObject({ open: [], newest: 3 });
  // Newest first, for seven days.
  const ids = async () => (await jobs.list(user, { limit: 10 })).nodes.map(({ id }) => id);
  expect(await ids()).toEqual([third.id, second.id, first.id]);
  pass(7 * DAY + 1_000);
  expect(await ids()).toEqual([]);
});

test('plan: an error of the catalogue ends the job with its code; what is written on a stale read is planned again', async () => {
  const { dynamo, jobs, now, user } = await fixture();
  const row = { pk: `ROWS#${newId()}`, sk: '0' };
  let plans = 0;
  const racing: PersonJobKind = {
    name: 'racing',
    async plan(_about, cursor) {
      if (cursor === 'fails') throw plans > 10 ? notFound() : conflict('DELETED', 'It was deleted.');
      const version = Number((await dynamo.get(row))?.version ?? 0);
      // Someone changes the row twice between this read and the write.
      if (++plans <= 2) await dynamo.put({ ...row, version: version + 1 });
      const seen = { condition: 'version = :seen', values: { ':seen': version } };
      return { writes: [{ put: { ...row, version: 100 }, ...seen }], next: 'fails', done: 1 };
    },
  };
  const job = await jobs.add(user, { kind: 'racing', about: {} });
  const work = { dynamo, kinds: [racing], now, budget: unlimited };
  await stepOf(work, job);
  expect([plans, await dynamo.get(row)]).toEqual([3, { ...row, version: 100 }]);
  await stepOf(work, job);
  expect(await storedJob(dynamo, job)).toMatchObject({ state: 'FAILED', failure: 'CONFLICT', done: 1 });
  expect(await dynamo.get(keys.openJobs(user))).toMatchObject({ open: [] });
});

test('a step that neither writes nor moves on takes of the budget, and waits for a timer', async () => {
  const { dynamo, jobs, now, user } = await fixture();
  let plans = 0;
  const stuck: PersonJobKind = {
    name: 'stuck',
    async plan() {
      plans++;
      return { writes: [], next: '0', done: 0 };
    },
  };
  const used: number[] = [];
  const budget = {
    reserve: () => now(),
    settle: (_job: string, units: number) => void used.push(units),
  };
  const work = { dynamo, kinds: [stuck], now, budget };
  const job = await jobs.add(user, { kind: 'stuck', about: {} });
  const timer = timerOfJob(job, job.runAt ?? 0);
  // Its time is never over.
  const run = { shouldYield: () => plans >= 100, also: [], add() {} };
  await handlerOf(work, job).handle(timer, run);
  // The first step moves to its position, the second finds it again.
  expect(plans).toBe(2);
  expect(used).toEqual([24, 24]);
  expect((await storedJob(dynamo, job))?.runAt).toBeGreaterThanOrEqual(now() + 1_000);
  expect((await openTimers(dynamo)).some(({ due }) => due >= now() + 1_000)).toBe(true);
});

test('remainingSeconds: at the speed since the job began or continued; unknown before its first step', async () => {
  const { dynamo, jobs, control, work, user, now, pass } = await fixture();
  const job = await jobs.add(user, { kind: 'mark', about: about(10), total: 10 });
  const left = async () => {
    const stored = await storedJob(dynamo, job);
    return stored === undefined ? undefined : remainingSeconds(stored, now());
  };
  expect(await left()).toBeNull();
  await stepOf(work, job);
  pass(10_000);
  await stepOf(work, job);
  // Four of ten in ten seconds.
  expect(await left()).toBe(15);
  await control.pause(job);
  expect(await left()).toBeNull();
  pass(DAY);
  await control.resume(job);
  await stepOf(work, job);
  pass(1_000);
  // Two in a second since it continued.
  expect(await left()).toBe(2);
});

test('fairness: large jobs of many users do not hold up a small one', async () => {
  const { dynamo, stop } = await openTestDynamo({ file: true });
  onTestFinished(stop);
  const served: string[] = [];
  const jobs = createPersonJobs({ dynamo, now: Date.now });
  const kinds = createJobRunner({
    dynamo,
    kinds: [markKind((list) => served.push(list))],
    now: Date.now,
    budget: unlimited,
  });
  const large = await Promise.all(
    Array.from({ length: 20 }, () => jobs.add(newId(), { kind: 'mark', about: about(1_000_000) })),
  );
  const runner = createTimerRunner({ dynamo, kinds, log: silent, now: Date.now, clock: systemClock });
  await runner.look();
  await eventually(() => expect(new Set(served).size).toBe(large.length));
  const before = served.length;
  const small = await jobs.add(newId(), { kind: 'mark', about: about(6) });
  const [timer] = (await openTimers(dynamo)).filter(({ about: { user } }) => user === small.user);
  if (timer !== undefined) runner.add(timer);
  await eventually(async () => expect(await storedJob(dynamo, small)).toMatchObject({ state: 'DONE' }));
  const list = String(small.about.list);
  const until = served.lastIndexOf(list);
  expect(served.filter((one) => one === list)).toHaveLength(3);
  // Each of its three steps waited for about one step of each other job.
  expect(until - before).toBeLessThan(6 * large.length);
  const paused = runner.pause();
  const control = createJobControl({ dynamo, now: Date.now });
  for (const one of large) await control.cancel(one);
  await paused;
});
