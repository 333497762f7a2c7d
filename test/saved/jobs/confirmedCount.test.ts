/** What becomes public with a tag is what the user has confirmed, also if the job has to wait for another one. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTimestamps } from '../../../src/core/timestamps.ts';
import type { Dynamo } from '../../../src/dynamo/dynamo.ts';
import { keys } from '../../../src/dynamo/keys.ts';
import { decodeId } from '../../../src/graphql/ids.ts';
import { createJobRunner } from '../../../src/jobs/runner.ts';
import { createTagJobs } from '../../../src/saved/jobs/tagJobs.ts';
import { createSaving } from '../../../src/saved/saving.ts';
import { type Person, people, roomOf, say } from '../../support/clients/people.ts';
import { beforeTransactions } from '../../support/database/beforeTransactions.ts';
import { startTestApp, type TestApp } from '../../support/servers/app.ts';
import { openTimers } from '../../timers/support/timers.ts';
import {
  Jobs,
  MergeSavedTags,
  SavedMessages,
  SavedTags,
  SaveMessage,
  SetVisibilityOfTagged,
} from '../support/operations.ts';
import { storedOf } from '../support/stored.ts';

/** A job with this number of messages is not done in the answer. */
const MANY = 30;

let app: TestApp;
beforeAll(async () => {
  // Without a consumer: the test runs the jobs.
  app = await startTestApp({ role: 'api' });
});
afterAll(() => app?.stop());

/** Ben, who has saved messages privately: for each tag, how many. */
async function savedBy(counts: Readonly<Record<string, number>>) {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, [ben]);
  const save = async (name: string) => {
    const { id: messageId } = await say(aki, roomId, name);
    await ben.do(SaveMessage, { input: { messageId, tags: [name], visibility: 'PRIVATE' } });
  };
  for (const [name, count] of Object.entries(counts)) for (let i = 0; i < count; i++) await save(name);
  const { edges } = (await ben.do(SavedTags, {})).viewer.savedTags;
  const idOf = (name: string) => edges.find(({ node }) => node.name === name)?.node.id ?? '';
  const publish = async (name: string, visibility: 'PUBLIC' | 'PRIVATE' = 'PUBLIC') => {
    const input = { tagId: idOf(name), visibility, expectedCount: counts[name] ?? 0 };
    return (await ben.do(SetVisibilityOfTagged, { input })).setVisibilityOfTagged.job;
  };
  return { ben, save, idOf, publish };
}

/** Runs one slice of the user's jobs: one step of one job. Resolves to false if there is nothing to do. */
async function step({ id }: Person, dynamo: Dynamo = app.dynamo): Promise<boolean> {
  const due = (await openTimers(dynamo)).find(({ owner }) => owner === `jobs:${id}`);
  if (due === undefined) return false;
  const { kinds } = createTagJobs({ dynamo });
  const budget = { reserve: () => 0, settle() {} };
  const runners = createJobRunner({ dynamo, kinds, now: Date.now, budget });
  const run = { shouldYield: () => true, also: [], add() {} };
  await runners.find(({ name }) => name === due.kind)?.handle(due, run);
  await app.dynamo.remove(keys.timer(due.due, due.id));
  return true;
}

async function runAll(person: Person): Promise<void> {
  while (await step(person));
}

const jobsOf = async (by: Person) =>
  (await by.do(Jobs, {})).viewer.jobs.edges.map(({ node: { state, failure, failureReason, done } }) => ({
    state,
    failure,
    failureReason,
    done,
  }));
const visibilities = async (by: Person, tag: string) =>
  (await by.do(SavedMessages, { first: 100, tags: [tag] })).viewer.savedMessages.edges.map(
    ({ node }) => node.visibility,
  );

const OTHER_COUNT = { state: 'FAILED', failure: 'CONFLICT', failureReason: 'COUNT_CHANGED', done: 0 };
const done = (count: number) => ({ state: 'DONE', failure: null, failureReason: null, done: count });

test.each(['PUBLIC', 'PRIVATE'] as const)(
  'a merge that is queued before brings in more: nothing becomes %s',
  async (visibility) => {
    const { ben, idOf, publish } = await savedBy({ diary: MANY, talks: 2 });
    if (visibility === 'PRIVATE') {
      await publish('talks');
      await publish('diary');
      await runAll(ben);
    }
    const before = await visibilities(ben, 'diary');
    const input = { fromTagId: idOf('diary'), intoTagId: idOf('talks') };
    await ben.do(MergeSavedTags, { input });
    expect(await publish('talks', visibility)).toMatchObject({ state: 'QUEUED', total: 2 });
    await runAll(ben);
    expect((await jobsOf(ben)).slice(0, 2)).toEqual([OTHER_COUNT, done(MANY)]);
    expect(await visibilities(ben, 'talks')).toEqual([...before, ...before.slice(0, 2)]);
    expect((await storedOf(app.dynamo, ben.id)).faults).toEqual([]);
  },
);

test('one that has begun goes on, with what the tag had then', async () => {
  const { ben, save, publish } = await savedBy({ talks: MANY });
  await publish('talks');
  expect(await step(ben)).toBe(true);
  await save('talks');
  await runAll(ben);
  expect(await jobsOf(ben)).toEqual([expect.objectContaining({ state: 'DONE' })]);
  const all = await visibilities(ben, 'talks');
  expect(all.toSorted()).toEqual(['PRIVATE', ...Array(MANY).fill('PUBLIC')]);
});

test('the tag is given to more at the moment at which the job begins: nothing becomes public', async () => {
  const { ben, idOf, publish } = await savedBy({ diary: 1, talks: MANY });
  const { dynamo } = app;
  await publish('talks');
  const saving = createSaving({ dynamo, timestamps: createTimestamps() });
  const [, diary = ''] = decodeId(idOf('diary')).id.split(':');
  const entry = (await storedOf(dynamo, ben.id)).entries.find(({ tags }) => tags.includes(diary));
  if (entry === undefined) throw new Error('Nothing is saved.');
  const { room, threadTs, ts } = entry;
  let given = 0;
  const give = async () => {
    if (given++ > 0) return;
    const tags = ['diary', 'talks'].map((name) => ({ shown: name, folded: name }));
    await saving.save({ user: ben.id, room, threadTs, ts }, { tags }, { known: true });
  };
  await step(ben, beforeTransactions(dynamo, give));
  await runAll(ben);
  expect(given).toBeGreaterThan(0);
  expect(await jobsOf(ben)).toEqual([OTHER_COUNT]);
  expect(await visibilities(ben, 'talks')).toEqual(Array(MANY + 1).fill('PRIVATE'));
});
