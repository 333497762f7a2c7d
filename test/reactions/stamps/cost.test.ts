import { afterAll, beforeAll, expect, test } from 'vitest';
import { microsOf, toTimestamp } from '../../../src/core/timestamps.ts';
import type { Cost } from '../../../src/dynamo/cost.ts';
import { keys } from '../../../src/dynamo/keys.ts';
import { type MessageStamp, stampItem } from '../../../src/reactions/stamps/stamp.ts';
import { KINDS_MAX, TOTAL_MAX } from '../../../src/reactions/stamps/stamps.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { openTestDynamo, type TestDynamo } from '../../support/dynamo.ts';
import { Thread, Timeline } from '../../support/operations.ts';
import { type Person, rawId, say } from '../../support/people.ts';
import { positioned } from '../../support/table.ts';
import { StampedPage, StampedThread } from './support/operations.ts';
import { messageKey, put, stampingRoom, stampsOf } from './support/stamps.ts';

const PAGE = 50;

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
  const room = await stampingRoom(app);
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
  return {
    // Of requests that are under way together, any may be answered first.
    calls: costs.map(({ operation }) => operation).sort(),
    units: costs.reduce((sum, { readUnits }) => sum + readUnits, 0),
  };
}

const queries = (calls: readonly string[]) => calls.filter((call) => call === 'Query').length;

test('a page’s counts and the viewer’s own stamps are one query for all of its messages', async () => {
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

test('a page of a thread, too; and a page from the middle tells the same', async () => {
  const replies = async () => {
    const { node } = await aki.do(StampedThread, { id: message(0) });
    if (node === null || !('replies' in node)) throw new Error('There is no such thread.');
    return node.replies.edges.map(({ node: reply }) => reply);
  };
  const [first, second] = await replies();
  await put(aki, second?.id ?? '', 'sun');
  await put(ben, first?.id ?? '', 'rain');
  const cost = await costOf(replies);
  // The replies, and the viewer's stamps on them; the root has none.
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

test('where nobody has stamped, the list of stamps costs no query', async () => {
  const bare = await costOf(() => stampsOf(aki, message(10)));
  await put(ben, message(10), 'cake');
  const stamped = await costOf(() => stampsOf(aki, message(10)));
  expect(queries(bare.calls)).toBe(0);
  // Its stamps; which of them are the viewer's is told by what they have put, without one.
  expect(queries(stamped.calls)).toBe(1);
});

/** Fills a message up with stamps of `kinds` kinds, as if many people had put them. */
async function filled(id: string, kinds: number): Promise<void> {
  const key = messageKey(id);
  const { room, t, c } = key;
  const placed = Array.from(
    { length: TOTAL_MAX },
    (_, i): MessageStamp => ({
      ...key,
      s: toTimestamp(microsOf(c) + 1 + i),
      user: ben.id,
      stampKey: `kind-${i % kinds}`,
    }),
  );
  for (let i = 0; i < placed.length; i += 25) {
    await app.dynamo.transact(placed.slice(i, i + 25).map((stamp) => ({ put: stampItem(stamp) })));
  }
  const counts = Array.from({ length: kinds }, (_, i) => [`kind-${i}`, TOTAL_MAX / kinds]);
  await app.dynamo.update(keys.message(room, t, c), {
    update: 'SET stamps = :stamps, stampTotal = :total',
    values: { ':stamps': Object.fromEntries(counts), ':total': TOTAL_MAX },
  });
}

test('500 stamps on a message do not change what pages of the room and of its thread read', async () => {
  const pages = async () => ({
    timeline: await costOf(() => aki.do(Timeline, { roomId, last: PAGE })),
    stamped: await costOf(() => aki.do(StampedPage, { roomId, last: PAGE })),
    thread: await costOf(() => aki.do(Thread, { id: message(0) })),
  });
  const before = await pages();
  await filled(message(0), 1);
  expect(await pages()).toEqual(before);
  const { stamps, stampCounts } = await stampsOf(aki, message(0), { first: 100 });
  expect([stamps.edges.length, stampCounts[0]?.count]).toEqual([100, TOTAL_MAX]);
});

test('50 kinds of stamps on a message weigh what their counts weigh: less than a read unit', async () => {
  const before = await costOf(() => aki.do(StampedPage, { roomId, last: PAGE }));
  await filled(message(1), KINDS_MAX);
  const after = await costOf(() => aki.do(StampedPage, { roomId, last: PAGE }));
  expect(after.calls).toEqual(before.calls);
  expect(after.units - before.units).toBeLessThanOrEqual(1);
});
