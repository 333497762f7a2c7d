/** The access patterns of saved messages, by the names of the rows in docs/data-model.md. */
import { expect } from 'vitest';
import { encodeId } from '../../../src/graphql/ids.ts';
import { savedId } from '../../../src/saved/entry.ts';
import type { AboutReminder } from '../../../src/saved/reminders/reminder.ts';
import { createReminding } from '../../../src/saved/reminders/reminding.ts';
import type { Timer } from '../../../src/timers/timer.ts';
import {
  CancelJob,
  DeleteSavedTag,
  JobChanged,
  MergeSavedTags,
  RenameSavedTag,
  SavedTags,
  SetVisibilityOfTagged,
  SnoozeReminder,
} from '../../saved/support/operations.ts';
import { globalId, messageKey, type Person, say } from '../../support/clients/people.ts';
import { openTimers } from '../../timers/support/timers.ts';
import type { CostFixture } from './costFixture.ts';
import * as ask from './costOperations.ts';
import { at, type Pattern } from './pattern.ts';
import { NEWEST_TAG, savedPages } from './savedPages.ts';

let reader: Person;
let newestTagId = '';
let messageId = '';
let jobId = '';
let onceId = '';

const idsOfTags = (count: number) => Array.from({ length: count }, (_, i) => `t${i}`);

const idOfTag = async (prefix: string): Promise<string> =>
  at(
    (await reader.do(SavedTags, { prefix })).viewer.savedTags.edges.map(({ node }) => node.id),
    0,
  );

const savedIdOf = (message: string) =>
  encodeId('SavedMessage', savedId({ user: reader.id, ...messageKey(message) }));

const names = (prefix: string, count: number) => idsOfTags(count).map((name) => `${prefix}${name}`);

/** Saves a new message, after `before`. */
const save = (name: string, input: object): Pattern => ({
  name,
  async before({ aki, roomId }) {
    messageId = (await say(aki, roomId, 'something')).id;
  },
  run: () => reader.do(ask.CostSave, { input: { messageId, ...input } }),
});
/** Changes what was saved last. */
const change = (name: string, input: object): Pattern => ({
  name,
  run: () => reader.do(ask.CostSave, { input: { messageId, ...input } }),
});
const remove = (name: string): Pattern => ({
  name,
  run: () => reader.do(ask.CostUnsave, { messageId }),
});

const ahead = () => new Date(Date.now() + 3_600_000).toISOString();

let due: Timer<AboutReminder> | undefined;

async function findDue({ app }: CostFixture): Promise<void> {
  const timers = (await openTimers(app.dynamo)) as Array<Timer<AboutReminder>>;
  due = timers.find(({ about }) => about.user === reader.id && about.c === messageKey(messageId).ts);
}

/** Beyond what every timer costs. */
async function remind({ app }: CostFixture): Promise<void> {
  if (due === undefined) throw new Error('There is no timer.');
  await createReminding({ dynamo: app.dynamo }).handle(due);
}

const tagId = (id: string) => encodeId('SavedTag', `${reader.id}:${id}`);

/** Of tags with 20 messages, ten of them public. All of these messages have another tag as well. */
const jobPatterns: readonly Pattern[] = [
  {
    name: '`renameSavedTag`',
    run: () => reader.do(RenameSavedTag, { input: { tagId: tagId('common'), name: 'usual' } }),
  },
  {
    name: '`renameSavedTag`, other letters of the same name',
    run: () => reader.do(RenameSavedTag, { input: { tagId: tagId('common'), name: 'Usual' } }),
  },
  {
    name: '`setVisibilityOfTagged`, of 20 messages, to private',
    // Their other tag still has a public message.
    async before({ aki, roomId }) {
      const { id } = await say(aki, roomId, 'something');
      await reader.do(ask.CostSave, { input: { messageId: id, visibility: 'PUBLIC', tags: ['usual'] } });
    },
    async run() {
      const input = { tagId: newestTagId, visibility: 'PRIVATE', expectedCount: 20 } as const;
      const { setVisibilityOfTagged } = await reader.do(SetVisibilityOfTagged, { input });
      jobId = setVisibilityOfTagged.job.id;
      expect(setVisibilityOfTagged.job).toMatchObject({ state: 'DONE', done: 10 });
    },
  },
  {
    name: '`setVisibilityOfTagged`, of 20 messages, to public',
    async run() {
      const input = { tagId: newestTagId, visibility: 'PUBLIC', expectedCount: 20 } as const;
      const { setVisibilityOfTagged } = await reader.do(SetVisibilityOfTagged, { input });
      expect(setVisibilityOfTagged.job).toMatchObject({ state: 'DONE', done: 20 });
    },
  },
  {
    name: '`mergeSavedTags`, of 20 messages',
    async run() {
      const input = { fromTagId: newestTagId, intoTagId: tagId('common') };
      const { mergeSavedTags } = await reader.do(MergeSavedTags, { input });
      expect(mergeSavedTags.job).toMatchObject({ state: 'DONE', done: 20 });
    },
  },
  {
    name: '`deleteSavedTag`, of one message',
    async before({ aki, roomId }) {
      const { id } = await say(aki, roomId, 'something');
      await reader.do(ask.CostSave, { input: { messageId: id, tags: ['usual', 'once'] } });
      onceId = await idOfTag('once');
    },
    async run() {
      const { deleteSavedTag } = await reader.do(DeleteSavedTag, { input: { tagId: onceId } });
      expect(deleteSavedTag.job).toMatchObject({ state: 'DONE', done: 1 });
    },
  },
  {
    name: '`cancelJob`, one that has ended',
    run: () => reader.do(CancelJob, { input: { jobId } }),
  },
  {
    name: '`Viewer.jobs`, a page of 10 with 4 jobs',
    async run() {
      expect((await reader.do(ask.CostJobs)).viewer.jobs.edges).toHaveLength(4);
    },
  },
  {
    name: '`jobChanged`, opened',
    async run() {
      const changes = reader.subscribe(JobChanged, { jobId });
      await changes.next();
      changes.close();
    },
  },
  { name: '`node`, a job', run: () => reader.do(ask.CostNode, { id: jobId }) },
];

