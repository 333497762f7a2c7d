/** The system's own jobs, and how those of earlier releases continue. */
import { expect, onTestFinished, test } from 'vitest';
import { idFrom } from '../../src/core/ids.ts';
import { toTimestamp } from '../../src/core/timestamps.ts';
import type { Dynamo } from '../../src/dynamo/dynamo.ts';
import type { Item } from '../../src/dynamo/item.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { createJobControl } from '../../src/jobs/control.ts';
import { createJobsHandler } from '../../src/jobs/handlers.ts';
import { createJobs, createJobsVisitor, type JobKind, newJob } from '../../src/jobs/jobs.ts';
import { createJobRunner } from '../../src/jobs/runner.ts';
import { rebuild } from '../../src/rebuild/rebuild.ts';
import type { Change } from '../../src/stream/change.ts';
import { openTestDynamo } from '../support/database/dynamo.ts';
import { startTestApp } from '../support/servers/app.ts';
import { eventually } from '../support/time/eventually.ts';
import { createRunner, openTimers } from '../timers/support/timers.ts';
import { oneStep, stepOf, storedJob } from './support/steps.ts';

const ABOUT = { room: 'r', t: toTimestamp(1), c: toTimestamp(1) };
const DAY = 24 * 3_600_000;

/** A kind that counts from its cursor to `end`. It waits before the steps that `waits` has, until that time. */
function countingKind(end: number, waits: Readonly<Record<number, number>> = {}) {
  const steps: Array<string | null> = [];
  const kind: JobKind = {
    name: 'count',
    async step(_about, cursor) {
      steps.push(cursor);
      const next = Number(cursor ?? 0) + 1;
      if (next === end) return null;
      const runAt = waits[next];
      return runAt === undefined ? String(next) : { cursor: String(next), runAt };
    },
  };
  return { steps, kind };
}

async function openDynamo(): Promise<Dynamo> {
  const { dynamo, stop } = await openTestDynamo();
  onTestFinished(stop);
  return dynamo;
}

const recordOf = (id: string, item: Item): Change => ({
  stream: 's',
  sequence: '1',
  kind: 'MODIFY',
  key: { type: 'job', id },
  expired: false,
  new: item,
});

test('createStreamConsumer: runs a waiting job when its time has come', async () => {
  // Like the product, it soon looks at the timers again if the first look fails on a busy machine.
  const app = await startTestApp({ timersMs: 200 });
  onTestFinished(() => app.stop());
  const id = idFrom('a waiting job');
  await createJobs(app).add({
    id,
    kind: 'clearStamps',
    about: ABOUT,
    cursor: 'more',
    runAt: Date.now() + 50,
  });
  await eventually(async () => expect(await app.dynamo.get(keys.job(id))).toBeUndefined());
});

test('createJobRunner: runs a job step by step, waits when a step says so, and leaves nothing behind', async () => {
  const dynamo = await openDynamo();
  const { steps, kind } = countingKind(4, { 2: 5_000 });
  let now = 1_000;
  const jobs = createJobs({ dynamo, now: () => now });
  const id = idFrom('a job');
  await jobs.begin(kind, id, {});
  expect(await storedJob(dynamo, { id })).toMatchObject({
    cursor: '1',
    state: 'QUEUED',
    runAt: 1_000,
    done: 0,
  });
  // The same work begun twice is one job.
  await jobs.begin(kind, id, {});
  const { runner, clock, ended } = createRunner(dynamo, {
    startAt: 1_000,
    kinds: createJobRunner({ dynamo, kinds: [kind], now: () => now }),
  });
  await runner.look();
  await ended(1);
  expect(await storedJob(dynamo, { id })).toMatchObject({
    cursor: '2',
    state: 'RUNNING',
    runAt: 5_000,
    done: 1,
  });
  // A rebuild sets the timer of a job once more.
  for (const one of await openTimers(dynamo)) await dynamo.remove(keys.timer(one.due, one.id));
  await rebuild({ dynamo, visitors: [createJobsVisitor(jobs)] });
  expect(await openTimers(dynamo)).toMatchObject([{ due: 5_000, id: `job:${id}` }]);
  now = 5_000;
  clock.advance(4_000);
  await ended(2);
  expect(steps).toEqual([null, null, '1', '2', '3']);
  expect([await storedJob(dynamo, { id }), await openTimers(dynamo)]).toEqual([undefined, []]);
  await runner.pause();
});

