/**
 * Does saving cost more for a person who has saved a lot?
 *
 * Two people: one has saved a thousand messages and one a hundred thousand, with a tag for each ten. Every query of
 * saved messages by both, one after the other: the median of their times, the units of the last one, and the round
 * trips of one more on another server, which has answered it once before. Then both merge a tag that 10,000 more
 * messages have: time and units for each message, without the jobs' budget. The bench fails if units differ by more
 * than one, or round trips at all, because no request may depend on the size.
 *
 * The tables are imported before the database starts: the large one has 420,000 items. `SAVED=1000000` makes it ten
 * times as large, with 3 GB. Nearly all the time of that is the embedded database's own import, which puts items into
 * the trees of the table and the index one by one: the whole run with a million took 208 s on two cores, and 463 s on
 * two busy ones. That is too long for a run of all benches.
 */
import { userIdOf } from '../src/core/identity.ts';
import { toTimestamp } from '../src/core/timestamps.ts';
import { keys } from '../src/dynamo/keys.ts';
import type { Cost } from '../src/dynamo/metering.ts';
import { createPersonJobs } from '../src/jobs/personJobs.ts';
import { createJobRunner } from '../src/jobs/runner.ts';
import type { SavedEntry } from '../src/saved/entry.ts';
import { createTagJobs, MERGE } from '../src/saved/jobs/tagJobs.ts';
import * as ask from '../test/dynamo/support/costOperations.ts';
import { goneEntries, savedItems } from '../test/saved/support/bulk.ts';
import { newUser, roomOf, say, userOf } from '../test/support/clients/people.ts';
import { openTestDynamo, type TestDynamo } from '../test/support/database/dynamo.ts';
import { countRoundTrips, type RoundTrips } from '../test/support/database/roundTrips.ts';
import { startTestApp, type TestApp } from '../test/support/servers/app.ts';
import { openTimers } from '../test/timers/support/timers.ts';
import { recordResult } from './results.ts';
import { type SavedScene, savedRequests, saveFirst } from './savedRequests.ts';
import { compareSizes, type Measured, measureRequests, RUNS, unitsOf } from './sizes.ts';
import { printTable, rounded } from './support.ts';

const SIZES = [1_000, Number(process.env.SAVED ?? 100_000)] as const;
const MERGED = 10_000;
const HANDLE = 'saver';
const user = userIdOf(HANDLE);

/** Half of those to be merged have the other tag as well. */
function* entries(size: number): Generator<SavedEntry, void> {
  yield* goneEntries(user, size);
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

async function measure(size: number): Promise<Record<string, Measured>> {
  const database = await openTestDynamo({ items: savedItems(entries(size)) });
  const costs: Cost[] = [];
  const trips = await countRoundTrips(database.endpoint);
  const app = await startTestApp({ database, role: 'api', onCost: (cost) => costs.push(cost) });
  try {
    const [ben, aki] = [await userOf(app, HANDLE), await newUser(app)];
    const roomId = await roomOf(aki, [ben]);
    const scene = { app, ben, aki, roomId };
    const last = await saveFirst(scene);
    const results = await measureRequests(await savedRequests(scene, last), costs);
    const counted = await roundTripsOf({ ...database, endpoint: trips.endpoint }, trips, { ...scene, last });
    for (const [name, one] of Object.entries(results)) results[name] = { ...one, roundTrips: counted[name] };

    const ids: string[] = [];
    for (let i = 0; i < RUNS; i++) ids.push((await say(aki, roomId, `m${i}`)).id);
    const tags = ['t0', 't1', 't2'];
    const save = () => ben.do(ask.CostSave, { input: { messageId: ids.pop() ?? '', tags } });
    Object.assign(results, await measureRequests({ 'a save with 3 tags': save }, costs));
    results['a merge of 10,000, for each of them'] = await merge(app, costs);
    return results;
  } finally {
    await app.stop();
    await trips.stop();
    await database.stop();
  }
}

/** The round trips of each request on another server, which has answered it once before. */
async function roundTripsOf(
  database: TestDynamo,
  trips: RoundTrips,
  { ben, aki, roomId, last }: SavedScene & { readonly last: string },
): Promise<Readonly<Record<string, number>>> {
  const app = await startTestApp({ database, role: 'api' });
  try {
    const scene = { app, roomId, ben: await userOf(app, ben.handle), aki: await userOf(app, aki.handle) };
    const counts: Record<string, number> = {};
    for (const [name, request] of Object.entries(await savedRequests(scene, last))) {
      await request();
      counts[name] = await trips.during(request);
    }
    return counts;
  } finally {
    await app.stop();
  }
}

/** As the timers run it, but without pauses. */
async function merge({ dynamo }: TestApp, costs: Cost[]): Promise<Measured> {
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
  const { kinds } = createTagJobs({ dynamo });
  const budget = { reserve: () => 0, settle() {} };
  const runners = createJobRunner({ dynamo, kinds, now: Date.now, budget });
  const nextTimer = async () => (await openTimers(dynamo)).find(({ owner }) => owner === `jobs:${user}`);

  costs.length = 0;
  let seconds = 0;
  for (let due = await nextTimer(); due !== undefined; due = await nextTimer()) {
    const start = performance.now();
    await runners.find(({ name }) => name === due?.kind)?.handle(due);
    await dynamo.remove(keys.timer(due.due, due.id));
    seconds += (performance.now() - start) / 1_000;
  }
  // The last step deletes the tag.
  const [from, into] = await dynamo.batchGet([keys.savedTag(user, 'from'), keys.savedTag(user, 'into')]);
  if (from !== undefined || into?.count !== MERGED) {
    throw new Error(`The merge ended with ${JSON.stringify({ from, into })}`);
  }
  const { read, write } = unitsOf(costs);
  return {
    read: rounded(read / MERGED, 1),
    write: rounded(write / MERGED, 1),
    ms: (seconds * 1_000) / MERGED,
  };
}

const [few, many] = [await measure(SIZES[0]), await measure(SIZES[1])];
const rows = compareSizes([few, many], 'ms (requests: p50)');
printTable(`A person who has saved ${SIZES[0]} messages, and one with ${SIZES[1]}`, rows);
recordResult('saved', rows);
