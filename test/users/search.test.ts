/** Users are found by the beginning of their handle. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { graphql } from '../generated/gql.ts';
import { Me, UpdateProfile } from '../support/clients/operations.ts';
import { globalId, newUser, type Person, people } from '../support/clients/people.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { eventually } from '../support/time/eventually.ts';
import {
  asOfEarlierRelease,
  conversionOf,
  found,
  renameByEarlierRelease,
  SearchUsers,
} from './support/search.ts';

const Block = graphql(`
  mutation BlockSearched($userId: ID!) { blockUser(input: { userId: $userId }) { user { id } } }
`);

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

/** A prefix that no other test uses. */
const unique = () => `p${newId().slice(0, 8)}`;

/** Users whose handles are the prefix and these endings. */
async function named(prefix: string, endings: readonly string[]): Promise<Person[]> {
  return Promise.all(
    endings.map(async (ending) => {
      const user = await newUser(app);
      const handle = `${prefix}${ending}`;
      await user.do(UpdateProfile, { input: { handle } });
      return { ...user, handle };
    }),
  );
}

const rename = (person: Person, handle: string | null) => person.do(UpdateProfile, { input: { handle } });

describe('Query.searchUsers', () => {
  test('finds users by the beginning of their handle, in its order, in upper or lower case', async () => {
    const prefix = unique();
    const [, aki] = await named(prefix, ['b_2', 'a', '', 'b_1', 'ba']);
    if (aki === undefined) throw new Error('No user.');
    const all = ['', 'a', 'b_1', 'b_2', 'ba'].map((ending) => prefix + ending);
    expect(await found(aki, prefix)).toEqual(all);
    expect(await found(aki, prefix.toUpperCase())).toEqual(all);
    expect(await found(aki, `${prefix}b_`)).toEqual([`${prefix}b_1`, `${prefix}b_2`]);
    expect(await found(aki, `${prefix}c`)).toEqual([]);
    expect((await found(aki, prefix.slice(0, 1))).length).toBeGreaterThanOrEqual(5);
  });

  test('finds 50 users at most, with pages of any size', async () => {
    const prefix = unique();
    const endings = Array.from({ length: 55 }, (_, i) => String(i + 10));
    const [aki] = await named(prefix, endings);
    if (aki === undefined) throw new Error('No user.');
    const expected = endings.slice(0, 50).map((ending) => prefix + ending);
    const { searchUsers } = await aki.do(SearchUsers, { prefix, first: 100 });
    expect(searchUsers.edges.map(({ node }) => node.handle)).toEqual(expected);
    expect(searchUsers.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: false });
    const pagesFrom = async (after: string | null): Promise<Array<string | null>> => {
      const { edges, pageInfo } = (await aki.do(SearchUsers, { prefix, first: 20, after })).searchUsers;
      const handles = edges.map(({ node }) => node.handle);
      return pageInfo.hasNextPage ? [...handles, ...(await pagesFrom(pageInfo.endCursor))] : handles;
    };
    expect(await pagesFrom(null)).toEqual(expected);
    const last = searchUsers.edges.at(-1)?.cursor ?? '';
    expect((await aki.do(SearchUsers, { prefix, after: last })).searchUsers.edges).toEqual([]);
  });

  test('a changed handle is found at once, and the one before it is not', async () => {
    const prefix = unique();
    const [aki] = await named(prefix, ['old']);
    if (aki === undefined) throw new Error('No user.');
    await rename(aki, `${prefix}new`);
    expect(await found(aki, prefix)).toEqual([`${prefix}new`]);
    await rename(aki, `${prefix}old`);
    expect(await found(aki, prefix)).toEqual([`${prefix}old`]);
    await rename(aki, null);
    expect(await found(aki, prefix)).toEqual([]);
  });

  test('a block changes nothing for either user', async () => {
    const prefix = unique();
    const [aki, ben] = await named(prefix, ['a', 'b']);
    if (aki === undefined || ben === undefined) throw new Error('No users.');
    await aki.do(Block, { userId: globalId(ben) });
    const both = [`${prefix}a`, `${prefix}b`];
    expect([await found(aki, prefix), await found(ben, prefix)]).toEqual([both, both]);
  });

  test('refuses a prefix that is empty or too long, and finds no one by what no handle begins with', async () => {
    const [aki] = await people(app, 1);
    for (const prefix of ['', 'a'.repeat(21)]) {
      expect(await aki.refused(SearchUsers, { prefix })).toBe('BAD_USER_INPUT');
    }
    for (const prefix of ['@', 'é', 'a b', '%', '.*', 'あき', '#', '\u0000', '\u{10FFFF}']) {
      expect([prefix, await found(aki, prefix)]).toEqual([prefix, []]);
    }
  });

  test('refuses cursors of another prefix, and those that it did not return', async () => {
    const prefix = unique();
    const [aki] = await named(prefix, ['a', 'b']);
    if (aki === undefined) throw new Error('No user.');
    const { edges } = (await aki.do(SearchUsers, { prefix, first: 1 })).searchUsers;
    const after = edges[0]?.cursor ?? '';
    expect(await aki.refused(SearchUsers, { prefix: `${prefix}a`, after })).toBe('BAD_USER_INPUT');
    const made = (position: string) => Buffer.from(`searchUsers:${prefix}|${position}`).toString('base64url');
    for (const position of [
      '1#zzz#u',
      `0#${prefix}a#u`,
      `100#${prefix}a#u`,
      `1#${prefix}a`,
      '',
      `1#${prefix}a#U`,
    ]) {
      expect(await aki.refused(SearchUsers, { prefix, after: made(position) })).toBe('BAD_USER_INPUT');
    }
    expect(await aki.refused(SearchUsers, { prefix, after: made(`99#${prefix}a#u`) })).toBeUndefined();
  });
});