test('createJobs: a cancelled job begins again only if an operator asks for it', async () => {
  const dynamo = await openDynamo();
  const { steps, kind } = countingKind(4);
  const options = { dynamo, now: () => 1_000 };
  const jobs = createJobs(options);
  const id = idFrom('a job');
  const job = { id, kind: 'count', about: {}, cursor: '1' };
  await jobs.add(job);
  await createJobControl(options).cancel({ id });
  for (const one of await openTimers(dynamo)) await dynamo.remove(keys.timer(one.due, one.id));
  await jobs.add(job);
  await jobs.begin(kind, id, {});
  expect(steps).toEqual([null]);
  expect(await storedJob(dynamo, { id })).toMatchObject({ state: 'CANCELLED' });
  expect(await openTimers(dynamo)).toEqual([]);
  await jobs.add(job, { evenCancelled: true });
  expect(await storedJob(dynamo, { id })).toMatchObject({ state: 'QUEUED', runAt: 1_000 });
  expect(await openTimers(dynamo)).toHaveLength(1);
});

test('createJobRunner: a job that fails for a day ends as FAILED, and can begin again', async () => {
  const dynamo = await openDynamo();
  let broken = true;
  const ended: string[] = [];
  const kind: JobKind = {
    name: 'count',
    async step() {
      if (broken) throw new Error('not today');
      return null;
    },
  };
  let now = 0;
  const {
    runner,
    clock,
    ended: outcomes,
  } = createRunner(dynamo, {
    kinds: createJobRunner({
      dynamo,
      kinds: [kind],
      now: () => now,
      onEnded: (name, state) => ended.push(`${name} ${state}`),
    }),
  });
  const jobs = createJobs({ dynamo, now: () => now });
  const control = createJobControl({ dynamo, now: () => now });
  const id = idFrom('a job');
  const job = { id, kind: 'count', about: {}, cursor: '0' };
  await jobs.add(job);
  for (let failures = 1; now <= 2 * DAY; failures++) {
    await runner.look();
    await outcomes(failures);
    await runner.pause();
    const [next] = await openTimers(dynamo);
    if (next === undefined) break;
    expect(await control.find({ id })).toMatchObject({ state: 'QUEUED' });
    clock.advance(next.due - now);
    now = next.due;
  }
  expect(await control.find({ id })).toMatchObject({ state: 'FAILED', failure: 'INTERNAL', finishedAt: now });
  expect(now).toBeGreaterThanOrEqual(DAY);
  expect(await control.list('FAILED', 10)).toMatchObject([{ id }]);
  // It is listed for seven days.
  now += 7 * DAY + 1_000;
  expect(await control.list('FAILED', 10)).toEqual([]);

  broken = false;
  await jobs.add(job);
  expect(await storedJob(dynamo, { id })).toMatchObject({ state: 'QUEUED', runAt: now });
  await stepOf({ dynamo, kinds: [kind], now: () => now }, { id });
  expect(await storedJob(dynamo, { id })).toBeUndefined();
  expect(ended).toEqual(['count FAILED']);
});

test('createJobRunner: a job of an unknown kind waits for a process that knows it', async () => {
  const dynamo = await openDynamo();
  const kind: JobKind = { name: 'new', step: async () => null };
  let now = 0;
  const id = idFrom('a job of a new kind');
  await createJobs({ dynamo, now: () => now }).add({ id, kind: 'new', about: {}, cursor: '7' });
  const old = createRunner(dynamo, { kinds: createJobRunner({ dynamo, kinds: [], now: () => now }) });
  await old.runner.look();
  await old.ended(1);
  await old.runner.pause();
  expect(await storedJob(dynamo, { id })).toMatchObject({ cursor: '7', state: 'QUEUED' });
  const [waiting] = await openTimers(dynamo);
  expect(waiting).toMatchObject({ due: 60_000, failures: { setFor: 0 } });
  now = 60_000;
  const newer = createRunner(dynamo, {
    startAt: now,
    kinds: createJobRunner({ dynamo, kinds: [kind], now: () => now }),
  });
  await newer.runner.look();
  await newer.ended(1);
  await newer.runner.pause();
  expect(await storedJob(dynamo, { id })).toBeUndefined();
});

