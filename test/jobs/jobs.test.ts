import { expect, onTestFinished, test } from 'vitest';
import { idFrom } from '../../src/core/ids.ts';
import { toTimestamp } from '../../src/core/timestamps.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { createJobsHandler } from '../../src/jobs/handlers.ts';
import { createJobs, createJobsVisitor, type JobKind, jobOf } from '../../src/jobs/jobs.ts';
import { rebuild } from '../../src/rebuild/rebuild.ts';
import { openTestDynamo } from '../support/database/dynamo.ts';
import { startTestApp } from '../support/servers/app.ts';
import { eventually } from '../support/time/eventually.ts';
import { storedTimer } from '../timers/support/timers.ts';

const ABOUT = { room: 'r', t: toTimestamp(1), c: toTimestamp(1) };

test('createStreamConsumer: runs a waiting job when its time has come', async () => {
  const app = await startTestApp();
  onTestFinished(() => app.stop());
  const id = idFrom('a waiting job');
  await createJobs(app).add({
    ...{ id, kind: 'clearStamps', about: ABOUT, cursor: 'more', runAt: Date.now() + 50 },
  });
  await eventually(async () => expect(await app.dynamo.get(keys.job(id))).toBeUndefined());
});

test('createJobs: its timer starts a job that waits, at its time; continues jobs of an earlier release', async () => {
  const { dynamo, stop } = await openTestDynamo();
  onTestFinished(stop);
  const steps: Array<string | null> = [];
  const kind: JobKind = {
    name: 'count',
    async step(_about, cursor) {
      steps.push(cursor);
      const next = Number(cursor ?? 0) + 1;
      return next === 4 ? null : next === 2 ? { cursor: '2', runAt: 5_000 } : String(next);
    },
  };
  let now = 1_000;
  const jobs = createJobs({ dynamo, now: () => now });
  const handler = createJobsHandler({ dynamo, kinds: [kind], now: () => now });
  const id = idFrom('a job');
  const item = () => dynamo.get(keys.job(id));
  const handle = async () => {
    const key = { type: 'job', id } as const;
    const change = { stream: 's', sequence: '1', kind: 'MODIFY', key, expired: false } as const;
    const stored = await item();
    if (stored !== undefined) await handler.handle([{ ...change, new: stored }]);
  };

  // An item without `runAt`, as an earlier release writes it.
  await dynamo.put({ ...keys.job(id), v: 1, kind: 'count', about: {}, cursor: '0', rev: 1 });
  await handle();
  expect(await item()).toMatchObject({ cursor: '1', rev: 2 });
  expect(await item()).not.toHaveProperty('runAt');
  await handle();
  expect(await item()).toMatchObject({ cursor: '2', rev: 3, runAt: 5_000 });

  // Neither its stream record, nor its timer, nor a rebuild runs it early.
  const timer = await storedTimer<{ readonly job: string }>(dynamo, 5_000, `job:${id}`);
  await handle();
  await jobs.timerKind.handle(timer);
  await dynamo.remove(keys.timer(timer.due, timer.id));
  await rebuild({ dynamo, visitors: [createJobsVisitor(jobs)] });
  expect(await item()).toMatchObject({ cursor: '2', rev: 3, runAt: 5_000 });
  // A rebuild sets the timer of a job that waits.
  expect(await storedTimer(dynamo, 5_000, `job:${id}`)).toEqual(timer);
  now = 5_000;
  await jobs.timerKind.handle(timer);
  expect(await item()).toMatchObject({ cursor: '2', rev: 4 });
  expect(await item()).not.toHaveProperty('runAt');
  // The same timer again changes nothing.
  await jobs.timerKind.handle(timer);
  expect(await item()).toMatchObject({ cursor: '2', rev: 4 });
  await handle();
  await handle();
  expect(steps).toEqual(['0', '1', '2', '3']);
  expect(await item()).toBeUndefined();
});

test('adoptWaiting: a job that an earlier release left waiting in the index gets a timer', async () => {
  const { dynamo, stop } = await openTestDynamo();
  onTestFinished(stop);
  const jobs = createJobs({ dynamo, now: () => 1_000 });
  const id = idFrom('a waiting job');
  const waiting = { runAt: 5_000, gsi1pk: 'JOBS', gsi1sk: `${toTimestamp(5_000)}#${id}` };
  await dynamo.put({ ...keys.job(id), v: 1, kind: 'count', about: {}, cursor: '3', rev: 7, ...waiting });
  await eventually(async () => expect(await jobs.adoptWaiting()).toBe(1));
  expect(await storedTimer(dynamo, 5_000, `job:${id}`)).toMatchObject({ kind: 'job', about: { job: id } });
  const item = await dynamo.get(keys.job(id));
  expect(item).toMatchObject({ cursor: '3', rev: 7, runAt: 5_000 });
  expect(item).not.toHaveProperty('gsi1pk');
  await eventually(async () => expect(await jobs.adoptWaiting()).toBe(0));
});

test('createJobsHandler: a job of an unknown kind waits for a worker that knows it, for an hour', async () => {
  const { dynamo, stop } = await openTestDynamo();
  onTestFinished(stop);
  const kind: JobKind = { name: 'new', step: async () => null };
  let now = 1_000;
  const oldWorker = createJobsHandler({ dynamo, kinds: [], now: () => now });
  const newWorker = createJobsHandler({ dynamo, kinds: [kind], now: () => now });
  const jobs = createJobs({ dynamo, now: () => now });
  const id = idFrom('a job of a new kind');
  const item = () => dynamo.get(keys.job(id));
  const handleBy = async ({ handle }: typeof oldWorker) => {
    const key = { type: 'job', id } as const;
    const change = { stream: 's', sequence: '1', kind: 'MODIFY', key, expired: false } as const;
    await handle([{ ...change, new: (await item()) ?? {} }]);
  };
  /** A minute later the job is due. */
  const start = async () => {
    now += 60_000;
    await jobs.start(jobOf(id, (await item()) ?? {}));
  };

  await jobs.add({ id, kind: 'new', about: {}, cursor: '7' });
  await handleBy(oldWorker);
  expect(await item()).toMatchObject({ cursor: '7', runAt: 61_000 });
  for (let minute = 1; minute < 60; minute++) {
    await start();
    await handleBy(oldWorker);
  }
  await start();
  await expect(handleBy(oldWorker)).rejects.toThrow('no job kind named new');
  await handleBy(newWorker);
  expect(await item()).toBeUndefined();
});
