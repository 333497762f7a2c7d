import { afterAll, beforeAll, expect, test } from 'vitest';
import { microsOf, toTimestamp } from '../../../src/core/timestamps.ts';
import { bulkWrite } from '../../../src/dynamo/bulkWrite.ts';
import type { Cost } from '../../../src/dynamo/cost.ts';
import { IMPORTED } from '../../../src/dynamo/item.ts';
import { keys } from '../../../src/dynamo/keys.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { scaled } from '../../support/budget.ts';
import { onDynamoDbLocal, openTestDynamo, type TestDynamo } from '../../support/dynamo.ts';
import { type Person, rawId, say } from '../../support/people.ts';
import { positioned } from '../../support/table.ts';
import { like, likedByMany, likesOf, likingRoom, messageKey } from './support/likes.ts';
import { LikedOne, LikedPage, LikedThread } from './support/operations.ts';

const PAGE = 50;
const MANY = scaled(200);
const HISTORY = scaled(10_000);

let database: TestDynamo;
let app: TestApp;
let worker: TestApp;
let costs: Cost[] = [];
let aki: Person;
let ben: Person;
let roomId: string;
let messages: readonly string[];

beforeAll(async () => {
  database = await openTestDynamo({ file: true });
  // The stream is another server's, so that all that is read here is read for the requests.
  app = await startTestApp({ database, role: 'api', onCost: (cost) => costs.push(cost) });
  worker = await startTestApp({ database, role: 'worker' });
  const room = await likingRoom(app);
  ({ aki, ben, roomId } = room);
  const said = [room.message];
  for (let i = 1; i < PAGE; i++) said.push((await say(aki, roomId, `Message ${i}`)).id);
  messages = said;
  for (let i = 0; i < 3; i++) await say(ben, roomId, `Reply ${i}`, message(0));
  await positioned(app.dynamo, rawId(roomId));
});
afterAll(async () => {
  await Promise.all([app.stop(), worker.stop()]);
  await database.stop();
});

function message(i: number): string {
  const id = messages[i];
  if (id === undefined) throw new Error(`There is no message ${i}.`);
  return id;
}

async function costOf(request: () => Promise<unknown>) {
  costs = [];
  await request();
  const sum = (units: readonly number[]) => units.reduce((total, one) => total + one, 0);
  return {
    calls: costs.map(({ operation }) => operation).sort(),
    read: sum(costs.map(({ readUnits }) => readUnits)),
    write: sum(costs.map(({ writeUnits }) => writeUnits)),
  };
}

const page = async () =>
  (await aki.do(LikedPage, { roomId, last: PAGE })).room?.messages.edges.map(({ node }) => node) ?? [];

test('a page with authors, likes, stamps and threads asks four times, and one of it is for all likes', async () => {
  expect((await costOf(page)).calls).toEqual(['BatchGetItem', 'BatchGetItem', 'Query']);
  await like(aki, message(7));
  await like(ben, message(7));
  await like(ben, message(41));
  expect((await costOf(page)).calls).toEqual(['BatchGetItem', 'BatchGetItem', 'Query', 'Query']);
  const liked = (await page()).flatMap(({ likeCount, viewerHasLiked }, i) =>
    likeCount > 0 ? [[i, likeCount, viewerHasLiked]] : [],
  );
  expect(liked).toEqual([
    [7, 2, true],
    [41, 1, false],
  ]);
});

test('of one message the viewer’s like is one key more in a batch', async () => {
  const id = message(12);
  const one = () => aki.do(LikedOne, { id });
  const before = await costOf(one);
  await like(aki, id);
  const after = await costOf(one);
  expect(after).toEqual({ ...before, read: before.read + 1 });
  expect((await one()).node).toMatchObject({ likeCount: 1, viewerHasLiked: true });
});

test('so it is for the replies of a thread', async () => {
  const thread = async () => {
    const { node } = await aki.do(LikedThread, { id: message(0) });
    if (node === null || !('replies' in node)) throw new Error('There is no such thread.');
    return node.replies.edges.map(({ node: reply }) => reply);
  };
  const [first, second] = await thread();
  await like(aki, second?.id ?? '');
  await like(ben, first?.id ?? '');
  expect((await costOf(thread)).calls).toEqual(['BatchGetItem', 'Query', 'Query']);
  expect((await thread()).map(({ likeCount, viewerHasLiked }) => [likeCount, viewerHasLiked])).toEqual([
    [1, false],
    [1, true],
    [0, false],
  ]);
});

/** As many older messages, as if they had been said long ago. */
async function longPast(count: number): Promise<void> {
  const { room, t } = messageKey(message(0));
  const items = Array.from({ length: count }, (_, i) => ({
    ...keys.root(room, toTimestamp(microsOf(t) - count + i)),
    ...{
      ...IMPORTED,
      v: 1,
      author: aki.id,
      body: 'Long ago',
      rev: 2,
      stamps: {},
      replyCount: 0,
      position: 1,
    },
  }));
  await bulkWrite({ dynamo: app.dynamo, items, by: onDynamoDbLocal ? 'batches' : 'transactions' });
}

// DynamoDB Local charges otherwise than AWS (test/dynamo/costs.test.ts says how).
test.skipIf(onDynamoDbLocal)(
  `nothing costs more with ${HISTORY} messages in the room and ${MANY} likes on one of them`,
  async () => {
    const id = message(20);
    const key = messageKey(id);
    const { likes } = app.services;
    const measured = async () => ({
      page: await costOf(page),
      likers: await costOf(() => likesOf(aki, id, { first: 10 })),
      like: await costOf(() => likes.like(ben.id, key)),
      unlike: await costOf(() => likes.unlike(ben.id, key)),
    });
    await likedByMany(app.dynamo, key, 12);
    const before = await measured();
    const once = { calls: ['BatchGetItem', 'TransactWriteItems'], read: 3, write: 7 };
    expect([before.like, before.unlike]).toEqual([once, once]);
    expect(before.page.read).toBe(8);
    // Nothing is to be derived of what comes now: reading it all would take as long as writing it.
    await worker.stop();
    await longPast(HISTORY);
    await likedByMany(app.dynamo, key, MANY, 12);
    expect(await measured()).toEqual(before);
    expect((await likesOf(aki, id)).likeCount).toBe(MANY + 12);
  },
  180_000,
);
