import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defined } from '../../src/core/defined.ts';
import { Timeline } from '../support/clients/operations.ts';
import { type Person, people, roomOf, say } from '../support/clients/people.ts';
import { budget } from '../support/run/budget.ts';
import { seed } from '../support/run/seed.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { DeleteMessage, From } from './support/operations.ts';

const ROOTS = 20;
let app: TestApp;
let aki: Person;
let eve: Person;
let roomId: string;
let roots: { readonly id: string; readonly createdAt: string }[];
beforeAll(async () => {
  app = await startTestApp();
  [aki, eve] = await people(app, 2);
  roomId = await roomOf(aki);
  for (let i = 0; i < ROOTS; i++) await say(aki, roomId, `root ${i}`);
  const { room } = await aki.do(From, { roomId, from: new Date(0).toISOString(), first: 100 });
  roots = room?.messages.edges.map(({ node }) => node) ?? [];
  await say(aki, roomId, 'a reply belongs to no page', roots[3]?.id);
  await aki.do(DeleteMessage, { messageId: roots[8]?.id ?? '' });
});
afterAll(() => app.stop());

const idsOf = (page: readonly { readonly id: string }[]) => page.map(({ id }) => id);

async function pageFrom(from: number, first?: number) {
  const variables = { roomId, from: new Date(from).toISOString(), ...defined({ first }) };
  const { room } = await aki.do(From, variables);
  if (room === null) throw new Error('The room does not exist.');
  const { edges, pageInfo } = room.messages;
  return { ids: edges.map(({ node }) => node.id), pageInfo };
}

/** What the page should be, by the times that the API shows. */
function expected(from: number, size: number) {
  const start = roots.filter(({ createdAt }) => Date.parse(createdAt) < from).length;
  const ids = idsOf(roots.slice(start, start + size));
  return { ids, pageInfo: { hasPreviousPage: start > 0, hasNextPage: start + size < ROOTS } };
}

const { numRuns, timeout, within } = budget({ runs: 15, seconds: 2 });

test(`Room.messages: a page from any time on begins with the first root since then (seed ${seed})`, {
  timeout,
}, async () => {
  expect(roots).toHaveLength(ROOTS);
  await fc.assert(
    fc.asyncProperty(
      fc.nat({ max: ROOTS - 1 }),
      fc.integer({ min: -2, max: 2 }),
      fc.integer({ min: 1, max: 30 }),
      within(async (index, ms, size) => {
        const from = Date.parse(roots[index]?.createdAt ?? '') + ms;
        expect(await pageFrom(from, size)).toMatchObject(expected(from, size));
      }),
    ),
    { numRuns },
  );
});

test.each([
  ['before 1970', '1969-12-31T23:59:59.999Z'],
  ['long before the room', '1970-01-01T00:00:00Z'],
])('Room.messages: from %s (%s) is the oldest page', async (_, from) => {
  const { ids, pageInfo } = await pageFrom(Date.parse(from), 5);
  expect(ids).toEqual(idsOf(roots.slice(0, 5)));
  expect(pageInfo).toMatchObject({ hasPreviousPage: false, hasNextPage: true });
});

test.each(['2200-01-01T00:00:00Z', '2286-11-20T17:46:40Z', '9999-12-31T23:59:59.999Z'])(
  'Room.messages: from %s, after the newest root, the page is empty',
  async (from) => {
    const { ids, pageInfo } = await pageFrom(Date.parse(from));
    expect(ids).toEqual([]);
    expect(pageInfo).toEqual({
      hasNextPage: false,
      hasPreviousPage: true,
      startCursor: null,
      endCursor: null,
    });
  },
);

test('Room.messages: from the page of a date, clients can page to both ends of the room', async () => {
  const { ids: page, pageInfo } = await pageFrom(Date.parse(roots[12]?.createdAt ?? ''), 3);
  const before = await aki.do(Timeline, { roomId, last: 100, before: pageInfo.startCursor });
  const after = await aki.do(Timeline, { roomId, first: 100, after: pageInfo.endCursor });
  const shown = ({ room }: typeof before) => idsOf(room?.messages.edges.map(({ node }) => node) ?? []);
  expect([...shown(before), ...page, ...shown(after)]).toEqual(idsOf(roots));
});

describe('Room.messages: refuses', () => {
  const now = new Date().toISOString();
  test.each<[string, object, string]>([
    ['with a cursor', { after: 'x' }, 'from'],
    ['together with `around`', { around: 'x' }, 'around'],
    ['a page of 0', { first: 0 }, 'first'],
    ['a page of 101', { first: 101 }, 'first'],
  ])('a time %s', async (_, variables, field) => {
    const { errors } = await aki.send(From, { roomId, from: now, ...variables });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field });
  });

  test.each(['', 'yesterday', '2026-02-30T00:00:00Z', '2026-01-01'])('the time %j', async (from) => {
    const { errors, data } = await aki.send(From, { roomId, from });
    expect(errors).toHaveLength(1);
    expect(data).toBeFalsy();
  });

  test('outsiders with FORBIDDEN', async () => {
    expect(await eve.refused(From, { roomId, from: now })).toBe('FORBIDDEN');
  });
});
