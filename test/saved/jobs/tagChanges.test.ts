/** Renaming, merging and deleting tags, and changing the visibility of everything with a tag. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decodeId } from '../../../src/graphql/ids.ts';
import { createPersonJobs } from '../../../src/jobs/personJobs.ts';
import { PUBLISH } from '../../../src/saved/jobs/tagJobs.ts';
import { LeaveRoom } from '../../support/clients/operations.ts';
import { type Person, people, roomOf, say } from '../../support/clients/people.ts';
import { startTestApp, type TestApp } from '../../support/servers/app.ts';
import { eventually } from '../../support/time/eventually.ts';
import { recount } from '../../verify/support/recount.ts';
import {
  CancelJob,
  DeleteSavedTag,
  JobNode,
  Jobs,
  MergeSavedTags,
  RenameSavedTag,
  SavedMessages,
  SavedTags,
  SaveMessage,
  SetVisibilityOfTagged,
} from '../support/operations.ts';
import { storedOf } from '../support/stored.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => {
  await app?.quiet();
  expect(await recount(app.dynamo)).toEqual([]);
  await app?.stop();
});

/** What Ben has saved: a message for each list of tags, every second one public. */
async function saved(...tags: string[][]) {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, [ben]);
  for (const [i, names] of tags.entries()) {
    const { id: messageId } = await say(aki, roomId, `m${i}`);
    const visibility = i % 2 === 0 ? 'PUBLIC' : 'PRIVATE';
    await ben.do(SaveMessage, { input: { messageId, tags: names, visibility } });
  }
  return { aki, ben, roomId };
}

const tagsOf = async (by: Person) =>
  (await by.do(SavedTags, {})).viewer.savedTags.edges.map(({ node }) => node);
const idOf = async (by: Person, name: string) =>
  (await tagsOf(by)).find((tag) => tag.name === name)?.id ?? '';
const listOf = async (by: Person, tag?: string) =>
  (
    await by.do(SavedMessages, { orderBy: 'SAVED_OLDEST', ...(tag === undefined ? {} : { tags: [tag] }) })
  ).viewer.savedMessages.edges.map(({ node }) => node);
const faultsOf = async ({ id }: Person) => (await storedOf(app.dynamo, id)).faults;

describe('renameSavedTag', () => {
  test('renames a tag, also if only its form changes, and keeps its id', async () => {
    const { ben } = await saved(['work', 'other'], ['work']);
    const tagId = await idOf(ben, 'work');
    for (const name of ['office', 'Office', 'Büro', 'büro']) {
      const { renameSavedTag } = await ben.do(RenameSavedTag, { input: { tagId, name } });
      expect(renameSavedTag).toEqual({ tag: { id: tagId, name, count: 2, publicCount: 1 }, job: null });
    }
    expect((await listOf(ben, 'BÜRO')).map(({ tags }) => tags)).toEqual([['büro', 'other'], ['büro']]);
    expect(await listOf(ben, 'work')).toEqual([]);
    expect(await faultsOf(ben)).toEqual([]);
  });

  test('to a name in use it is a merge', async () => {
    const { ben } = await saved(['work', 'office'], ['work'], ['office']);
    const [tagId, into] = [await idOf(ben, 'work'), await idOf(ben, 'office')];
    const { renameSavedTag } = await ben.do(RenameSavedTag, { input: { tagId, name: 'OFFICE' } });
    expect(renameSavedTag.tag.id).toBe(into);
    expect(renameSavedTag.job).toMatchObject({ kind: 'MERGE_SAVED_TAGS', state: 'DONE' });
    expect(renameSavedTag.job?.text).toBe('Merge “work” into “office”');
    expect(await tagsOf(ben)).toMatchObject([{ id: into, name: 'office', count: 3, publicCount: 2 }]);
    expect((await listOf(ben)).map(({ tags }) => tags)).toEqual([['office'], ['office'], ['office']]);
    expect(await faultsOf(ben)).toEqual([]);
  });

  test('refuses wrong names, and tags of others', async () => {
    const { aki, ben } = await saved(['work']);
    const tagId = await idOf(ben, 'work');
    for (const name of ['', ' ', 'a#b', 'x'.repeat(41)]) {
      const { errors } = await ben.send(RenameSavedTag, { input: { tagId, name } });
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field: 'input.name' });
    }
    expect(await aki.refused(RenameSavedTag, { input: { tagId, name: 'x' } })).toBe('NOT_FOUND');
    expect(await ben.refused(RenameSavedTag, { input: { tagId: 'x', name: 'x' } })).toBe('NOT_FOUND');
  });
});

test('deleteSavedTag: the messages stay saved', async () => {
  const { ben } = await saved(['a', 'b'], ['a'], ['b'], []);
  const { deleteSavedTag } = await ben.do(DeleteSavedTag, { input: { tagId: await idOf(ben, 'a') } });
  expect(deleteSavedTag.job).toMatchObject({ kind: 'DELETE_SAVED_TAG', state: 'DONE', done: 2, total: 2 });
  expect((await listOf(ben)).map(({ tags }) => tags)).toEqual([['b'], [], ['b'], []]);
  expect(await tagsOf(ben)).toMatchObject([{ name: 'b', count: 2 }]);
  expect(await faultsOf(ben)).toEqual([]);
});

