/**
 * Does a merge of two tags slow down what its user saves meanwhile?
 *
 * One person saves messages with 3 tags, one of which is the one that is merged into. In turns of two seconds the merge
 * rests and runs: at its usual rate, then without pauses. So both are measured by the same process within the same
 * seconds. The bench fails if saves at the usual rate take twice as long, because that is the promise.
 *
 * The server and the merge share a process and a core, as on a small installation.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { userIdOf } from '../src/core/identity.ts';
import { toTimestamp } from '../src/core/timestamps.ts';
import { keys } from '../src/dynamo/keys.ts';
import type { Budget } from '../src/jobs/budget.ts';
import { createPersonJobs } from '../src/jobs/personJobs.ts';
import { createJobRunner } from '../src/jobs/runner.ts';
import type { SavedEntry } from '../src/saved/entry.ts';
import { createTagJobs, MERGE } from '../src/saved/jobs/tagJobs.ts';
import * as ask from '../test/dynamo/support/costOperations.ts';
import { savedItems } from '../test/saved/support/bulk.ts';
import { newUser, roomOf, say, userOf } from '../test/support/clients/people.ts';
import { openTestDynamo } from '../test/support/database/dynamo.ts';
import { startTestApp, type TestApp } from '../test/support/servers/app.ts';
import { openTimers } from '../test/timers/support/timers.ts';
import { recordResult } from './results.ts';
import { percentile, printTable, type Row, rounded } from './support.ts';

/** More than are merged. */
const MERGED = 30_000;
const TURNS = 5;
const TURN_MS = 2_000;
/** Between two saves. */
const PAUSE_MS = 10;
const RATIO_MAX = 2;
const HANDLE = 'saver';
const user = userIdOf(HANDLE);

function* entries(): Generator<SavedEntry, void> {
  const savedAt = Date.now() * 1_000 - 10 ** 12;
  for (let i = 0; i < MERGED; i++) {
    const ts = toTimestamp(2_000_000_000 + i);
    yield {
      user,
      room: 'gone',
      threadTs: ts,
      ts,
      savedAt: toTimestamp(savedAt + i),
      note: null,
      version: 1,
      remindAt: null,
      visibility: 'PRIVATE',
      tags: i % 2 === 0 ? ['from'] : ['from', 'into'],
    };
  }
}

/** Runs the merge, as the timers do, and stops between two steps. */
function createMerging({ dynamo }: TestApp, budget: Budget | undefined) {
  const { kinds } = createTagJobs({ dynamo });
  const runners = createJobRunner({ dynamo, kinds, now: Date.now, ...(budget && { budget }) });
  let isOn = false;
  let running = Promise.resolve();
  const nextTimer = async () => (await openTimers(dynamo)).find(({ owner }) => owner === `jobs:${user}`);

  async function merge(): Promise<void> {
    while (isOn) {
      const timer = await nextTimer();
      if (timer === undefined) throw new Error('The merge has ended: MERGED must be larger.');
      const early = timer.due - Date.now();
      if (early > 0) await wait(Math.min(early, 50));
      else {
        const run = { shouldYield: () => !isOn, also: [], add() {} };
        await runners.find(({ name }) => name === timer.kind)?.handle(timer, run);
        await dynamo.remove(keys.timer(timer.due, timer.id));
      }
    }
  }

  return {
    start() {
      isOn = true;
      running = merge();
    },
    async stop() {
      isOn = false;
      await running;
    },
  };
}

/**
 * How long each save of a turn took, in milliseconds. Each message is saved and removed again, which is not measured.
 */
async function saveForATurn(save: () => Promise<number>): Promise<number[]> {
  const times: number[] = [];
  for (const until = performance.now() + TURN_MS; performance.now() < until; await wait(PAUSE_MS)) {
    times.push(await save());
  }
  return times;
}

async function measure(): Promise<Row[]> {
  const database = await openTestDynamo({ items: savedItems(entries()) });
  const app = await startTestApp({ database, role: 'api' });
  const { dynamo } = app;
  try {
    const [ben, aki] = [await userOf(app, HANDLE), await newUser(app)];
    const roomId = await roomOf(aki, [ben]);
    const { id: messageId } = await say(aki, roomId, 'something');
    const about = {
      user,
      tag: 'from',
      name: 'from',
      into: 'into',
      intoName: 'into',
      intoFolded: 'into',
      expected: MERGED,
    };
    await createPersonJobs({ dynamo, now: Date.now }).add(user, { kind: MERGE, about });
    const countOf = async () => Number((await dynamo.get(keys.savedTag(user, 'from')))?.count);
    const save = async () => {
      const start = performance.now();
      await ben.do(ask.CostSave, { input: { messageId, tags: ['into', 'one', 'two'] } });
      const ms = performance.now() - start;
      await ben.do(ask.CostUnsave, { messageId });
      return ms;
    };
    await saveForATurn(save);

    const rows: Row[] = [];
    const rates = { 'at its rate': undefined, 'without pauses': { reserve: () => 0, settle() {} } };
    for (const [rate, budget] of Object.entries(rates)) {
      const merging = createMerging(app, budget);
      const [rests, runs]: [number[], number[]] = [[], []];
      const before = await countOf();
      for (let turn = 0; turn < TURNS; turn++) {
        rests.push(...(await saveForATurn(save)));
        merging.start();
        runs.push(...(await saveForATurn(save)));
        await merging.stop();
      }
      const merged = before - (await countOf());
      if (merged <= 0) throw new Error('Nothing was merged.');
      const [alone, during] = [percentile(rests, 50), percentile(runs, 50)];
      rows.push({
        'the merge runs': rate,
        'merged in a second': rounded((merged * 1_000) / (TURNS * TURN_MS)),
        saves: `${rests.length}, ${runs.length}`,
        'p50 of a save, ms: without, during': `${rounded(alone)}, ${rounded(during)}`,
        'p95, ms': `${rounded(percentile(rests, 95))}, ${rounded(percentile(runs, 95))}`,
        'p50, during / without': rounded(during / alone, 2),
      });
      if (budget === undefined && during >= RATIO_MAX * alone) {
        throw new Error(
          `A save took ${rounded(during)} ms during the merge, and ${rounded(alone)} ms without it.`,
        );
      }
    }
    return rows;
  } finally {
    await app.stop();
    await database.stop();
  }
}

const rows = await measure();
printTable('A save with 3 tags, while the same person merges two tags', rows);
recordResult('savesDuringMerge', rows);