test('a job that is paused before the consumer has read of it stays paused until it is resumed', async () => {
  const dynamo = await openDynamo();
  const { steps, kind } = countingKind(2);
  const now = () => 10_000;
  const work = { dynamo, kinds: [kind], now };
  const jobs = createJobs(work);
  const control = createJobControl(work);
  const id = 'paused';
  const read = async () => recordOf(id, (await dynamo.get(keys.job(id))) ?? {});
  await dynamo.transact([newJob({ id, kind: 'count', about: {}, cursor: '1' })]);
  const records = [await read()];
  await control.pause({ id });
  records.push(await read());
  await createJobsHandler({ jobs }).handle(records);
  await rebuild({ dynamo, visitors: [createJobsVisitor(jobs)] });
  expect(await storedJob(dynamo, { id })).toMatchObject({ state: 'PAUSED', createdAt: 10_000 });
  expect([await openTimers(dynamo), steps]).toEqual([[], []]);

  await control.resume({ id });
  expect(await openTimers(dynamo)).toMatchObject([{ id: 'job:paused', due: 10_000 }]);
  while (await stepOf(work, { id }));
  expect(steps).toEqual(['1']);
});

test('earlier releases: their jobs continue, whether they run or wait', async () => {
  const dynamo = await openDynamo();
  const { kind } = countingKind(4);
  const now = () => 10_000;
  const jobs = createJobs({ dynamo, now });
  const work = { dynamo, kinds: [kind], now };
  const about = {};
  // The items as the release before wrote them: one that its stream record continues, one that its timer does.
  const running = { ...keys.job('running'), v: 1, kind: 'count', about, cursor: '1', rev: 3 };
  const waiting = { ...keys.job('waiting'), v: 1, kind: 'count', about, cursor: '2', rev: 7, runAt: 5_000 };
  // And the one before that: it waits in the index.
  const indexed = {
    ...keys.job('indexed'),
    v: 1,
    kind: 'count',
    about,
    cursor: '3',
    rev: 2,
    runAt: 6_000,
    gsi1pk: 'JOBS',
    gsi1sk: `${toTimestamp(6_000)}#indexed`,
  };
  for (const item of [running, waiting, indexed]) await dynamo.put(item);
  await dynamo.put({
    ...keys.timer(5_000, 'job:waiting'),
    v: 1,
    kind: 'job',
    owner: 'job:waiting',
    about: { job: 'waiting' },
  });

  const handler = createJobsHandler({ jobs });
  // The same record again changes nothing.
  for (let times = 0; times < 2; times++) {
    await handler.handle([recordOf('running', running), recordOf('waiting', waiting)]);
  }
  await eventually(async () => expect(await jobs.adoptWaiting()).toBe(1));
  expect((await openTimers(dynamo)).map(({ id, due }) => [id, due])).toEqual([
    ['job:waiting', 5_000],
    ['job:indexed', 6_000],
    ['job:running', 10_000],
  ]);
  const control = createJobControl({ dynamo, now });
  await eventually(async () =>
    expect((await control.list('QUEUED', 10)).map(({ id }) => id)).toEqual(['indexed', 'running']),
  );
  for (const id of ['waiting', 'indexed', 'running']) {
    while (await stepOf(work, { id }));
    expect(await storedJob(dynamo, { id })).toBeUndefined();
  }
  expect(await openTimers(dynamo)).toEqual([]);
});

test('earlier releases: a job that a worker of the release before continues meanwhile is taken up again', async () => {
  const dynamo = await openDynamo();
  const { kind } = countingKind(5);
  const now = () => 10_000;
  const jobs = createJobs({ dynamo, now });
  const work = { dynamo, kinds: [kind], now };
  const id = 'shared';
  await jobs.add({ id, kind: 'count', about: {}, cursor: '1' });
  expect(await stepOf(work, { id })).toBe(true);
  // That worker runs a step, stores the cursor and removes the due time.
  const { version = 0 } = (await storedJob(dynamo, { id })) ?? {};
  await dynamo.update(keys.job(id), {
    update: 'SET #cursor = :cursor, rev = :rev REMOVE runAt, gsi1pk, gsi1sk',
    names: { '#cursor': 'cursor' },
    values: { ':cursor': '3', ':rev': version + 1 },
  });
  const item = (await dynamo.get(keys.job(id))) ?? {};
  await createJobsHandler({ jobs }).handle([recordOf(id, item)]);
  expect(await storedJob(dynamo, { id })).toMatchObject({ cursor: '3', state: 'QUEUED', runAt: 10_000 });
  // The timer of the step before is not the job's any more.
  const before = await storedJob(dynamo, { id });
  for (const one of await openTimers(dynamo)) {
    if (one.due !== before?.runAt) await createJobRunner(work)[0]?.handle(one, oneStep);
  }
  expect(await storedJob(dynamo, { id })).toEqual(before);
  while (await stepOf(work, { id }));
  expect(await storedJob(dynamo, { id })).toBeUndefined();
});
