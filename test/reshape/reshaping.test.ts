/** A table of the release before gets the new shape, and goes back. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { secondsOf } from '../../src/core/timestamps.ts';
import type { Dynamo } from '../../src/dynamo/dynamo.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { createJobControl } from '../../src/jobs/control.ts';
import { messageItem } from '../../src/messages/message.ts';
import { conversionJobId, createConversionJob } from '../../src/reshape/conversionJob.ts';
import { heartbeatItem } from '../../src/reshape/heartbeats.ts';
import { SHAPE } from '../../src/reshape/newestShape.ts';
import { planOf } from '../../src/reshape/plan.ts';
import { createReshaping } from '../../src/reshape/reshaping.ts';
import { openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';
import { hastyClock } from '../support/time/clock.ts';
import { createRehearsal, messagesIn, withoutShape } from './support/job.ts';
import { empty, fill, RATE, rootsOf, textOf } from './support/messages.ts';

let database: TestDynamo;
let dynamo: Dynamo;
beforeAll(async () => {
  database = await openTestDynamo({ file: true });
  ({ dynamo } = database);
});
afterAll(() => database.stop());

describe('a table of the release before', () => {
  beforeEach(async () => {
    await empty(dynamo);
    await withoutShape(dynamo);
  });

  test('is converted and back, and is then what it was; finished, there is no way back', async () => {
    const messages = await fill(dynamo, 90);
    const before = await messagesIn(dynamo);
    const rehearsal = createRehearsal(dynamo);
    const plan = await planOf({ dynamo, shape: SHAPE, direction: 'up', rate: 100, items: 0 });
    expect(plan).toMatchObject({ items: 90, sampled: 90, groups: 30, writeUnits: 30 * 8, seconds: 3 });
    // Each group that is looked at is two keys. Two passes read 16 parts of 40 kB, of which each begins a unit.
    expect(plan.readUnits).toBeGreaterThan(30 * 2 + 2 * 10);
    expect(plan.readUnits).toBeLessThan(30 * 2 + 2 * (16 + 30));
    expect(plan.dollars).toBeCloseTo(plan.writeUnits * 0.625e-6 + plan.readUnits * 0.125e-6, 12);
    expect(plan.dollarsPerMillion).toBeCloseTo((plan.dollars / 90) * 1e6, 9);
    await rehearsal.start({ rate: RATE });
    expect(await rehearsal.status()).toMatchObject({
      inForce: 2,
      change: { direction: 'up', converted: false },
    });
    await expect(rehearsal.finish()).rejects.toThrow('Not all items have shape 2 yet. See `status`.');
    const { converted, units } = await rehearsal.convert();
    expect([converted, units > 0]).toEqual([30, true]);
    const done = await rehearsal.status();
    expect(done).toMatchObject({
      change: { converted: true },
      job: { state: 'DONE', pass: 2, converted, units },
    });
    // The second pass also reads the bodies that are apart.
    expect(done.job?.scanned).toBeGreaterThanOrEqual(90 + 120);
    const after = Object.values(await messagesIn(dynamo));
    expect(after.filter(({ bodyApart }) => bodyApart === true)).toHaveLength(30);
    expect(after).toHaveLength(120);
    for (const message of messages) expect(await textOf(dynamo, message)).toBe(message.body);
    await rehearsal.back();
    expect(await rehearsal.status()).toMatchObject({ inForce: 1, change: { direction: 'down' } });
    await rehearsal.convert();
    expect(await messagesIn(dynamo)).toEqual(before);
    await rehearsal.start({ rate: RATE });
    await rehearsal.convert();
    await rehearsal.finish();
    expect(await rehearsal.status()).toMatchObject({ inForce: 2 });
    expect((await rehearsal.status()).change).toBeUndefined();
    await expect(rehearsal.back()).rejects.toThrow(
      'The table has shape 2, and no change is under way: a change that is finished, or the shape of a new table, cannot be taken back.',
    );
    await expect(rehearsal.start({ rate: RATE })).rejects.toThrow('The table has shape 2 already.');
  });

  test('refuses what cannot be done, in one sentence, and changes nothing', async () => {
    const rehearsal = createRehearsal(dynamo);
    const { start, back, finish, pause, resume, now } = rehearsal;
    const none = 'No change is under way: the table has shape 1.';
    await expect(finish()).rejects.toThrow(none);
    await expect(pause()).rejects.toThrow(none);
    await expect(resume(5)).rejects.toThrow(none);
    await expect(back()).rejects.toThrow('The table has shape 1. There is nothing to take back.');
    await expect(start({ to: 9, rate: 1 })).rejects.toThrow(
      'This release does not change tables to shape 9, only to shape 2.',
    );
    await dynamo.put(heartbeatItem({ server: 'old', host: 'db7', knows: [1], follows: 0 }, now()));
    await expect(start({ rate: 1 })).rejects.toThrow(
      'The server old on db7 does not know shape 2. Replace it by this release first.',
    );
    expect(await dynamo.get(keys.shape())).toBeUndefined();
    await dynamo.remove(keys.heartbeat('old'));
    const both = await Promise.allSettled([start({ rate: 1 }), start({ rate: 1 })]);
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(start({ rate: 1 })).rejects.toThrow(
      'The change to shape 2 is already under way. See `status`.',
    );
    await back();
    await expect(back()).rejects.toThrow('The table is on its way back to shape 1. See `status`.');
  });

  test('is not converted before every server follows', async () => {
    await fill(dynamo, 3);
    const rehearsal = createRehearsal(dynamo);
    await rehearsal.start({ rate: RATE });
    const { version } = await rehearsal.status();
    await dynamo.put(heartbeatItem({ server: 's', host: 'h', knows: [1, 2], follows: version - 1 }, 1e12));
    for (let n = 0; n < 5; n++) expect(await rehearsal.step(version)).toBe(true);
    await dynamo.put(heartbeatItem({ server: 's', host: 'h', knows: [1, 2], follows: version }, 1e12));
    let steps = 0;
    while (await rehearsal.step(version)) steps++;
    expect(steps).toBeLessThan(5);
    expect((await rehearsal.status()).change?.converted).toBe(true);
  });

  test('is read once while a server does not follow, and once more when that one has been gone for 10 s', async () => {
    await fill(dynamo, 3);
    const control = createJobControl({ dynamo, now: Date.now });
    let time = Date.now();
    const now = () => time;
    const { start, status } = createReshaping({ dynamo, control, now });
    const job = createConversionJob({ dynamo, now, clock: hastyClock });
    await start({ rate: RATE });
    const { version } = await status();
    /** A step a second. The job is stored as its runner stores it. */
    async function steps(seconds: number): Promise<void> {
      for (const until = time + seconds * 1_000; time <= until; time += 1_000) {
        const { cursor } = (await control.find({ id: conversionJobId({ version }) })) ?? {};
        const next = await job.step({ version }, cursor ?? null);
        if (next === null) return;
        const set = { ':cursor': typeof next === 'string' ? next : next.cursor };
        await dynamo.update(keys.job(conversionJobId({ version })), {
          update: 'SET #cursor = :cursor',
          names: { '#cursor': 'cursor' },
          values: set,
        });
      }
    }
    const killed = { server: 'killed', host: 'h', knows: [1, 2], follows: version - 1 };
    await dynamo.put(heartbeatItem(killed, time));
    const gone = time + 60_000;
    await steps(50);
    const waits = (await status()).job;
    expect(waits).toMatchObject({ pass: 2, converted: 1 });
    expect(waits?.waiting).toMatchObject({
      servers: [{ server: 'killed' }],
      until: secondsOf(gone) * 1_000 + 10_000,
    });
    // With the shape, the job and the heartbeat.
    const items = 3 + 3;
    expect(waits?.scanned).toBe(items);
    await steps(12);
    const quiet = (await status()).job;
    expect(quiet).toMatchObject({ pass: 2, scanned: items, waiting: { servers: [] } });
    for (const state of ['PAUSED', 'FAILED', 'QUEUED'] as const) {
      const set = { names: { '#state': 'state' }, values: { ':state': state } };
      const key = keys.job(conversionJobId({ version }));
      await dynamo.update(key, { update: 'SET #state = :state', ...set });
      expect((await status()).job?.waiting === undefined).toBe(state !== 'QUEUED');
    }
    await steps(12);
    // The second pass also reads the body that is apart.
    expect((await status()).job).toMatchObject({ state: 'DONE', pass: 2, scanned: items + items + 1 });
  });

  test('has no made-up state, if the job is done and deleted while its status is read', async () => {
    await fill(dynamo, 3);
    const rehearsal = createRehearsal(dynamo);
    await rehearsal.start({ rate: RATE });
    const { now } = rehearsal;
    const control = createJobControl({ dynamo, now });
    let ends = async () => {
      await rehearsal.convert();
    };
    const find: typeof control.find = async (job) => {
      await ends();
      ends = async () => {};
      await dynamo.remove(keys.job(job.id));
      return control.find(job);
    };
    const { status } = createReshaping({ dynamo, control: { ...control, find }, now });
    expect((await status()).job).toMatchObject({ state: 'DONE', pass: 2 });
    // One that was cancelled is deleted after a week.
    await rehearsal.back();
    expect(await status()).not.toHaveProperty('job');
  });

  test('is not converted by a pass in which a server began to follow: it may have written the shape before', async () => {
    const [message] = rootsOf(1, 1);
    if (message === undefined) throw new Error('There is no message.');
    const rehearsal = createRehearsal(dynamo);
    await rehearsal.start({ rate: RATE });
    const { version } = await rehearsal.status();
    const late = heartbeatItem({ server: 's', host: 'h', knows: [1, 2], follows: version - 1 }, 1e12);
    await dynamo.put(late);
    let pages = 0;
    await rehearsal.step(version, {
      ...dynamo,
      async scanPage(...args) {
        const page = await dynamo.scanPage(...args);
        pages++;
        if (pages === 8) {
          await dynamo.put(messageItem(message));
          await dynamo.put({ ...late, follows: version });
        }
        return page;
      },
    });
    expect(pages).toBe(8);
    expect((await rehearsal.status()).change?.converted).toBe(false);
    while (await rehearsal.step(version));
    expect(await rehearsal.status()).toMatchObject({
      change: { converted: true },
      job: { pass: 3, converted: 1 },
    });
    expect(await dynamo.get(keys.root(message.room, message.ts))).toMatchObject({ v: 2, bodyApart: true });
  });
});
