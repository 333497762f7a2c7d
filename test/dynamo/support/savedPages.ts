/** How lists of saved messages are read, by the names of the rows in docs/data-model.md. */
import { expect } from 'vitest';
import { toTimestamp } from '../../../src/core/timestamps.ts';
import { keys } from '../../../src/dynamo/keys.ts';
import { exportSaved } from '../../../src/export/saved.ts';
import { encodeId } from '../../../src/graphql/ids.ts';
import { savedId } from '../../../src/saved/entry.ts';
import type { CostSavedQueryVariables, SavedOrder } from '../../generated/graphql.ts';
import type { CostFixture } from './costFixture.ts';
import * as ask from './costOperations.ts';
import { at, type Pattern } from './pattern.ts';

export const NEWEST_TAG = 'newest';

/** Of the messages that are saved first, so that a page of each list has messages that exist. */
const FIRST = {
  untagged: [-41, -31],
  withThreeTags: [-31, -21],
} as const;

/**
 * Dan saves the newest ten messages publicly and with reminders, and before that ten others privately, with the same
 * tags. And one more publicly before these: a page's next one is of a message that exists. Before that one, ten
 * privately with three tags, and ten without tags.
 */
async function saveNewest({ dan, roots }: CostFixture): Promise<void> {
  const remindAt = new Date(Date.now() + 300 * 24 * 3_600_000).toISOString();
  const save = (messageId: string, input: object) =>
    dan.do(ask.CostSave, { input: { messageId, tags: ['common', NEWEST_TAG], ...input } });
  for (const id of roots.slice(...FIRST.untagged)) await save(id, { tags: [] });
  for (const id of roots.slice(...FIRST.withThreeTags))
    await save(id, { tags: ['common', 'second', 'third'] });
  await save(at(roots, -21), { visibility: 'PUBLIC', tags: ['common', 'other'] });
  for (const id of roots.slice(-20, -10)) await save(id, { visibility: 'PRIVATE' });
  for (const id of roots.slice(-10)) await save(id, { visibility: 'PUBLIC', remindAt });
}

async function readPart({ dan }: CostFixture, variables: CostSavedQueryVariables) {
  const { viewer } = await dan.do(ask.CostSaved, variables);
  expect(viewer.savedMessages.edges).toHaveLength(10);
  return viewer.savedMessages;
}

interface PageOptions extends CostSavedQueryVariables {
  /** How many tags each of the ten has. Default: two. */
  readonly tagsOfEach?: number;
}

/** Reads where a page begins. */
type Start = (fixture: CostFixture) => Promise<CostSavedQueryVariables>;

/** A page of messages that exist. */
function page(rest: string, options: PageOptions, readStart?: Start): Pattern {
  const { tagsOfEach = 2, ...variables } = options;
  let start: CostSavedQueryVariables = {};
  return {
    name: `\`Viewer.savedMessages\`, ${rest}`,
    async before(fixture) {
      if (readStart !== undefined) start = await readStart(fixture);
    },
    async run(fixture) {
      const range = 'last' in variables ? {} : { first: 10 };
      const { edges } = await readPart(fixture, { ...range, ...variables, ...start });
      expect(edges.every(({ node }) => node.message !== null && node.tags.length === tagsOfEach)).toBe(true);
    },
  };
}

/** A page of the first ten messages that were saved. None of them exists, and each other one has two tags. */
const gone = (rest: string, variables: CostSavedQueryVariables): Pattern => ({
  name: `\`Viewer.savedMessages\`, ${rest}`,
  async run(fixture) {
    const { edges } = await readPart(fixture, variables);
    expect(edges.every(({ node }) => node.message === null)).toBe(true);
    expect(edges.filter(({ node }) => node.tags.length === 2)).toHaveLength(5);
  },
});

const tags = (rest: string, variables: { prefix?: string; orderBy?: 'COUNT' }): Pattern => ({
  name: `\`Viewer.savedTags\`, ${rest}`,
  async run({ dan }) {
    const { viewer } = await dan.do(ask.CostSavedTags, variables);
    expect(viewer.savedTags.edges).toHaveLength(2);
  },
});

/** When the first of the twenty was saved, or its message was written: all that were saved before are left out. */
const firstOfTwenty =
  (time: 'savedAt' | 'createdAt'): Start =>
  async (fixture) => {
    const orderBy = time === 'savedAt' ? 'SAVED_NEWEST' : 'MESSAGE_NEWEST';
    const { edges } = (await fixture.dan.do(ask.CostSaved, { first: 20, orderBy })).viewer.savedMessages;
    const node = edges.at(-1)?.node;
    return { from: time === 'savedAt' ? node?.savedAt : node?.message?.createdAt };
  };

/** Before the last ten. */
const lastTen =
  (orderBy: SavedOrder): Start =>
  async (fixture) => {
    const { pageInfo } = await readPart(fixture, { orderBy, last: 10 });
    return { before: pageInfo.startCursor };
  };

async function readTagId({ app, dan }: CostFixture, name: string): Promise<string> {
  const reserved = await app.dynamo.get(keys.savedTagName(dan.id, name));
  return encodeId('SavedTag', `${dan.id}:${String(reserved?.tag)}`);
}

