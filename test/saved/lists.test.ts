/** The viewer's lists of saved messages: each filter, in each order, from both ends. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { toTimestamp } from '../../src/core/timestamps.ts';
import { encodeId } from '../../src/graphql/ids.ts';
import { type SavedEntry, savedId } from '../../src/saved/entry.ts';
import type { SavedMessagesQueryVariables } from '../generated/graphql.ts';
import { newUser, type Person, people, roomOf, say } from '../support/clients/people.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { writeSavedMessages } from './support/bulk.ts';
import {
  MergeSavedTags,
  RenameSavedTag,
  SavedMessages,
  SavedTags,
  SaveMessage,
} from './support/operations.ts';
import { walk, walkBack } from './support/walk.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ role: 'api' });
});
afterAll(() => app?.stop());

const ask = (by: Person, variables: SavedMessagesQueryVariables) => async (page: object) =>
  (await by.do(SavedMessages, { ...variables, ...page })).viewer.savedMessages;
const idsOf = (nodes: ReadonlyArray<{ readonly id: string }>) => nodes.map(({ id }) => id);
const all = async (by: Person, variables: SavedMessagesQueryVariables, size = 50) =>
  idsOf(await walk(ask(by, variables), size));
const refusal = async (by: Person, variables: SavedMessagesQueryVariables) =>
  (await by.send(SavedMessages, variables)).errors?.[0]?.extensions;
const cursorOf = async (by: Person, variables: SavedMessagesQueryVariables) =>
  (await by.do(SavedMessages, variables)).viewer.savedMessages.pageInfo.endCursor;

async function room() {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, [ben]);
  return { aki, ben, roomId, message: await say(aki, roomId, 'one') };
}

/** Twelve saved messages, which were saved in another order than they were sent, with every combination of tags. */
async function twelve() {
  const { aki, ben, roomId } = await room();
  const other = await roomOf(aki, [ben]);
  const sent: string[] = [];
  for (let i = 0; i < 12; i++) sent.push((await say(aki, i % 5 === 0 ? other : roomId, `m${i}`)).id);
  const saved = [];
  for (let i = 0; i < 12; i++) {
    const place = (i * 5) % 12;
    const tags = ['Work', 'home', 'later'].filter((_, bit) => (i & (1 << bit)) > 0);
    const visibility = i % 3 === 0 ? ('PUBLIC' as const) : ('PRIVATE' as const);
    const input = { messageId: sent[place] ?? '', tags, visibility };
    const { id, savedAt } = (await ben.do(SaveMessage, { input })).saveMessage.savedMessage;
    saved.push({ id, savedAt, place, tags, visibility });
  }
  return { aki, ben, saved };
}
type Saved = Awaited<ReturnType<typeof twelve>>['saved'][number];

const ORDERS = {
  SAVED_OLDEST: (saved: readonly Saved[]) => [...saved],
  SAVED_NEWEST: (saved: readonly Saved[]) => saved.toReversed(),
  MESSAGE_OLDEST: (saved: readonly Saved[]) => saved.toSorted((one, two) => one.place - two.place),
  MESSAGE_NEWEST: (saved: readonly Saved[]) => saved.toSorted((one, two) => two.place - one.place),
};

