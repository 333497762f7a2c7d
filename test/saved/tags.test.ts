/** The viewer's tags: their lists, and one by its id. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SavedTagsQueryVariables } from '../generated/graphql.ts';
import { type Person, people, roomOf, say } from '../support/clients/people.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { RemoveSavedMessage, SavedTagNode, SavedTags, SaveMessage } from './support/operations.ts';
import { walk, walkBack } from './support/walk.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ role: 'api' });
});
afterAll(() => app?.stop());

const ask = (by: Person, variables: SavedTagsQueryVariables) => async (page: object) =>
  (await by.do(SavedTags, { ...variables, ...page })).viewer.savedTags;
const listOf = async (by: Person, variables: SavedTagsQueryVariables = {}) =>
  (await by.do(SavedTags, variables)).viewer.savedTags.edges.map(({ node }) => node);
const namesOf = async (by: Person, variables: SavedTagsQueryVariables = {}) =>
  (await listOf(by, variables)).map(({ name }) => name);

/** Two people in a room, and what Ben has saved: a message for each list of tags, the first of them public. */
async function saved(...tags: string[][]) {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, [ben]);
  const messages: string[] = [];
  for (const [i, names] of tags.entries()) {
    const { id: messageId } = await say(aki, roomId, `m${i}`);
    const visibility = i === 0 ? 'PUBLIC' : 'PRIVATE';
    await ben.do(SaveMessage, { input: { messageId, tags: names, visibility } });
    messages.push(messageId);
  }
  return { aki, ben, messages };
}

describe('Viewer.savedTags', () => {
  test('has all tags with their counts, by name and by count, from both ends', async () => {
    const { aki, ben } = await saved(
      ['b', 'Über', 'Work', 'C'],
      ['b', 'work', 'a'],
      ['b', 'work', 'to read'],
      ['work', '日本'],
    );
    const byName = ['a', 'b', 'C', 'to read', 'Work', 'Über', '日本'];
    for (const size of [1, 3, 50]) {
      const nameOf = ({ name }: { name: string }) => name;
      expect((await walk(ask(ben, {}), size)).map(nameOf)).toEqual(byName);
      expect((await walkBack(ask(ben, {}), size)).map(nameOf)).toEqual(byName);
      const byCount = (await walk(ask(ben, { orderBy: 'COUNT' }), size)).map(nameOf);
      expect(byCount.slice(0, 2)).toEqual(['Work', 'b']);
      expect(byCount.toSorted()).toEqual(byName.toSorted());
      expect((await walkBack(ask(ben, { orderBy: 'COUNT' }), size)).map(nameOf)).toEqual(byCount);
    }
    expect((await listOf(ben)).filter(({ count }) => count > 1)).toMatchObject([
      { name: 'b', count: 3, publicCount: 1 },
      { name: 'Work', count: 4, publicCount: 1 },
    ]);
    expect(await listOf(aki)).toEqual([]);
  });

  test('finds the tags whose names begin with a text', async () => {
    const { ben } = await saved(['Work', 'workshop', 'wörk', 'wo.k', 'other', 'w*']);
    expect(await namesOf(ben, { prefix: 'WOR' })).toEqual(['Work', 'workshop']);
    expect(await namesOf(ben, { prefix: 'ｗｏ' })).toEqual(['wo.k', 'Work', 'workshop']);
    expect(await namesOf(ben, { prefix: 'wo.' })).toEqual(['wo.k']);
    expect(await namesOf(ben, { prefix: '' })).toHaveLength(6);
    expect(await namesOf(ben, { prefix: 'x#' })).toEqual([]);
    for (const prefix of ['w', 'wo.', 'w*', '']) {
      const names = await namesOf(ben, { prefix });
      expect((await walk(ask(ben, { prefix }), 1)).map(({ name }) => name)).toEqual(names);
    }
  });

  test('a prefix may end within a name that has a space', async () => {
    const { ben } = await saved(['a', 'a b', 'A  bc', 'ab']);
    const byPrefix: ReadonlyArray<readonly [string, readonly string[]]> = [
      ['a', ['a', 'a b', 'A bc', 'ab']],
      ...['a ', 'A  ', 'a\t', 'a\u3000'].map((prefix) => [prefix, ['a b', 'A bc']] as const),
      ['a  b', ['a b', 'A bc']],
      // No name begins or ends with a space.
      ...[' ', '  ', ' a', 'ab '].map((prefix) => [prefix, []] as const),
    ];
    for (const [prefix, names] of byPrefix) {
      expect([prefix, await namesOf(ben, { prefix })]).toEqual([prefix, names]);
      expect((await walk(ask(ben, { prefix }), 1)).map(({ name }) => name)).toEqual(names);
    }
  });

  test('a tag goes with its last message', async () => {
    const { ben, messages } = await saved(['a', 'b'], ['b']);
    await ben.do(RemoveSavedMessage, { input: { messageId: messages[0] ?? '' } });
    expect(await listOf(ben)).toMatchObject([{ name: 'b', count: 1, publicCount: 0 }]);
    expect(await namesOf(ben, { orderBy: 'COUNT' })).toEqual(['b']);
  });

  test('refuses wrong arguments, and cursors of other lists', async () => {
    const { aki, ben } = await saved(['work', 'other']);
    const cursorOf = async (by: Person, variables: SavedTagsQueryVariables) =>
      (await by.do(SavedTags, variables)).viewer.savedTags.pageInfo.endCursor;
    const cursor = Buffer.from('savedTags:x|y').toString('base64url');
    const wrong: Array<[SavedTagsQueryVariables, string]> = [
      [{ prefix: 'a', orderBy: 'COUNT' }, 'prefix'],
      [{ prefix: 'x'.repeat(201) }, 'prefix'],
      [{ prefix: '\ud800' }, 'prefix'],
      [{ after: cursor }, 'after'],
      [{ after: await cursorOf(ben, { orderBy: 'COUNT' }) }, 'after'],
      [{ after: await cursorOf(ben, { prefix: 'w' }) }, 'after'],
      [{ first: 0 }, 'first'],
    ];
    for (const [variables, field] of wrong) {
      const { errors } = await ben.send(SavedTags, variables);
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field });
    }
    expect(await aki.refused(SavedTags, { after: await cursorOf(ben, {}) })).toBe('BAD_USER_INPUT');
  });
});

test('a tag is found by its id, by its user only', async () => {
  const { aki, ben } = await saved(['Work']);
  const [tag] = await listOf(ben);
  const id = tag?.id ?? '';
  expect((await ben.do(SavedTagNode, { id })).node).toEqual({ id, name: 'Work', count: 1, publicCount: 1 });
  expect((await aki.do(SavedTagNode, { id })).node).toBeNull();
});