/** What Ben, who is in the same room, sees of the reader's. The first time a server reads its secret as well. */
const publicPage = (name: string, variables: { tag?: string; orderBy?: 'MESSAGE_NEWEST' }): Pattern => {
  const run = async ({ ben }: CostFixture) => {
    const { node } = await ben.do(ask.CostPublicSaved, { id: globalId(reader), ...variables });
    const edges = node !== null && 'savedMessages' in node ? node.savedMessages.edges : [];
    expect(edges).toHaveLength(10);
  };
  return { name, before: run, run };
};

const publicPatterns: readonly Pattern[] = [
  publicPage('`User.savedMessages`, a page of 10, with messages and tags', {}),
  publicPage('`User.savedMessages`, a page of 10 by message', { orderBy: 'MESSAGE_NEWEST' }),
  publicPage('`User.savedMessages`, a page of 10 with a tag', { tag: 'common' }),
  {
    name: '`User.savedTags`, a page of 2',
    run: ({ ben }) => ben.do(ask.CostPublicTags, { id: globalId(reader) }),
  },
  {
    name: '`Message.publicSaves`, a page of 10 with one',
    run: ({ ben, roots }) => ben.do(ask.CostPublicSaves, { id: at(roots, -1) }),
  },
  {
    name: '`Message.publicSaveCount`, of a page of 10',
    run: ({ ben, roomId }) => ben.do(ask.CostPublicSaveCounts, { roomId }),
  },
];

/** The fixture has 41 roots at least. */
export const savedPatterns: readonly Pattern[] = [
  ...savedPages,
  {
    name: '`node`, a saved message',
    async before({ dan }) {
      reader = dan;
      newestTagId = await idOfTag(NEWEST_TAG);
    },
    run: ({ roots }) => reader.do(ask.CostNode, { id: savedIdOf(at(roots, -1)) }),
  },
  ...publicPatterns,
  {
    name: '`savedChanged`, opened',
    async run() {
      const changes = reader.subscribe(ask.CostSavedChanged, {});
      await changes.next();
      changes.close();
    },
  },
  {
    name: '`node`, a tag',
    run: () => reader.do(ask.CostNode, { id: encodeId('SavedTag', `${reader.id}:common`) }),
  },
  save('`saveMessage`, without tags', {}),
  change('`saveMessage`, a note', { note: 'note' }),
  change('`saveMessage`, publicly, without tags', { visibility: 'PUBLIC' }),
  remove('`removeSavedMessage`, a public one without tags'),
  save('`saveMessage`, with 3 new tags', { tags: names('a', 3) }),
  save('`saveMessage`, with 3 tags that are in use', { tags: names('a', 3) }),
  change('`saveMessage`, with one more tag that is in use', { addTags: ['common'] }),
  change('`saveMessage`, publicly, with 4 tags', { visibility: 'PUBLIC' }),
  remove('`removeSavedMessage`, a public one with 4 tags'),
  {
    name: '`Viewer.reminders`, a page of 10, with messages and tags',
    async run() {
      const { edges } = (await reader.do(ask.CostReminders)).viewer.reminders;
      expect(edges).toHaveLength(10);
      expect(edges.every(({ node }) => node.tags.length === 2)).toBe(true);
    },
  },
  {
    name: '`saveMessage`, with a reminder',
    async before({ aki, roomId }) {
      messageId = (await say(aki, roomId, 'something')).id;
    },
    run: () => reader.do(ask.CostSave, { input: { messageId, remindAt: ahead() } }),
  },
  {
    name: '`snoozeReminder`',
    run: () => reader.do(SnoozeReminder, { id: savedIdOf(messageId), remindAt: ahead() }),
  },
  { name: 'a reminder is due, of a message without tags', before: findDue, run: remind },
  save('`saveMessage`, with 20 new tags', { tags: names('b', 20) }),
  change('`saveMessage`, publicly, with 20 tags', { visibility: 'PUBLIC' }),
  {
    name: '`saveMessage`, privately and with a reminder, with 20 tags',
    run: () => reader.do(ask.CostSave, { input: { messageId, visibility: 'PRIVATE', remindAt: ahead() } }),
  },
  change('`saveMessage`, publicly and without its reminder, with 20 tags', {
    visibility: 'PUBLIC',
    remindAt: null,
  }),
  remove('`removeSavedMessage`, a public one with 20 tags that nothing else has'),
  ...jobPatterns,
];
