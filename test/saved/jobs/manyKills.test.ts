/** One merge, and a process that is killed again and again: 100 times with 10,000 messages in CI. */
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { counters } from '../../../src/app/features.ts';
import { newId } from '../../../src/core/ids.ts';
import { toTimestamp } from '../../../src/core/timestamps.ts';
import { keys } from '../../../src/dynamo/keys.ts';
import { createPersonJobs } from '../../../src/jobs/personJobs.ts';
import type { SavedEntry } from '../../../src/saved/entry.ts';
import { MERGE } from '../../../src/saved/jobs/tagJobs.ts';
import { verify } from '../../../src/verify/verify.ts';
import { run } from '../../process/support/run.ts';
import { type Operation, startFaultProxy } from '../../stream/support/faultProxy.ts';
import { programFile } from '../../support/builds/build.ts';
import { onDynamoDbLocal, openTestDynamo } from '../../support/database/dynamo.ts';
import { scaled } from '../../support/run/budget.ts';
import { seed } from '../../support/run/seed.ts';
import { openTimers } from '../../timers/support/timers.ts';
import { savedItems } from '../support/bulk.ts';
import { storedOf } from '../support/stored.ts';

// DynamoDB Local becomes slow with more items.
const KILLS = onDynamoDbLocal ? 10 : scaled(10);
/** A step moves 24 of them at most. */
const MESSAGES = 100 * KILLS;
const user = newId();

/** Some have the other tag already, and some have one that stays. */
const tagsOf = (i: number): string[] => [
  'from',
  ...(i % 3 === 0 ? ['into'] : []),
  ...(i % 7 === 0 ? [`t${i % 50}`] : []),
];

function* entries(): Generator<SavedEntry, void> {
  const room = newId();
  const start = Date.now() * 1_000;
  for (let i = 0; i < MESSAGES; i++) {
    const ts = toTimestamp(start + i);
    yield {
      user,
      room,
      threadTs: ts,
      ts,
      savedAt: ts,
      note: null,
      remindAt: null,
      version: 1,
      tags: tagsOf(i),
      visibility: i % 5 === 0 ? 'PUBLIC' : 'PRIVATE',
    };
  }
}

interface Kill {
  /** Which request of a process is its last: of all, or of those that store a step. */
  readonly of: 'all' | 'steps';
  readonly number: number;
  /** Before the database has it, or after it has answered. */
  readonly when: 'before' | 'after';
}

const someKill = (of: Kill['of'], max: number): fc.Arbitrary<Kill> =>
  fc.record({
    of: fc.constant(of),
    number: fc.integer({ min: 1, max }),
    when: fc.constantFrom('before', 'after'),
  });

/** No process gets further than four steps, of six requests at least. So each is killed before the merge ends. */
const kills: fc.Arbitrary<Kill> = fc.oneof(someKill('all', 24), someKill('steps', 4));

const OPERATIONS: readonly Operation[] = [
  ...(['GetItem', 'BatchGetItem', 'Query'] as const),
  ...(['TransactWriteItems', 'UpdateItem', 'DeleteItem'] as const),
];

/** A database behind a proxy that kills its client. */
async function open() {
  const database = await openTestDynamo({ items: savedItems(entries()) });
  const proxy = await startFaultProxy(database.endpoint);
  onTestFinished(async () => {
    await proxy.stop();
    await database.stop();
  });
  let [seen, steps] = [0, 0];
  let kill: Kill | undefined;
  /** The process ends with the next answer. */
  let isDying = false;
  let killNow = () => {};
  for (const operation of OPERATIONS) {
    proxy.onRequest(operation, () => {
      const isStep = operation === 'TransactWriteItems';
      seen++;
      if (isStep) steps++;
      if (kill === undefined || (kill.of === 'all' ? seen : isStep ? steps : 0) !== kill.number) return;
      if (kill.when === 'after') {
        isDying = true;
        return;
      }
      killNow();
      return new Promise(() => {});
    });
    proxy.rewrite(operation, () => {
      if (isDying) killNow();
      return undefined;
    });
  }
  const file = await programFile('handleTimer');

  /** Handles the merge's timer in a process of its own. False if there is none. */
  async function handle(one?: Kill): Promise<boolean> {
    const [timer] = await openTimers(database.dynamo);
    if (timer === undefined) return false;
    [seen, steps, kill, isDying] = [0, 0, one, false];
    const command = [process.execPath, file, proxy.endpoint, database.table, JSON.stringify(timer)] as const;
    const program = await run({ command });
    killNow = () => program.signal('SIGKILL');
    const { code, signal } = await program.ended;
    expect({ code, signal, stderr: program.stderr }).toEqual(
      one === undefined
        ? { code: 0, signal: null, stderr: '' }
        : { code: null, signal: 'SIGKILL', stderr: '' },
    );
    return true;
  }
  return { dynamo: database.dynamo, handle };
}

test(`a merge: a process that is killed ${KILLS} times leaves what one that was not leaves (seed ${seed})`, async () => {
  const { dynamo, handle } = await open();
  const before = await storedOf(dynamo, user);
  expect(before.faults).toEqual([]);
  const about = { user, tag: 'from', name: 'from', into: 'into', intoName: 'into', intoFolded: 'into' };
  const jobs = createPersonJobs({ dynamo, now: Date.now });
  const job = await jobs.add(user, {
    kind: MERGE,
    about: { ...about, expected: MESSAGES },
    total: MESSAGES,
  });

  for (const kill of fc.sample(kills, { numRuns: KILLS, seed })) expect(await handle(kill)).toBe(true);
  expect((await storedOf(dynamo, user)).faults).toEqual([]);
  expect(await dynamo.get(keys.savedTag(user, 'from'))).toBeDefined();

  expect(await handle()).toBe(true);
  expect(await handle()).toBe(false);
  expect(await jobs.find(user, job.id)).toMatchObject({ state: 'DONE', done: MESSAGES, total: MESSAGES });
  const after = await storedOf(dynamo, user);
  expect(after.faults).toEqual([]);
  const merged = (tags: readonly string[]) =>
    [...new Set(tags.map((tag) => (tag === 'from' ? 'into' : tag)))].sort();
  expect(
    after.entries.map(({ tags, version, ...entry }) => ({ ...entry, tags: [...tags].sort(), version })),
  ).toEqual(
    before.entries.map(({ tags, version, ...entry }) => ({
      ...entry,
      tags: merged(tags),
      version: version + 1,
    })),
  );
  expect(await dynamo.get(keys.savedTag(user, 'from'))).toBeUndefined();
  expect(await dynamo.get(keys.savedTag(user, 'into'))).toMatchObject({ count: MESSAGES });
  expect((await verify({ dynamo, counters, fix: false })).differences).toEqual([]);
});