describe('Viewer.savedMessages', () => {
  test('has every page of every list in every order, from both ends', async () => {
    const { ben, saved } = await twelve();
    const lists: Array<[SavedMessagesQueryVariables, (one: Saved) => boolean]> = [
      [{}, () => true],
      [{ visibility: 'PUBLIC' }, (one) => one.visibility === 'PUBLIC'],
      [{ untagged: true }, ({ tags }) => tags.length === 0],
      [{ tags: [] }, () => true],
      [{ tags: ['work'] }, ({ tags }) => tags.includes('Work')],
      [
        { tags: ['WORK'], visibility: 'PRIVATE' },
        ({ tags, visibility }) => tags.includes('Work') && visibility === 'PRIVATE',
      ],
      [{ tags: ['home', 'Work', 'work'] }, ({ tags }) => tags.includes('Work') && tags.includes('home')],
      [
        { tags: ['later', 'work'], visibility: 'PUBLIC' },
        ({ tags, visibility }) => tags.includes('Work') && tags.includes('later') && visibility === 'PUBLIC',
      ],
      [{ tags: ['later', 'work', 'home'] }, ({ tags }) => tags.length === 3],
      [{ tags: ['unknown', 'work'] }, () => false],
    ];
    for (const [filter, isListed] of lists) {
      for (const orderBy of ['SAVED_NEWEST', 'SAVED_OLDEST', 'MESSAGE_NEWEST', 'MESSAGE_OLDEST'] as const) {
        const expected = idsOf(ORDERS[orderBy](saved).filter(isListed));
        for (const size of [1, 3, 50]) {
          const list = ask(ben, { ...filter, orderBy });
          expect(idsOf(await walk(list, size)), JSON.stringify([filter, orderBy])).toEqual(expected);
          expect(idsOf(await walkBack(list, size)), JSON.stringify([filter, orderBy])).toEqual(expected);
        }
      }
    }
  });

  test('begins at a time, in the direction of its order', async () => {
    const { ben, saved } = await twelve();
    const from = saved[3]?.savedAt ?? '';
    const newest = await all(ben, { from }, 2);
    const oldest = await all(ben, { from, orderBy: 'SAVED_OLDEST' }, 2);
    const ids = idsOf(saved);
    // Several may have been saved in one millisecond.
    expect(newest).toEqual(ids.slice(0, newest.length).toReversed());
    expect(oldest).toEqual(ids.slice(ids.length - oldest.length));
    expect(newest.length).toBeGreaterThanOrEqual(4);
    expect(oldest.length).toBeGreaterThanOrEqual(9);
    const epoch = '1970-01-01T00:00:00.000Z';
    const late = '9999-12-31T23:59:59.999Z';
    for (const orderBy of ['SAVED_NEWEST', 'MESSAGE_NEWEST'] as const) {
      expect(await all(ben, { from: epoch, orderBy })).toEqual([]);
      expect(await all(ben, { from: late, orderBy })).toEqual(idsOf(ORDERS[orderBy](saved)));
    }
    for (const orderBy of ['SAVED_OLDEST', 'MESSAGE_OLDEST'] as const) {
      expect(await all(ben, { from: epoch, orderBy }, 5)).toEqual(idsOf(ORDERS[orderBy](saved)));
      expect(await all(ben, { from: late, orderBy })).toEqual([]);
    }
    // All messages were sent before any was saved.
    expect(await all(ben, { from: saved[0]?.savedAt ?? '', orderBy: 'MESSAGE_OLDEST' })).toEqual([]);
    expect(idsOf(await walkBack(ask(ben, { from, orderBy: 'MESSAGE_NEWEST' }), 5))).toHaveLength(12);
  });

  test('a cursor is good after the tags of its message have changed', async () => {
    const { ben, saved } = await twelve();
    const inOrder = idsOf(ORDERS.MESSAGE_OLDEST(saved));
    const after = (await ask(ben, { orderBy: 'MESSAGE_OLDEST' })({ first: 4 })).pageInfo.endCursor;
    await ben.do(SaveMessage, { input: { savedMessageId: inOrder[3] ?? '', tags: ['other'] } });
    const rest = await ask(ben, { orderBy: 'MESSAGE_OLDEST' })({ first: 50, after });
    expect(idsOf(rest.edges.map(({ node }) => node))).toEqual(inOrder.slice(4));
  });

  test('examines at most 500 messages for a page of several tags, and continues after them', async () => {
    const ben = await newUser(app);
    const entry = (i: number, tags: string[]): SavedEntry => {
      const ts = toTimestamp(1_000 + i);
      return {
        user: ben.id,
        room: newId(),
        threadTs: ts,
        ts,
        savedAt: toTimestamp(1_000_000 + i),
        visibility: i % 2 === 0 ? 'PUBLIC' : 'PRIVATE',
        note: null,
        remindAt: null,
        version: 1,
        tags,
      };
    };
    await ben.do(SavedMessages, {});
    await writeSavedMessages(app.dynamo, [
      entry(0, ['a', 'b']),
      ...Array.from({ length: 520 }, (_, i) => entry(i + 1, ['a'])),
      ...Array.from({ length: 530 }, (_, i) => entry(i + 521, ['b'])),
    ]);
    for (const orderBy of ['SAVED_NEWEST', 'MESSAGE_NEWEST'] as const) {
      const list = ask(ben, { tags: ['b', 'a'], orderBy });
      const first = await list({ first: 10 });
      expect([first.edges, first.pageInfo.hasNextPage]).toEqual([[], true]);
      const second = await list({ first: 10, after: first.pageInfo.endCursor });
      expect([second.edges.length, second.pageInfo.hasNextPage]).toEqual([1, false]);
      expect(await all(ben, { tags: ['a'], orderBy }, 100)).toHaveLength(521);
    }
  });

  test('an empty page of several tags ends before the first that has all of them', async () => {
    const ben = await newUser(app);
    const entry = (i: number, tags: string[]): SavedEntry => {
      const ts = toTimestamp(1_000 + i);
      return {
        user: ben.id,
        room: 'gone',
        threadTs: ts,
        ts,
        savedAt: toTimestamp(1_000_000 + i),
        visibility: i % 3 === 0 ? 'PUBLIC' : 'PRIVATE',
        note: null,
        remindAt: null,
        version: 1,
        tags,
      };
    };
    await ben.do(SavedMessages, {});
    // Every two hundredth has both. Before each of them, from either end, are more than the 50 with each tag that the
    // first round trip examines.
    const entries = Array.from({ length: 900 }, (_, i) =>
      entry(i, i % 200 === 130 ? ['a', 'b'] : [i % 4 < 2 ? 'a' : 'b']),
    );
    await writeSavedMessages(app.dynamo, entries);
    const oldest = entries
      .filter(({ tags }) => tags.length === 2)
      .map((one) => encodeId('SavedMessage', savedId(one)));
    expect(oldest).toHaveLength(4);
    for (const orderBy of ['SAVED_NEWEST', 'SAVED_OLDEST', 'MESSAGE_NEWEST', 'MESSAGE_OLDEST'] as const) {
      let emptyPages = 0;
      const list = async (range: object) => {
        const page = await ask(ben, { tags: ['a', 'b'], orderBy })(range);
        const { hasNextPage, hasPreviousPage } = page.pageInfo;
        if (page.edges.length === 0 && ('first' in range ? hasNextPage : hasPreviousPage)) emptyPages++;
        return page;
      };
      const expected = orderBy.endsWith('OLDEST') ? oldest : oldest.toReversed();
      for (const size of [1, 3, 50]) {
        for (const read of [walk, walkBack]) {
          emptyPages = 0;
          const label = JSON.stringify([orderBy, size, read.name]);
          expect(idsOf(await read(list, size)), label).toEqual(expected);
          // Before each of the four.
          expect(emptyPages, label).toBe(4);
        }
      }
    }
  });

  /** The ids of a user's tags, by their names. */
  const tagIdsOf = async (by: Person) => {
    const { edges } = (await by.do(SavedTags, {})).viewer.savedTags;
    return Object.fromEntries(edges.map(({ node }) => [node.name, node.id]));
  };

  test('is read by the ids of tags as by their names, with the same cursors', async () => {
    const { aki, ben, saved } = await twelve();
    const ids = await tagIdsOf(ben);
    for (const tags of [['Work'], ['Work', 'home'], ['Work', 'home', 'later']]) {
      const tagIds = tags.map((name) => ids[name] ?? '');
      const expected = await all(ben, { tags }, 2);
      expect(expected.length).toBeGreaterThan(0);
      expect(await all(ben, { tagIds }, 2)).toEqual(expected);
      const after = await cursorOf(ben, { tags, first: 1 });
      const rest = await ask(ben, { tagIds: tagIds.toReversed() })({ after });
      expect(idsOf(rest.edges.map(({ node }) => node))).toEqual(expected.slice(1));
    }
    expect(await all(ben, { tagIds: [] })).toHaveLength(saved.length);
    // Of another user, of another type, and no id.
    expect(await all(aki, { tagIds: [ids.Work ?? ''] })).toEqual([]);
    expect(await all(ben, { tagIds: [saved[0]?.id ?? ''] })).toEqual([]);
    expect(await all(ben, { tagIds: [ids.Work ?? '', 'x'] })).toEqual([]);
  });

  test('has the messages of the tag that has the name now, after tags were renamed and merged', async () => {
    const { aki, ben, roomId, message } = await room();
    const other = await say(aki, roomId, 'two');
    await ben.do(SaveMessage, { input: { messageId: message.id, tags: ['a'] } });
    await ben.do(SaveMessage, { input: { messageId: other.id, tags: ['b'] } });
    const [[one], [two]] = [await all(ben, { tags: ['a'] }), await all(ben, { tags: ['b'] })];
    const after = await cursorOf(ben, { tags: ['a'] });
    const ids = await tagIdsOf(ben);
    // Both names were read before, and are those of the other tags now.
    for (const [tagId, name] of [
      [ids.a, 'c'],
      [ids.b, 'a'],
      [ids.a, 'b'],
    ] as const)
      await ben.do(RenameSavedTag, { input: { tagId: tagId ?? '', name } });
    expect(await all(ben, { tags: ['a'] })).toEqual([two]);
    expect(await all(ben, { tags: ['b'] })).toEqual([one]);
    expect(await all(ben, { tags: ['c'] })).toEqual([]);
    expect(await all(ben, { tagIds: [ids.a ?? ''] })).toEqual([one]);
    expect(await ben.refused(SavedMessages, { tags: ['a'], after })).toBe('BAD_USER_INPUT');
    expect(await ben.refused(SavedMessages, { tags: ['b'], after })).toBeUndefined();

    await ben.do(MergeSavedTags, { input: { fromTagId: ids.a ?? '', intoTagId: ids.b ?? '' } });
    expect(await all(ben, { tags: ['b'] })).toEqual([]);
    expect(await all(ben, { tags: ['a'] })).toEqual([two, one]);
    expect(await all(ben, { tagIds: [ids.a ?? ''] })).toEqual([]);
    // The name is used again.
    await ben.do(SaveMessage, { input: { messageId: other.id, tags: ['B'] } });
    expect(await all(ben, { tags: ['b'] })).toEqual([two]);
    expect(await all(ben, { tags: ['a'] })).toEqual([one]);
  });

  test('a list of a tag is empty once no message has it, also for its cursors', async () => {
    const { aki, ben, roomId, message } = await room();
    const other = await say(aki, roomId, 'two');
    for (const messageId of [message.id, other.id])
      await ben.do(SaveMessage, { input: { messageId, tags: ['a'] } });
    const after = (await ask(ben, { tags: ['a'] })({ first: 1 })).pageInfo.endCursor;
    for (const messageId of [message.id, other.id])
      await ben.do(SaveMessage, { input: { messageId, tags: [] } });
    const { edges, pageInfo } = await ask(ben, { tags: ['a'] })({ after });
    expect([edges, pageInfo.hasNextPage]).toEqual([[], false]);
  });

  test.each([
    [{ tags: ['a', 'b', 'c', 'd'] }, 'tags'],
    [{ tags: ['a#b'] }, 'tags'],
    [{ tags: ['x'.repeat(41)] }, 'tags'],
    [{ tags: ['a'], untagged: true }, 'untagged'],
    [{ tagIds: ['a', 'b', 'c', 'd'] }, 'tagIds'],
    [{ tagIds: ['a'], tags: ['a'] }, 'tagIds'],
    [{ tagIds: ['a'], untagged: true }, 'tagIds'],
    [{ tagIds: ['a'], first: 0 }, 'first'],
    [{ tags: ['unknown'], first: 0 }, 'first'],
    [{ first: 101 }, 'first'],
    [{ first: 1, last: 1 }, 'last'],
  ])('refuses %j', async (variables, field) => {
    const [ben] = await people(app, 1);
    expect(await refusal(ben, variables)).toMatchObject({ code: 'BAD_USER_INPUT', field });
  });

  test('refuses cursors of other lists', async () => {
    const { aki, ben, roomId, message } = await room();
    await ben.do(SaveMessage, { input: { messageId: message.id, tags: ['a', 'b'] } });
    await aki.do(SaveMessage, { input: { messageId: message.id } });
    const foreign = [
      await cursorOf(aki, {}),
      await cursorOf(ben, { visibility: 'PRIVATE' }),
      await cursorOf(ben, { tags: ['a'] }),
      await cursorOf(ben, { orderBy: 'SAVED_OLDEST' }),
      await cursorOf(ben, { orderBy: 'MESSAGE_NEWEST' }),
      'x',
    ];
    for (const after of foreign) expect(await ben.refused(SavedMessages, { after })).toBe('BAD_USER_INPUT');
    expect(await ben.refused(SavedMessages, { after: await cursorOf(ben, {}) })).toBeUndefined();
    // Which of the tags is the rarest makes no difference.
    const both = await cursorOf(ben, { tags: ['a', 'b'] });
    const other = await say(aki, roomId, 'two');
    await ben.do(SaveMessage, { input: { messageId: other.id, tags: ['a'] } });
    expect(await ben.refused(SavedMessages, { tags: ['B', 'A'], after: both })).toBeUndefined();
  });
});
