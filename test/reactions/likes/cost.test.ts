import { afterAll, beforeAll, expect, test } from 'vitest';
import { microsOf, toTimestamp } from '../../../src/core/timestamps.ts';
import { bulkWrite } from '../../../src/dynamo/bulkWrite.ts';
import { IMPORTED } from '../../../src/dynamo/item.ts';
import { keys } from '../../../src/dynamo/keys.ts';
import { messageKey, type Person } from '../../support/clients/people.ts';
import { onDynamoDbLocal } from '../../support/database/dynamo.ts';
import { scaled } from '../../support/run/budget.ts';
import { type CostFixture, PAGE, startCostFixture } from '../support/costFixture.ts';
import { like, likedByMany, likesOf } from './support/likes.ts';
import { LikedOne, LikedPage, LikedThread } from './support/operations.ts';

const MANY = scaled(200);
const HISTORY = scaled(10_000);

let fixture: CostFixture;
let costOf: CostFixture['costOf'];
let message: CostFixture['message'];
let aki: Person;
let ben: Person;
let roomId: string;
beforeAll(async () => {
  fixture = await startCostFixture();
  ({ costOf, message, aki, ben, roomId } = fixture);
});
afterAll(() => fixture?.stop());

const page = async () =>
  (await aki.do(LikedPage, { roomId, last: PAGE })).room?.messages.edges.map(({ node }) => node) ?? [];

test('Room.messages: a page with authors, likes, stamps and threads takes four requests, one for all likes', async () => {
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

test('Message.viewerHasLiked: of one message is one more key in a batch', async () => {
  const id = message(12);
  const one = () => aki.do(LikedOne, { id });
  const before = await costOf(one);
  await like(aki, id);
  const after = await costOf(one);
  expect(after).toEqual({ ...before, read: before.read + 1 });
  expect((await one()).node).toMatchObject({ likeCount: 1, viewerHasLiked: true });
});

test('Message.replies: the likes of all replies take one request', async () => {
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

/** Writes messages that are older than those of the fixture. */
async function addOldMessages(count: number): Promise<void> {
  const { room, threadTs } = messageKey(message(0));
  const items = Array.from({ length: count }, (_, i) => ({
    ...keys.root(room, toTimestamp(microsOf(threadTs) - count + i)),
    ...IMPORTED,
    v: 1,
    author: aki.id,
    body: 'Long ago',
    rev: 2,
    stamps: {},
    replyCount: 0,
    position: 1,
  }));
  await bulkWrite({ dynamo: fixture.app.dynamo, items, by: onDynamoDbLocal ? 'batches' : 'transactions' });
}

// DynamoDB Local counts units differently from AWS (see test/dynamo/costs.test.ts).
test.skipIf(onDynamoDbLocal)(
  `likes: cost the same with ${HISTORY} messages in the room and ${MANY} likes on one of them`,
  async () => {
    const id = message(20);
    const key = messageKey(id);
    const { likes } = fixture.app.services;
    const measured = async () => ({
      page: await costOf(page),
      likers: await costOf(() => likesOf(aki, id, { first: 10 })),
      like: await costOf(() => likes.add(ben.id, key)),
      unlike: await costOf(() => likes.remove(ben.id, key)),
    });
    await likedByMany(fixture.app.dynamo, key, 12);
    const before = await measured();
    const once = { calls: ['BatchGetItem', 'TransactWriteItems'], read: 3, write: 10 };
    expect([before.like, before.unlike]).toEqual([once, once]);
    expect(before.page.read).toBe(8);
    // The consumer would need as long to read the following items as it takes to write them.
    await fixture.worker.stop();
    await addOldMessages(HISTORY);
    await likedByMany(fixture.app.dynamo, key, MANY, 12);
    expect(await measured()).toEqual(before);
    expect((await likesOf(aki, id)).likeCount).toBe(MANY + 12);
  },
  180_000,
);