describe('setVisibilityOfTagged', () => {
  test('makes all private, and public again where the user still is', async () => {
    const { aki, ben, roomId } = await saved(['a'], ['a', 'b'], ['b']);
    const other = await roomOf(aki, [ben]);
    const { id: messageId } = await say(aki, other, 'elsewhere');
    await ben.do(SaveMessage, { input: { messageId, tags: ['a'], visibility: 'PUBLIC' } });
    const tagId = await idOf(ben, 'a');
    const set = async (visibility: 'PUBLIC' | 'PRIVATE') =>
      (await ben.do(SetVisibilityOfTagged, { input: { tagId, visibility, expectedCount: 3 } }))
        .setVisibilityOfTagged.job;
    expect(await set('PRIVATE')).toMatchObject({ state: 'DONE', done: 2, total: 2 });
    expect((await listOf(ben, 'a')).map(({ visibility }) => visibility)).toEqual(Array(3).fill('PRIVATE'));
    await ben.do(LeaveRoom, { roomId: other });
    expect(await set('PUBLIC')).toMatchObject({ state: 'DONE', done: 3, total: 3 });
    expect((await listOf(ben, 'a')).map(({ visibility }) => visibility)).toEqual([
      'PUBLIC',
      'PUBLIC',
      'PRIVATE',
    ]);
    expect(await faultsOf(ben)).toEqual([]);
    expect(roomId).not.toBe(other);
  });

  test('counts those that have the other visibility, when it begins', async () => {
    const { ben } = await saved(['a', 'b'], ['a', 'b'], ...Array.from({ length: 28 }, () => ['a']));
    const [a, b] = [await idOf(ben, 'a'), await idOf(ben, 'b')];
    const set = async (tagId: string, visibility: 'PUBLIC' | 'PRIVATE', expectedCount: number) =>
      (await ben.do(SetVisibilityOfTagged, { input: { tagId, visibility, expectedCount } }))
        .setVisibilityOfTagged.job;
    await set(b, 'PRIVATE', 2);
    // Of the 15 that were public, one is private. The last job is asked for before that is true of the others.
    const jobs = [await set(a, 'PRIVATE', 30), await set(a, 'PUBLIC', 30)];
    expect(jobs[0]?.total).toBe(14);
    const ended = async () => (await ben.do(Jobs, {})).viewer.jobs.edges.map(({ node }) => node);
    await eventually(async () =>
      expect(await ended()).toMatchObject([
        { state: 'DONE', done: 30, total: 30 },
        { state: 'DONE', done: 14, total: 14 },
        { state: 'DONE', done: 1, total: 1 },
      ]),
    );
    expect(await faultsOf(ben)).toEqual([]);
  });

  test('what is saved afterwards keeps its visibility', async () => {
    const { ben } = await saved(['a'], ['a']);
    const [, tag = ''] = decodeId(await idOf(ben, 'a')).id.split(':');
    const about = { user: ben.id, tag, name: 'a', visibility: 'PUBLIC', expected: 2 };
    // It was asked for a minute before these messages were saved.
    const jobs = createPersonJobs({ dynamo: app.dynamo, now: () => Date.now() - 60_000 });
    const { id } = await jobs.add(ben.id, { kind: PUBLISH, about });
    await eventually(async () => expect((await jobs.find(ben.id, id))?.state).toBe('DONE'));
    expect((await listOf(ben, 'a')).map(({ visibility }) => visibility)).toEqual(['PUBLIC', 'PRIVATE']);
  });

  test('refuses another count', async () => {
    const { ben } = await saved(['a'], ['a']);
    const input = { tagId: await idOf(ben, 'a'), visibility: 'PUBLIC' as const, expectedCount: 1 };
    const { errors } = await ben.send(SetVisibilityOfTagged, { input });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'CONFLICT', reason: 'COUNT_CHANGED' });
  });
});

describe('jobs', () => {
  test('of 25 messages and more run in the background, one after the other', async () => {
    const { aki, ben } = await saved(...Array.from({ length: 30 }, (_, i) => (i < 27 ? ['a'] : ['b', 'c'])));
    const [a, b, c] = [await idOf(ben, 'a'), await idOf(ben, 'b'), await idOf(ben, 'c')];
    const { mergeSavedTags } = await ben.do(MergeSavedTags, { input: { fromTagId: a, intoTagId: b } });
    const { deleteSavedTag } = await ben.do(DeleteSavedTag, { input: { tagId: c } });
    const { id } = mergeSavedTags.job;
    const states = async () => (await ben.do(Jobs, {})).viewer.jobs.edges.map(({ node }) => node.state);
    await eventually(async () => expect(await states()).toEqual(['DONE', 'DONE']));
    expect((await ben.do(JobNode, { id })).node).toEqual({ id, state: 'DONE', done: 27 });
    expect((await aki.do(JobNode, { id })).node).toBeNull();
    expect(deleteSavedTag.job.kind).toBe('DELETE_SAVED_TAG');
    expect((await listOf(ben)).every(({ tags }) => tags.length === 1 && tags[0] === 'b')).toBe(true);
    expect(await tagsOf(ben)).toMatchObject([{ name: 'b', count: 30 }]);
    expect(await faultsOf(ben)).toEqual([]);
    // One that has ended stays as it is.
    expect((await ben.do(CancelJob, { input: { jobId: id } })).cancelJob.job.state).toBe('DONE');
    expect(await aki.refused(CancelJob, { input: { jobId: id } })).toBe('NOT_FOUND');
  });

  test('a tag is not merged into itself', async () => {
    const { ben } = await saved(['a']);
    const id = await idOf(ben, 'a');
    expect(await ben.refused(MergeSavedTags, { input: { fromTagId: id, intoTagId: id } })).toBe(
      'BAD_USER_INPUT',
    );
  });
});
