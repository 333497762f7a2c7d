import { describe, expect, test } from 'vitest';
import { type PageRead, type PageRequest, POSITIONS, pagedList } from '../../src/graphql/connections.ts';

interface Row {
  readonly id: string;
  readonly shown: string;
}

const options = {
  cursors: (room: string) => ({ list: `things:${room}`, position: POSITIONS.id }),
  position: ({ id }: Row) => id,
  node: ({ shown }: Row) => shown,
};
const things = pagedList(options);
const chronological = pagedList({ ...options, newest: true });

const rows = ['a', 'b'].map((id) => ({ id, shown: id.toUpperCase() }));
const cursor = (id: string) => Buffer.from(`things:r|${id}`).toString('base64url');
const a = { cursor: cursor('a'), node: 'A' };
const b = { cursor: cursor('b'), node: 'B' };

describe('pagedList', () => {
  test('the edge of an item is the one that a page has; cursors name the list and the position', async () => {
    const page = await things.page('r', {}, () => ({ nodes: rows, more: false }));
    expect(page.edges).toEqual([a, b]);
    expect(rows.map((row) => things.edge('r', row))).toEqual([a, b]);
  });

  test.each([
    [{}, { limit: 50, direction: 'forward', from: undefined }],
    [
      { first: 2, after: a.cursor },
      { limit: 2, direction: 'forward', from: 'a' },
    ],
    [
      { last: 3, before: b.cursor },
      { limit: 3, direction: 'backward', from: 'b' },
    ],
  ] as const)('asks for %j, and says what is known of both sides', async (args, expected) => {
    const asked: PageRequest[] = [];
    const read = (request: PageRequest): PageRead<Row> => {
      asked.push(request);
      return { nodes: rows, more: true };
    };
    const { pageInfo } = await things.page('r', args, read);
    expect(asked).toEqual([expected]);
    const forward = expected.direction === 'forward';
    const behind = expected.from !== undefined;
    expect(pageInfo).toEqual({
      hasNextPage: forward || behind,
      hasPreviousPage: !forward || behind,
      startCursor: a.cursor,
      endCursor: b.cursor,
    });
  });

  test('a chronological list begins with its newest page', async () => {
    const directions: string[] = [];
    const read = ({ direction }: PageRequest): PageRead<Row> => {
      directions.push(direction);
      return { nodes: [], more: false };
    };
    await things.page('r', {}, read);
    await chronological.page('r', {}, read);
    await chronological.page('r', { first: 1 }, read);
    expect(directions).toEqual(['forward', 'backward', 'forward']);
  });

  test('the next page begins after what was read, even if nothing of it is in the page', async () => {
    const read = () => ({ nodes: [], more: true, end: 'c' });
    const forward = await things.page('r', {}, read);
    expect(forward.pageInfo).toMatchObject({ startCursor: null, endCursor: cursor('c') });
    const backward = await things.page('r', { last: 1 }, read);
    expect(backward.pageInfo).toMatchObject({ startCursor: cursor('c'), endCursor: null });
  });

  test('a list that has read the other direction says what is there', async () => {
    const { pageInfo } = await things.page('r', {}, () => ({ nodes: rows, more: false, moreBehind: true }));
    expect(pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
  });

  test.each([
    [{ after: things.edge('other', { id: 'a', shown: 'A' }).cursor }, 'after'],
    [{ before: `${a.cursor}=` }, 'before'],
    [{ after: cursor('A') }, 'after'],
    [{ first: 0 }, 'first'],
    [{ last: 101 }, 'last'],
    [{ first: 1, last: 1 }, 'last'],
  ])('refuses %j and reads nothing', async (args, field) => {
    const refused = things.page('r', args, () => {
      throw new Error('It was read.');
    });
    await expect(refused).rejects.toMatchObject({ code: 'BAD_USER_INPUT', details: { fields: [{ field }] } });
  });
});