/** With these tags, by their ids. */
const tagged =
  (...names: readonly string[]): Start =>
  async (fixture) => ({
    tagIds: await Promise.all(names.map((name) => readTagId(fixture, name))),
  });

const lists: readonly Pattern[] = [
  { ...page('a page of 10, with messages and tags', {}), before: saveNewest },
  page('a page of 10 public ones, with messages and tags', { visibility: 'PUBLIC' }),
  page('a page of 10 private ones, with messages and tags', { visibility: 'PRIVATE' }),
  page('a page of 10 by message', { orderBy: 'MESSAGE_NEWEST' }),
  page('a page of 10 public ones by message', { visibility: 'PUBLIC', orderBy: 'MESSAGE_NEWEST' }),
  page('a page of 10 without tags', { untagged: true, tagsOfEach: 0 }),
  page('a page of 10 private ones without tags', { visibility: 'PRIVATE', untagged: true, tagsOfEach: 0 }),
  page('a page of 10 without tags, by message', { untagged: true, orderBy: 'MESSAGE_NEWEST', tagsOfEach: 0 }),
  page('a page of 10 with a tag', {}, tagged('common')),
  page('a page of 10 public ones with a tag', { visibility: 'PUBLIC' }, tagged('common')),
  page('a page of 10 with a tag, by message', { orderBy: 'MESSAGE_NEWEST' }, tagged('common')),
  page('a page of 10 with a tag, for the first time by its name', { tags: ['common'] }),
  page('a page of 10 with a tag, again by its name', { tags: ['common'] }),
  page('a page of 10 with two tags', {}, tagged('common', NEWEST_TAG)),
  page('a page of 10 with two tags, by message', { orderBy: 'MESSAGE_NEWEST' }, tagged('common', NEWEST_TAG)),
  page('a page of 10 with two tags, for the first time by their names', { tags: ['common', NEWEST_TAG] }),
  page('a page of 10 with two tags, again by their names', { tags: ['common', NEWEST_TAG] }),
  page('a page of 10 with three tags', { tagsOfEach: 3 }, tagged('common', 'second', 'third')),
  gone('the oldest 10, whose messages are gone', { orderBy: 'SAVED_OLDEST', first: 10 }),
  gone('the oldest 10 by message, which are gone', { orderBy: 'MESSAGE_OLDEST', first: 10 }),
  gone('the last 10, whose messages are gone', { orderBy: 'SAVED_NEWEST', last: 10 }),
  page('the oldest 10 from a time on', { orderBy: 'SAVED_OLDEST' }, firstOfTwenty('savedAt')),
  page('the oldest 10 by message from a time on', { orderBy: 'MESSAGE_OLDEST' }, firstOfTwenty('createdAt')),
  page(
    'the oldest 10 after a cursor, at the end of the list',
    { orderBy: 'SAVED_OLDEST' },
    async (fixture) => {
      const before = await lastTen('SAVED_OLDEST')(fixture);
      const { pageInfo } = await readPart(fixture, { orderBy: 'SAVED_OLDEST', last: 10, ...before });
      return { after: pageInfo.endCursor };
    },
  ),
  page('the last 10 before a cursor', { orderBy: 'SAVED_OLDEST', last: 10 }, lastTen('SAVED_OLDEST')),
  page(
    'the last 10 by message before a cursor',
    { orderBy: 'MESSAGE_OLDEST', last: 10 },
    lastTen('MESSAGE_OLDEST'),
  ),
];

/**
 * All lists and marks of Dan's own. The first pattern saves what the others find; the fixture has 41 roots at least.
 */
export const savedPages: readonly Pattern[] = [
  ...lists,
  tags('a page of 2', {}),
  tags('a page of 2 with a prefix', { prefix: 'T' }),
  tags('a page of 2 by count', { orderBy: 'COUNT' }),
  {
    name: '`Viewer.savedTags`, the last 2',
    async run({ dan }) {
      expect((await dan.do(ask.CostLastSavedTags)).viewer.savedTags.edges).toHaveLength(2);
    },
  },
  { name: '`Viewer.savedCounts`', run: ({ dan }) => dan.do(ask.CostSavedCounts) },
  {
    name: '`Message.viewerSaved`, of a page of 10',
    run: ({ dan, roomId }) => dan.do(ask.CostSavedMarks, { roomId }),
  },
  {
    name: '`Message.viewerSaved`, of a page of 10, with tags',
    run: ({ dan, roomId }) => dan.do(ask.CostSavedMarksWithTags, { roomId }),
  },
  {
    name: '`node`, a saved message that is gone, with its tags',
    async run({ dan }) {
      const ts = toTimestamp(1_001);
      const id = encodeId('SavedMessage', savedId({ user: dan.id, room: 'gone', threadTs: ts, ts }));
      expect((await dan.do(ask.CostSavedMessage, { id })).node).toMatchObject({
        message: null,
        tags: ['common', 't0'],
      });
    },
  },
  {
    name: '`export saved`, a page of 10',
    async run({ app, dan }) {
      const options = { dynamo: app.dynamo, format: 'jsonl', origin: 'https://chat.example' } as const;
      const text = (await exportSaved(dan.id, { ...options, pageSize: 10 }))?.text();
      await text?.next();
      const lines = String((await text?.next())?.value)
        .trimEnd()
        .split('\n');
      expect(lines).toHaveLength(10);
    },
  },
];
