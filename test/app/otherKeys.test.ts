/** A server uses a table that names its keys in another way, and does all that it does in others. */

import { expect, onTestFinished, test } from 'vitest';
import { defined } from '../../src/core/defined.ts';
import { bulkWrite } from '../../src/dynamo/bulkWrite.ts';
import type { Item } from '../../src/dynamo/item.ts';
import { DEFAULT_LAYOUT, namesOf } from '../../src/dynamo/keyLayout.ts';
import { CostThreads } from '../dynamo/support/costOperations.ts';
import { LikeMessage } from '../reactions/likes/support/operations.ts';
import { AddStamp } from '../reactions/stamps/support/operations.ts';
import { withoutShape } from '../reshape/support/job.ts';
import { itemsBefore, seenBefore, viewsOf } from '../reshape/support/tableBefore.ts';
import { SavedMessages, SaveMessage } from '../saved/support/operations.ts';
import { queryBadge, shows, watchBadge } from '../support/clients/badges.ts';
import {
  Directory,
  MarkRoomRead,
  Members,
  Memberships,
  Thread,
  Timeline,
} from '../support/clients/operations.ts';
import { type Person, people, roomOf, say, userOf } from '../support/clients/people.ts';
import { OTHER_LAYOUT, openTestDynamo, type TestDynamo, testTimeouts } from '../support/database/dynamo.ts';
import { startTestApp } from '../support/servers/app.ts';
import { eventually } from '../support/time/eventually.ts';
import { foundIn } from '../users/support/search.ts';
import { recount } from '../verify/support/recount.ts';

type Page =
  | { readonly edges: readonly unknown[]; readonly pageInfo: { readonly endCursor: string | null } }
  | null
  | undefined;

async function serverOn(database: TestDynamo) {
  onTestFinished(() => database.stop());
  const app = await startTestApp({ database });
  onTestFinished(() => app.stop());
  return app;
}

/** The names of all attributes in the table, as they are stored. */
async function storedNames({ raw, table }: TestDynamo): Promise<Set<string>> {
  const names = new Set<string>();
  for (let after: Item | undefined, more = true; more; more = after !== undefined) {
    const { Items = [], LastEvaluatedKey } = await raw.transport.send(
      'Scan',
      { TableName: table, ...defined({ ExclusiveStartKey: after }) },
      { timeoutMs: testTimeouts.callMs },
    );
    for (const name of Items.flatMap(Object.keys)) names.add(name);
    after = LastEvaluatedKey;
  }
  return names;
}

/** Its keys have its own names, and no other attribute has a name that keys may have: `isUsable` depends on that. */
async function expectOwnNames(database: TestDynamo): Promise<void> {
  const names = await storedNames(database);
  for (const name of namesOf(database.layout)) expect([...names]).toContain(name);
  for (const name of namesOf(DEFAULT_LAYOUT)) expect([...names]).not.toContain(name);
  const others = [...names].filter((name) => !namesOf(database.layout).includes(name));
  expect(others.length).toBeGreaterThan(20);
  expect(others.filter((name) => !/^[a-z]/.test(name))).toEqual([]);
}