describe('a table of the release before', () => {
  test('its users are found after the conversion, which begins by itself and ends', async () => {
    const prefix = unique();
    const users = await named(prefix, ['a', 'b', 'c']);
    const [aki] = users;
    if (aki === undefined) throw new Error('No user.');
    for (const user of users) await asOfEarlierRelease(app.dynamo, user);
    await app.dynamo.remove(keys.conversion('handles'));
    expect(await found(aki, prefix)).toEqual([]);

    const { upkeep, jobKind } = conversionOf(app.dynamo);
    await upkeep();
    await eventually(async () => expect(await found(aki, prefix)).toEqual(users.map(({ handle }) => handle)));
    // It reads the table again after an hour: until then it is not done.
    const job = await eventually(async () => {
      const item = await app.dynamo.get(keys.job('handles'));
      expect(item?.runAt).toBeGreaterThan(Date.now() + 3_500_000);
      return item;
    });
    expect(await app.dynamo.get(keys.conversion('handles'))).toBeUndefined();
    expect(await jobKind.step({}, job?.cursor as string)).toBeNull();
    expect(await app.dynamo.get(keys.conversion('handles'))).toBeDefined();
  });

  test('a new table has nothing to convert', async () => {
    const other = await startTestApp();
    expect(await other.dynamo.get(keys.conversion('handles'))).toBeDefined();
    expect(await other.dynamo.get(keys.job('handles'))).toBeUndefined();
    await other.stop();
  });

  test('a handle that a server of that release sets is found', async () => {
    const prefix = unique();
    const [aki] = await named(prefix, ['old']);
    if (aki === undefined) throw new Error('No user.');
    await renameByEarlierRelease(app.dynamo, aki, `${prefix}new`);
    await app.quiet();
    expect((await aki.do(Me)).viewer.user.handle).toBe(`${prefix}new`);
    expect(await found(aki, prefix)).toEqual([`${prefix}new`]);
  });
});
