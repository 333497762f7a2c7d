import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defined } from '../../src/core/defined.ts';
import { Directory, Members, Memberships, Thread, Timeline } from '../support/clients/operations.ts';
import { type Person, people, roomOf, say } from '../support/clients/people.ts';
import { budget } from '../support/run/budget.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';

const SIZES = [0, 1, 2, 7, 20] as const;

let app: TestApp;
let aki: Person;
/** For each size a room with that number of roots, and a thread with that number of replies. `ids`: in order. */
const lists: Array<{ readonly list: 'timeline' | 'thread'; readonly of: string; readonly ids: string[] }> =
  [];

beforeAll(async () => {
  app = await startTestApp();
  [aki] = await people(app, 1);
  const threads = await roomOf(aki);
  const filled = await Promise.all(
    SIZES.map(async (size) => {
      const roomId = await roomOf(aki);
      const root = await say(aki, threads, `${size} replies`);
      const roots: string[] = [];
      const replies: string[] = [];
      for (let n = 0; n < size; n++) {
        roots.push((await say(aki, roomId, `${n}`)).id);
        replies.push((await say(aki, threads, `${n}`, root.id)).id);
      }
      return [
        { list: 'timeline', of: roomId, ids: roots },
        { list: 'thread', of: root.id, ids: replies },
      ] as const;
    }),
  );
  lists.push(...filled.flat());
});
afterAll(() => app.stop());

interface Args {
  readonly first?: number | null;
  readonly after?: string | null;
  readonly last?: number | null;
  readonly before?: string | null;
}

async function page({ list, of }: { list: string; of: string }, args: Args) {
  if (list === 'timeline') {
    const { room } = await aki.do(Timeline, { roomId: of, ...args });
    if (room == null) throw new Error('The room does not exist.');
    return room.messages;
  }
  const { node } = await aki.do(Thread, { id: of, ...args });
  if (node == null || !('replies' in node)) throw new Error('The root does not exist.');
  return node.replies;
}

const someList = fc.nat({ max: SIZES.length * 2 - 1 }).map((i) => lists[i] ?? expect.fail('no list'));
const pageSize = fc.integer({ min: 1, max: 30 });
const { numRuns, timeout, start } = budget({ runs: 5, seconds: 2 });

test('messages and replies: pages forwards have every message once, in order, and the right pageInfo', {
  timeout,
}, async () => {
  const isOver = start();
  await fc.assert(
    fc.asyncProperty(someList, pageSize, async (list, first) => {
      if (isOver()) return;
      const seen: string[] = [];
      for (let after: string | null = null; ; ) {
        const { edges, pageInfo } = await page(list, { first, after });
        seen.push(...edges.map(({ node }) => node.id));
        expect(pageInfo).toEqual({
          hasNextPage: seen.length < list.ids.length,
          hasPreviousPage: after !== null,
          startCursor: edges[0]?.cursor ?? null,
          endCursor: edges.at(-1)?.cursor ?? null,
        });
        if (!pageInfo.hasNextPage) break;
        expect(edges).toHaveLength(first);
        after = pageInfo.endCursor;
      }
      expect(seen).toEqual(list.ids);
    }),
    { numRuns },
  );
});

test('messages and replies: pages backwards have every message once, each page in order', {
  timeout,
}, async () => {
  const isOver = start();
  await fc.assert(
    fc.asyncProperty(someList, pageSize, async (list, last) => {
      if (isOver()) return;
      const seen: string[] = [];
      for (let before: string | null = null; ; ) {
        const { edges, pageInfo } = await page(list, { last, before });
        seen.unshift(...edges.map(({ node }) => node.id));
        expect(pageInfo).toMatchObject({
          hasPreviousPage: seen.length < list.ids.length,
          hasNextPage: before !== null,
        });
        if (!pageInfo.hasPreviousPage) break;
        before = pageInfo.startCursor;
      }
      expect(seen).toEqual(list.ids);
    }),
    { numRuns },
  );
});

test('messages and replies: a page from any cursor, forwards or backwards, has its neighbours', {
  timeout,
}, async () => {
  const isOver = start();
  await fc.assert(
    fc.asyncProperty(someList, fc.nat({ max: 19 }), pageSize, async (list, at, size) => {
      if (isOver()) return;
      const all = (await page(list, { first: 100 })).edges;
      const edge = all[at];
      if (edge === undefined) return;
      const { ids } = list;
      const after = await page(list, { first: size, after: edge.cursor });
      expect(after.edges.map(({ node }) => node.id)).toEqual(ids.slice(at + 1, at + 1 + size));
      const before = await page(list, { last: size, before: edge.cursor });
      expect(before.edges.map(({ node }) => node.id)).toEqual(ids.slice(Math.max(0, at - size), at));
    }),
    { numRuns },
  );
});

test('Room.messages: without arguments returns the newest page', async () => {
  const list = lists.at(-2);
  if (list === undefined) throw new Error('There is no list.');
  const { edges, pageInfo } = await page(list, {});
  expect(edges.map(({ node }) => node.id)).toEqual(list.ids);
  expect(pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: false });
});