test('a server on a table with other names for its keys: sends, pages, likes, counts, searches and derives', async () => {
  const database = await openTestDynamo({ file: true, layout: OTHER_LAYOUT });
  const app = await serverOn(database);
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, [ben], { name: 'Garden' });
  const badge = watchBadge(ben);
  await badge.next();
  const roots = [];
  for (let i = 0; i < 5; i++) roots.push((await say(aki, roomId, `root ${i} @${ben.handle}`)).id);
  const [root = ''] = roots;
  await say(ben, roomId, `reply ${'long '.repeat(300)}`, root);
  await ben.do(LikeMessage, { messageId: root });
  await ben.do(AddStamp, { messageId: root, stamp: 'tea' });
  await ben.do(SaveMessage, { input: { messageId: root, addTags: ['later'] } });
  await app.quiet();
  await shows(badge, await queryBadge(ben));
  expect((await queryBadge(ben)).notifications).toBe(5);

  const page = async (more: { readonly first?: number; readonly after?: string; readonly last?: number }) => {
    const { room } = await ben.do(Timeline, { roomId, ...more });
    return room?.messages;
  };
  const first = await page({ first: 2 });
  const second = await page({ first: 10, after: first?.pageInfo.endCursor ?? '' });
  const read = [...(first?.edges ?? []), ...(second?.edges ?? [])].map(({ node }) => node.id);
  expect(read).toEqual(roots);

  const { node } = await ben.do(Thread, { id: root });
  expect(node).toMatchObject({
    replyCount: 1,
    replies: { edges: [{ node: { author: { handle: ben.handle } } }] },
  });
  const { room } = await ben.do(CostThreads, { roomId });
  expect(room?.threads.edges.map((edge) => edge.node.root.body)).toContain(`root 0 @${ben.handle}`);
  await ben.do(MarkRoomRead, { input: { roomId } });
  await app.quiet();
  expect((await queryBadge(ben)).rooms[roomId] ?? 0).toBe(0);

  // Lists of the index.
  await eventually(async () =>
    expect(await foundIn(aki, roomId, ben.handle.slice(0, 4))).toContain(ben.handle),
  );
  const saved = await ben.do(SavedMessages, { tags: ['later'] });
  expect(saved.viewer.savedMessages.edges.map((edge) => edge.node.message?.id)).toEqual([root]);
  await eventually(async () =>
    expect(JSON.stringify(await aki.do(Directory, { first: 10 }))).toContain('Garden'),
  );
  expect(await recount(app.dynamo)).toEqual([]);
  await expectOwnNames(database);
});

test('a list goes on in a table with other names for its keys, and back', async () => {
  const seen = await seenBefore();
  const items = await itemsBefore(seen);
  const [handle = ''] = seen.people;
  const servers = [];
  for (const layout of [DEFAULT_LAYOUT, OTHER_LAYOUT]) {
    const database = await openTestDynamo({ file: true, layout });
    await bulkWrite({ dynamo: database.dynamo, items, by: 'transactions' });
    await withoutShape(database.dynamo);
    const app = await serverOn(database);
    servers.push(await userOf(app, handle));
    await app.quiet();
  }
  const [user, other] = servers as [Person, Person];
  const { viewer } = await user.do(Memberships, { first: 20 });
  const roomId = viewer.memberships.edges.at(-1)?.node.room.id ?? '';
  const lists: ReadonlyArray<(who: Person, page: { first: number; after?: string }) => Promise<Page>> = [
    async (who, page) => (await who.do(Timeline, { roomId, ...page })).room?.messages,
    async (who, page) => (await who.do(Members, { roomId, ...page })).room?.members,
    async (who, page) => (await who.do(Memberships, page)).viewer.memberships,
    async (who, page) => (await who.do(Directory, page)).rooms,
  ];
  for (const read of lists) {
    const all = await read(user, { first: 50 });
    expect(all?.edges.length).toBeGreaterThan(1);
    for (const [from, to] of [
      [user, other],
      [other, user],
    ] as const) {
      const first = await read(from, { first: 1 });
      const rest = await read(to, { first: 50, after: first?.pageInfo.endCursor ?? '' });
      expect([...(first?.edges ?? []), ...(rest?.edges ?? [])]).toEqual(all?.edges);
    }
  }
});

test('what an earlier release has stored is shown the same from a table with other names for its keys', async () => {
  const seen = await seenBefore();
  const database = await openTestDynamo({ file: true, layout: OTHER_LAYOUT });
  await bulkWrite({ dynamo: database.dynamo, items: await itemsBefore(seen), by: 'transactions' });
  await withoutShape(database.dynamo);
  const app = await serverOn(database);
  const users = await Promise.all(seen.people.map((handle) => userOf(app, handle)));
  await app.quiet();
  expect(await viewsOf(users)).toEqual(seen.views);
  await app.quiet();
  expect(await recount(app.dynamo)).toEqual([]);
  await expectOwnNames(database);
});
