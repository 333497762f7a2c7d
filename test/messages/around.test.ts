import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defined } from '../../src/core/defined.ts';
import { newId } from '../../src/core/ids.ts';
import { encodeId } from '../../src/graphql/ids.ts';
import { Timeline } from '../support/clients/operations.ts';
import { type Person, people, rawId, roomOf, say } from '../support/clients/people.ts';
import { budget } from '../support/run/budget.ts';
import { seed } from '../support/run/seed.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { Around, DeleteMessage } from './support/operations.ts';

const ROOTS = 30;
let app: TestApp;
let aki: Person;
let eve: Person;
let roomId: string;
let ids: string[];
let replyId: string;
beforeAll(async () => {
  app = await startTestApp();
  [aki, eve] = await people(app, 2);
  roomId = await roomOf(aki);
  ids = [];
  for (let i = 0; i < ROOTS; i++) ids.push((await say(aki, roomId, `root ${i}`)).id);
  replyId = (await say(aki, roomId, 'reply', ids[10])).id;
  await aki.do(DeleteMessage, { messageId: ids[20] ?? '' });
});
afterAll(() => app.stop());

async function around(id: string, first?: number) {
  const { room } = await aki.do(Around, { roomId, around: id, ...defined({ first }) });
  if (room === null) throw new Error('The room does not exist.');
  const { edges, pageInfo } = room.messages;
  return { ids: edges.map(({ node }) => node.id), cursors: edges.map(({ cursor }) => cursor), pageInfo };
}

/** The page of `size` messages with the one at `index` in its middle, unless the room begins or ends before. */
function window(index: number, size: number) {
  const start = Math.max(0, Math.min(index - Math.floor(size / 2), ids.length - size));
  const nodes = ids.slice(start, start + size);
  return { nodes, before: start > 0, after: start + size < ids.length };
}

const { numRuns, timeout, within } = budget({ runs: 10, seconds: 2 });

test(`Room.messages: a page around any message has its neighbours (seed ${seed})`, {
  timeout,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat({ max: ROOTS - 1 }),
      fc.integer({ min: 1, max: 40 }),
      within(async (index, size) => {
        const page = await around(ids[index] ?? '', size);
        const { nodes, before, after } = window(index, size);
        expect(page.ids).toEqual(nodes);
        expect(page.pageInfo).toMatchObject({ hasPreviousPage: before, hasNextPage: after });
      }),
    ),
    { numRuns },
  );
});

test.each([
  ['in the middle', 15, ['root 13', 'root 14', 'root 15', 'root 16']],
  ['at the beginning', 0, ['root 0', 'root 1', 'root 2', 'root 3']],
  ['at the end', 29, ['root 26', 'root 27', 'root 28', 'root 29']],
])('Room.messages: a page of four around a message %s', async (_, index, bodies) => {
  const { room } = await aki.do(Around, { roomId, around: ids[index] ?? '', first: 4 });
  expect(room?.messages.edges.map(({ node }) => node.body)).toEqual(bodies);
});

test('Room.messages: the page around a reply is that of its root, and deleted messages keep their place', async () => {
  expect((await around(replyId, 5)).ids).toEqual(window(10, 5).nodes);
  expect((await around(ids[20] ?? '', 5)).ids).toEqual(window(20, 5).nodes);
});

test('Room.messages: from the page around a message, clients can page to both ends of the room', async () => {
  const { ids: page, pageInfo } = await around(ids[12] ?? '', 5);
  const before = await aki.do(Timeline, { roomId, last: 100, before: pageInfo.startCursor });
  const after = await aki.do(Timeline, { roomId, first: 100, after: pageInfo.endCursor });
  const idsOf = ({ room }: typeof before) => room?.messages.edges.map(({ node }) => node.id) ?? [];
  expect([...idsOf(before), ...page, ...idsOf(after)]).toEqual(ids);
});

describe('Room.messages: refuses', () => {
  const absent = (room: string) => encodeId('Message', `${rawId(room)}:${'1'.repeat(16)}:${'1'.repeat(16)}`);
  test.each<[string, () => Promise<string> | string]>([
    ['of another room', async () => (await say(aki, await roomOf(aki), 'elsewhere')).id],
    ['of a room that the viewer is not in', async () => (await say(eve, await roomOf(eve), 'elsewhere')).id],
    ['of a message that does not exist', () => absent(roomId)],
    ['of another type', () => roomId],
    ['that is malformed', () => 'x'],
    ['that is empty', () => ''],
    ['of a room that does not exist', () => absent(encodeId('Room', newId()))],
  ])('a page around an id %s', async (_, id) => {
    const { errors } = await aki.send(Around, { roomId, around: await id() });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field: 'around' });
  });

  test('outsiders with FORBIDDEN', async () => {
    expect(await eve.refused(Around, { roomId, around: ids[0] ?? '' })).toBe('FORBIDDEN');
  });

  test('sizes out of bounds', async () => {
    for (const first of [0, -1, 101]) {
      const { errors } = await aki.send(Around, { roomId, around: ids[0] ?? '', first });
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field: 'first', limit: 100 });
    }
  });
});
