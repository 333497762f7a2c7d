import { afterAll, beforeAll, expect, test } from 'vitest';
import { microsOf, toTimestamp } from '../../../src/core/timestamps.ts';
import { keys } from '../../../src/dynamo/keys.ts';
import { KINDS_MAX, type MessageStamp, stampItem, TOTAL_MAX } from '../../../src/reactions/stamps/stamp.ts';
import { Thread, Timeline } from '../../support/clients/operations.ts';
import { messageKey, type Person } from '../../support/clients/people.ts';
import { type CostFixture, PAGE, startCostFixture } from '../support/costFixture.ts';
import { StampedPage, StampedThread } from './support/operations.ts';
import { put, stampsOf } from './support/stamps.ts';

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

const queries = (calls: readonly string[]) => calls.filter((call) => call === 'Query').length;

test('Message.stampCounts: of a page with the viewer’s own stamps takes one query for all messages', async () => {
  await put(ben, message(3), 'heart');
  await put(aki, message(3), 'heart');
  await put(ben, message(40), 'tea');
  const bare = await costOf(() => aki.do(Timeline, { roomId, last: PAGE }));
  const stamped = await costOf(() => aki.do(StampedPage, { roomId, last: PAGE }));
  expect(queries(stamped.calls)).toBe(queries(bare.calls) + 1);
  expect(stamped.calls.length).toBeLessThanOrEqual(4);

  const page = (await aki.do(StampedPage, { roomId, last: PAGE })).room?.messages.edges ?? [];
  expect(page).toHaveLength(PAGE);
  const marked = page.flatMap(({ node }, i) => (node.stampCounts.length > 0 ? [[i, node.stampCounts]] : []));
  expect(marked).toEqual([
    [3, [{ count: 2, viewerHasStamped: true, stamp: { key: 'heart' } }]],
    [40, [{ count: 1, viewerHasStamped: false, stamp: { key: 'tea' } }]],
  ]);
});

test('Message.stampCounts: of a page of a thread takes one query, and a page from the middle is right', async () => {
  const replies = async () => {
    const { node } = await aki.do(StampedThread, { id: message(0) });
    if (node === null || !('replies' in node)) throw new Error('There is no such thread.');
    return node.replies.edges.map(({ node: reply }) => reply);
  };
  const [first, second] = await replies();
  await put(aki, second?.id ?? '', 'sun');
  await put(ben, first?.id ?? '', 'rain');
  const cost = await costOf(replies);
  // One for the replies and one for the viewer's stamps on them. The root has no stamps.
  expect(queries(cost.calls)).toBe(2);
  expect((await replies()).map(({ stampCounts }) => stampCounts)).toEqual([
    [{ count: 1, viewerHasStamped: false, stamp: { key: 'rain' } }],
    [{ count: 1, viewerHasStamped: true, stamp: { key: 'sun' } }],
    [],
  ]);

  await put(aki, message(20), 'moon');
  const newest = (await aki.do(StampedPage, { roomId, last: 25 })).room?.messages;
  const before = newest?.pageInfo.startCursor ?? null;
  const middle = (await aki.do(StampedPage, { roomId, last: 25, before })).room?.messages.edges ?? [];
  expect(middle[20]?.node.stampCounts).toEqual([
    { count: 1, viewerHasStamped: true, stamp: { key: 'moon' } },
  ]);
});

test('Message.stampCounts: of a message by its id takes one query, however many stamps it has', async () => {
  const stamps = ['heart', 'tea', 'sun', 'rain', 'moon'];
  for (const stamp of stamps) await put(ben, message(45), stamp);
  await put(aki, message(45), 'sun');
  const read = async () => {
    const { node } = await aki.do(StampedThread, { id: message(45) });
    if (node === null || !('stampCounts' in node)) throw new Error('There is no such message.');
    return node.stampCounts;
  };
  const many = await costOf(read);
  expect((await read()).filter(({ viewerHasStamped }) => viewerHasStamped)).toMatchObject([
    { stamp: { key: 'sun' }, count: 2 },
  ]);
  expect(queries(many.calls)).toBe(1);
});

test('Message.stamps: takes no query if the message has no stamps', async () => {
  const bare = await costOf(() => stampsOf(aki, message(10)));
  await put(ben, message(10), 'cake');
  const stamped = await costOf(() => stampsOf(aki, message(10)));
  expect(queries(bare.calls)).toBe(0);
  // The query for the stamps. The viewer's stamps are known without a query.
  expect(queries(stamped.calls)).toBe(1);
});

/** Fills a message with the most stamps that it can have, of `kinds` kinds. */
async function fill(id: string, kinds: number): Promise<void> {
  const key = messageKey(id);
  const { room, threadTs, ts } = key;
  const placed = Array.from(
    { length: TOTAL_MAX },
    (_, i): MessageStamp => ({
      ...key,
      stampedAt: toTimestamp(microsOf(ts) + 1 + i),
      user: ben.id,
      stampKey: `kind-${i % kinds}`,
    }),
  );
  for (let i = 0; i < placed.length; i += 25) {
    await fixture.app.dynamo.transact(placed.slice(i, i + 25).map((stamp) => ({ put: stampItem(stamp) })));
  }
  const counts = Array.from({ length: kinds }, (_, i) => [`kind-${i}`, TOTAL_MAX / kinds]);
  await fixture.app.dynamo.update(keys.message(room, threadTs, ts), {
    update: 'SET stamps = :stamps, stampTotal = :total',
    values: { ':stamps': Object.fromEntries(counts), ':total': TOTAL_MAX },
  });
}

test('Room.messages and Message.replies: read no more units with 500 stamps on a message', async () => {
  const pages = async () => ({
    timeline: await costOf(() => aki.do(Timeline, { roomId, last: PAGE })),
    stamped: await costOf(() => aki.do(StampedPage, { roomId, last: PAGE })),
    thread: await costOf(() => aki.do(Thread, { id: message(0) })),
  });
  const before = await pages();
  await fill(message(0), 1);
  expect(await pages()).toEqual(before);
  const { stamps, stampCounts } = await stampsOf(aki, message(0), { first: 100 });
  expect([stamps.edges.length, stampCounts[0]?.count]).toEqual([100, TOTAL_MAX]);
});

test('Room.messages: 50 kinds of stamps on a message add at most one read unit', async () => {
  const before = await costOf(() => aki.do(StampedPage, { roomId, last: PAGE }));
  await fill(message(1), KINDS_MAX);
  const after = await costOf(() => aki.do(StampedPage, { roomId, last: PAGE }));
  expect(after.calls).toEqual(before.calls);
  expect(after.read - before.read).toBeLessThanOrEqual(1);
});
