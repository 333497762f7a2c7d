/** A deletion that is interrupted anywhere ends as one that was not, and all numbers are right at every moment. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { counters } from '../../src/app/features.ts';
import { createTimestamps } from '../../src/core/timestamps.ts';
import type { Dynamo } from '../../src/dynamo/dynamo.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { createDeletionJob } from '../../src/roomDeletion/deletionJob.ts';
import { createRoomDeletion } from '../../src/roomDeletion/roomDeletion.ts';
import { verify } from '../../src/verify/verify.ts';
import { runSteps } from '../jobs/support/steps.ts';
import { Killed, killedAt, killedWhen } from '../support/database/killedAt.ts';
import { budget } from '../support/run/budget.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { createFullRoom, remainsOf } from './support/room.ts';

describe('a deletion that is interrupted', () => {
  let app: TestApp;
  beforeAll(async () => {
    // Without a consumer: the test runs the job.
    app = await startTestApp({ role: 'api' });
  });
  afterAll(() => app?.stop());

  const jobOn = (dynamo: Dynamo) =>
    createDeletionJob({ dynamo, timestamps: createTimestamps(), now: Date.now });

  const run = (dynamo: Dynamo, room: string, from: string) => runSteps(jobOn(dynamo), { room }, from);

  async function expectRightNumbers(): Promise<void> {
    const { differences } = await verify({ dynamo: app.dynamo, counters, fix: false });
    expect(differences).toEqual([]);
  }

  async function deleteWithCrashes(crashes: ReadonlyArray<Parameters<typeof killedAt>[1]>): Promise<void> {
    const { aki, room } = await createFullRoom(app, 30);
    const publisher = {
      publish: async () => {},
      resync: () => {},
      settled: async () => {},
      stop: async () => {},
    };
    const options = { publisher, timestamps: createTimestamps(), now: Date.now };
    // Without the part that a request does itself.
    const away = {
      ...app.dynamo,
      query: () => Promise.reject(new Killed()),
    };
    await createRoomDeletion({ ...options, dynamo: away }).deleteRoom(aki.id, room);
    expect(await app.dynamo.get(keys.membership(aki.id, room))).toBeDefined();
    let cursor: string | null = 'members';
    for (const crash of crashes) {
      if (cursor === null) break;
      cursor = await run(killedAt(app.dynamo, crash), room, cursor);
      await expectRightNumbers();
    }
    if (cursor !== null) expect(await run(app.dynamo, room, cursor)).toBeNull();
    await app.dynamo.remove((await jobKey(room)) ?? { pk: '-', sk: '-' });
    expect(await remainsOf(app, room)).toEqual([]);
    await expectRightNumbers();
  }

  async function jobKey(room: string) {
    for await (const { pk, sk, about } of app.dynamo.scan({})) {
      if (String(pk).startsWith('JOB#') && (about as { room?: string }).room === room) {
        return { pk: String(pk), sk: String(sk) };
      }
    }
    return undefined;
  }

  const { numRuns, timeout, within } = budget({ runs: 10, seconds: 6 });

  test('ends as one that was not', { timeout }, async () => {
    const crash = fc.record({ writes: fc.integer({ min: 1, max: 40 }), when: killedWhen });
    const crashes = fc.array(crash, { minLength: 1, maxLength: 5 });
    await fc.assert(fc.asyncProperty(crashes, within(deleteWithCrashes)), { numRuns });
  });

  test('ends although messages count likes that they do not have', async () => {
    const { aki, room, root, reply } = await createFullRoom(app, 30);
    // As after a bug.
    for (const { threadTs, ts } of [root, reply]) {
      await app.dynamo.update(keys.message(room, threadTs, ts), {
        update: 'SET likeCount = likeCount + :one',
        values: { ':one': 1 },
      });
    }
    await app.services.roomDeletion.deleteRoom(aki.id, room);
    expect(await run(app.dynamo, room, 'members')).toBeNull();
    await app.dynamo.remove((await jobKey(room)) ?? { pk: '-', sk: '-' });
    expect(await remainsOf(app, room)).toEqual([]);
    await expectRightNumbers();
  });

  test('ends if two processes run each step at the same time', async () => {
    const { aki, room } = await createFullRoom(app, 30);
    await app.services.roomDeletion.deleteRoom(aki.id, room);
    await Promise.all([1, 2, 3].map(() => run(app.dynamo, room, 'members')));
    await app.dynamo.remove((await jobKey(room)) ?? { pk: '-', sk: '-' });
    expect(await remainsOf(app, room)).toEqual([]);
    await expectRightNumbers();
  });
});
