/** Jobs on tags over rows and tags that do not match, as a fault of the past may have left them: each job ends. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toTimestamp } from '../../../src/core/timestamps.ts';
import { keys } from '../../../src/dynamo/keys.ts';
import { createPersonJobs } from '../../../src/jobs/personJobs.ts';
import { rowsOf, type SavedEntry } from '../../../src/saved/entry.ts';
import { createTagJobs, DELETE, MERGE, PUBLISH } from '../../../src/saved/jobs/tagJobs.ts';
import { stepOf, storedJob } from '../../jobs/support/steps.ts';
import { type Person, people, roomOf, say } from '../../support/clients/people.ts';
import { startTestApp, type TestApp } from '../../support/servers/app.ts';
import { SaveMessage } from '../support/operations.ts';
import { storedOf } from '../support/stored.ts';

let app: TestApp;
beforeAll(async () => {
  // Without a consumer: the test runs the jobs.
  app = await startTestApp({ role: 'api' });
});
afterAll(() => app?.stop());

/** More than any of these jobs needs. */
const STEPS_MAX = 12;

async function fixture() {
  const [ben] = await people(app, 1);
  const roomId = await roomOf(ben);
  const save = async (tags: string[]): Promise<SavedEntry> => {
    const { id: messageId } = await say(ben, roomId, tags.join(' '));
    await ben.do(SaveMessage, { input: { messageId, tags } });
    const { entries } = await storedOf(app.dynamo, ben.id);
    const saved = entries.toSorted((a, b) => (a.savedAt < b.savedAt ? -1 : 1)).at(-1);
    if (saved === undefined) throw new Error('Nothing is saved.');
    return saved;
  };
  const tagId = async (name: string) =>
    String((await app.dynamo.get(keys.savedTagName(ben.id, name)))?.tag ?? '');
  return { ben, save, tagId };
}

/** Runs a job, step by step, until it ends. */
async function run({ id: user }: Person, kind: string, about: object) {
  const { dynamo } = app;
  let time = Date.now() + 3_600_000;
  const now = () => ++time;
  const budget = { reserve: () => 0, settle() {} };
  const job = await createPersonJobs({ dynamo, now }).add(user, {
    kind,
    about: { ...about, user, name: 'x' },
  });
  const { kinds } = createTagJobs({ dynamo });
  for (let step = 0; step < STEPS_MAX; step++) await stepOf({ dynamo, kinds, now, budget }, job);
  return (await storedJob(dynamo, job))?.state;
}

/** Rows of a tag that no entry has: of a message that is not saved, and of one that lost the tag. */
async function leaveRows(user: string, tag: string, other: SavedEntry): Promise<void> {
  const { room } = other;
  const [ts, savedAt] = [toTimestamp(1_000), toTimestamp(2_000)];
  const never: SavedEntry = {
    user,
    room,
    threadTs: ts,
    ts,
    savedAt,
    visibility: 'PRIVATE',
    note: null,
    remindAt: null,
    version: 1,
    tags: [tag],
  };
  for (const entry of [never, { ...other, tags: [tag] }, { ...other, savedAt, tags: [tag] }]) {
    for (const row of rowsOf(entry).values()) if (row.pk.endsWith(tag)) await app.dynamo.put(row);
  }
}

test.each([DELETE, MERGE])('%s: removes rows that are of no entry, and ends', async (kind) => {
  const { ben, save, tagId } = await fixture();
  await save(['work', 'b']);
  const other = await save(['b']);
  const tag = await tagId('work');
  await leaveRows(ben.id, tag, other);
  expect((await storedOf(app.dynamo, ben.id)).faults).toHaveLength(3);
  const about = { tag, into: await tagId('b'), intoName: 'b', intoFolded: 'b' };
  expect(await run(ben, kind, about)).toBe('DONE');
  const { entries, faults } = await storedOf(app.dynamo, ben.id);
  expect(faults).toEqual([]);
  expect(entries.map(({ tags }) => tags)).toEqual([[about.into], [about.into]]);
});

test('setVisibilityOfTagged: takes tags away that do not exist, and ends', async () => {
  const { ben, save, tagId } = await fixture();
  await save(['work', 'lost']);
  await save(['work']);
  const [tag, lost] = [await tagId('work'), await tagId('lost')];
  await app.dynamo.remove(keys.savedTag(ben.id, lost));
  await app.dynamo.remove(keys.savedTagName(ben.id, 'lost'));
  expect(await run(ben, PUBLISH, { tag, visibility: 'PUBLIC', expected: 2 })).toBe('DONE');
  const { entries, faults } = await storedOf(app.dynamo, ben.id);
  expect(faults).toEqual([]);
  expect(entries.map(({ tags, visibility }) => [tags, visibility])).toEqual(Array(2).fill([[tag], 'PUBLIC']));
});

test('setVisibilityOfTagged: changes an entry once that has two rows of the tag, and ends', async () => {
  const { ben, save, tagId } = await fixture();
  const saved = await save(['work']);
  const tag = await tagId('work');
  await leaveRows(ben.id, tag, saved);
  expect(await run(ben, PUBLISH, { tag, visibility: 'PUBLIC', expected: 1 })).toBe('DONE');
  const { entries } = await storedOf(app.dynamo, ben.id);
  expect(entries.map(({ tags, visibility }) => [tags, visibility])).toEqual([[[tag], 'PUBLIC']]);
});