test('Room.messages: pages have every message once while users send', async () => {
  const [sender] = await people(app, 1);
  const roomId = await roomOf(aki, [sender]);
  const sent: string[] = [];
  for (let n = 0; n < 10; n++) sent.push((await say(sender, roomId, `${n}`)).id);
  const forwards: string[] = [];
  let after: string | null = null;
  for (let n = 10; n < 30; n++) {
    const [next, message]: [Awaited<ReturnType<typeof page>>, { id: string }] = await Promise.all([
      page({ list: 'timeline', of: roomId }, { first: 2, after }),
      say(sender, roomId, `${n}`),
    ]);
    sent.push(message.id);
    forwards.push(...next.edges.map(({ node }) => node.id));
    after = next.pageInfo.endCursor ?? after;
  }
  for (let more = true; more; ) {
    const next: Awaited<ReturnType<typeof page>> = await page(
      { list: 'timeline', of: roomId },
      { first: 100, after },
    );
    forwards.push(...next.edges.map(({ node }) => node.id));
    after = next.pageInfo.endCursor;
    more = next.pageInfo.hasNextPage;
  }
  expect(forwards).toEqual(sent);
});

describe('connections: refuse', () => {
  const refusal = (field: string, limit?: number) => ({
    code: 'BAD_USER_INPUT',
    field,
    ...defined({ limit }),
  });
  const timeline = async (args: Args) => {
    const { errors } = await aki.send(Timeline, { roomId: lists[0]?.of ?? '', ...args });
    return errors?.[0]?.extensions;
  };

  test.each([0, -1, 101, 2 ** 31 - 1])('a page size of %i', async (size) => {
    expect(await timeline({ first: size })).toMatchObject(refusal('first', 100));
    expect(await timeline({ last: size })).toMatchObject(refusal('last', 100));
    for (const document of [Directory, Memberships]) {
      const { errors } = await aki.send<unknown, { first: number }>(document, { first: size });
      expect(errors?.[0]?.extensions).toMatchObject(refusal('first', 100));
    }
    const { errors } = await aki.send(Members, { roomId: lists[0]?.of ?? '', first: size });
    expect(errors?.[0]?.extensions).toMatchObject(refusal('first', 100));
  });

  test('a page size that is not an integer', async () => {
    for (const size of [1.5, '5', 2 ** 31, Number.MAX_SAFE_INTEGER]) {
      expect(await timeline({ first: size as number })).toMatchObject({ code: 'BAD_USER_INPUT' });
    }
  });

  test('both directions together', async () => {
    const full = lists.at(-2);
    if (full === undefined) throw new Error('There is no list.');
    const { pageInfo } = await page(full, { first: 1 });
    const cursor = pageInfo.endCursor;
    expect(await timeline({ first: 1, last: 1 })).toMatchObject(refusal('last'));
    expect(await timeline({ after: cursor, before: cursor })).toMatchObject(refusal('before'));
    expect(await timeline({ last: 1, after: cursor })).toMatchObject(refusal('after'));
    expect(await timeline({ first: 1, before: cursor })).toMatchObject(refusal('before'));
  });

  test('a cursor of another list and a malformed one', async () => {
    const cursorOf = async (list: (typeof lists)[number] | undefined) => {
      if (list === undefined) throw new Error('There is no list.');
      return (await page(list, { first: 1 })).pageInfo.endCursor ?? '';
    };
    const [ofRoom, ofThread] = [await cursorOf(lists.at(-2)), await cursorOf(lists.at(-1))];
    const { rooms } = await aki.do(Directory, { first: 1 });
    const ofDirectory = rooms.pageInfo.endCursor ?? '';
    const inRoom = Buffer.from(ofRoom, 'base64url').toString();
    const tampered = [
      inRoom.replace(/\d$/, ''),
      `${inRoom}0`,
      inRoom.replace(/\d{16}$/, 'ROOT#'),
      inRoom.replace(/\d{16}$/, '#'.repeat(16)),
    ].map((text) => Buffer.from(text).toString('base64url'));
    const others = ['', 'x', '⛩️', ofRoom.slice(1), `${ofRoom}=`, `${ofRoom} `, 'A'.repeat(10_000)];
    for (const cursor of [ofThread, ofDirectory, lists[0]?.of ?? '', ...tampered, ...others]) {
      expect([cursor, await timelineOfFull({ after: cursor })]).toMatchObject([cursor, refusal('after')]);
      expect([cursor, await timelineOfFull({ before: cursor })]).toMatchObject([cursor, refusal('before')]);
    }
    for (const document of [Directory, Memberships]) {
      const { errors } = await aki.send<unknown, { after: string }>(document, { after: ofRoom });
      expect(errors?.[0]?.extensions).toMatchObject(refusal('after'));
    }
    const { errors } = await aki.send(Members, { roomId: lists[0]?.of ?? '', after: ofRoom });
    expect(errors?.[0]?.extensions).toMatchObject(refusal('after'));

    async function timelineOfFull(args: Args) {
      const { errors: refused } = await aki.send(Timeline, { roomId: lists.at(-2)?.of ?? '', ...args });
      return refused?.[0]?.extensions;
    }
  });
});
