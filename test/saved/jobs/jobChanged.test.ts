/** What a user is sent of a job that they watch. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMemoryBus } from '../../../src/bus/memory.ts';
import { newId } from '../../../src/core/ids.ts';
import { createConsistentLoader } from '../../../src/dynamo/itemLoader.ts';
import { encodeId } from '../../../src/graphql/ids.ts';
import { changeJob, endJob } from '../../../src/jobs/job.ts';
import { createPersonJobs } from '../../../src/jobs/personJobs.ts';
import { createJobStreams } from '../../../src/saved/jobs/live/jobStreams.ts';
import { jobsTopic } from '../../../src/saved/jobs/live/update.ts';
import { DELETE } from '../../../src/saved/jobs/tagJobs.ts';
import { silent } from '../../stream/support/stream.ts';
import { people, roomOf, say } from '../../support/clients/people.ts';
import { startTestApp, type TestApp } from '../../support/servers/app.ts';
import { createTestClock } from '../../support/time/clock.ts';
import { eventually } from '../../support/time/eventually.ts';
import { JobChanged, MergeSavedTags, SavedTags, SaveMessage } from '../support/operations.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.stop());

const COMPLETE = 'The subscription is complete.';

describe('jobChanged', () => {
  test('sends a job as it advances, and completes at its end', async () => {
    const [ben] = await people(app, 1);
    const roomId = await roomOf(ben);
    for (let i = 0; i < 28; i++) {
      const { id: messageId } = await say(ben, roomId, `m${i}`);
      await ben.do(SaveMessage, { input: { messageId, tags: [i < 26 ? 'a' : 'b'] } });
    }
    const { edges } = (await ben.do(SavedTags, {})).viewer.savedTags;
    const [fromTagId = '', intoTagId = ''] = edges.map(({ node }) => node.id);
    const { mergeSavedTags } = await ben.do(MergeSavedTags, { input: { fromTagId, intoTagId } });
    const jobId = mergeSavedTags.job.id;
    const changes = ben.subscribe(JobChanged, { jobId });
    const { jobChanged } = await changes.until((event) => event.jobChanged.state === 'DONE');
    expect(jobChanged).toEqual({ id: jobId, state: 'DONE', done: 26, total: 26 });
    const done = changes.seen.map((event) => event.jobChanged.done);
    expect(done).toEqual([...done].sort((one, other) => one - other));
    await expect(changes.next()).rejects.toThrow(COMPLETE);
    // Of one that has ended its end is sent.
    const again = ben.subscribe(JobChanged, { jobId });
    expect((await again.next()).jobChanged).toEqual(jobChanged);
    await expect(again.next()).rejects.toThrow(COMPLETE);
  });

  test('NOT_FOUND for jobs of others, and for what is none', async () => {
    const [aki, ben] = await people(app, 2);
    const jobs = createPersonJobs({ dynamo: app.dynamo, now: Date.now });
    const { id } = await jobs.add(ben.id, { kind: DELETE, about: { user: ben.id, tag: 'x', name: 'x' } });
    const jobId = encodeId('Job', `${ben.id}:${id}`);
    await expect(aki.subscribe(JobChanged, { jobId }).next()).rejects.toThrow('NOT_FOUND');
    const unknown = encodeId('Job', `${ben.id}:${'9'.repeat(16)}`);
    for (const wrong of ['x', unknown, encodeId('User', ben.id)]) {
      await expect(ben.subscribe(JobChanged, { jobId: wrong }).next()).rejects.toThrow('NOT_FOUND');
    }
  });
});

describe('a subscription', () => {
  /** A job that only the test changes, on a server that gets only what the test publishes. */
  async function apart() {
    const user = newId();
    const { dynamo } = app;
    // It is due tomorrow.
    const jobs = createPersonJobs({ dynamo, now: () => Date.now() + 86_400_000 });
    const { id } = await jobs.add(user, { kind: DELETE, about: { user, tag: 'x', name: 'x' } });
    const bus = createMemoryBus({ log: silent });
    const clock = createTestClock();
    const items = createConsistentLoader(dynamo);
    const streams = createJobStreams({ items, bus, log: silent, clock });
    const read = async () => {
      const job = await jobs.find(user, id);
      if (job === null) throw new Error('There is no job.');
      return job;
    };
    const events = await streams.subscribe(user, id);
    return {
      clock,
      streams,
      events,
      take: async () => (await events.next()).value?.done,
      async advance(done: number) {
        const { key, ...change } = changeJob(await read(), { done });
        await dynamo.update(key, change);
      },
      async end() {
        await dynamo.transact([endJob(await read(), 'DONE', Date.now())]);
      },
      publish: async () => bus.publish(jobsTopic(user), { id, version: (await read()).version }),
    };
  }

  test('sends the newest state at most once a second', async () => {
    const { take, advance, publish, clock, streams } = await apart();
    expect(await take()).toBe(0);
    const next = take();
    for (const done of [1, 2, 3]) {
      await advance(done);
      await publish();
    }
    await eventually(() => expect(clock.waiting).toBe(1));
    clock.advance(999);
    await advance(4);
    clock.advance(1);
    expect(await next).toBe(4);
    streams.stop?.();
  });

  test('reads the job again after a gap, and at each comparison', async () => {
    const { take, advance, clock, streams } = await apart();
    await take();
    for (const [done, look] of [
      [1, streams.resync],
      [2, streams.compare],
    ] as const) {
      clock.advance(1_000);
      const next = take();
      await advance(done);
      await look();
      expect(await next).toBe(done);
    }
    streams.stop?.();
  });

  test('completes after the end of the job', async () => {
    const { events, take, end, publish, clock } = await apart();
    await take();
    clock.advance(1_000);
    await end();
    await publish();
    expect((await events.next()).value?.state).toBe('DONE');
    expect((await events.next()).done).toBe(true);
  });
});
