import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { type Timestamp, toTimestamp } from '../../src/core/timestamps.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { messageItem, newMessage } from '../../src/messages/message.ts';
import { rebuild } from '../../src/rebuild/rebuild.ts';
import type { PendingEntry } from '../../src/roomEvents/logTransaction.ts';
import { createRoomsVisitor } from '../../src/roomEvents/rebuildVisitor.ts';
import { createRoomLog, type RoomLog } from '../../src/roomEvents/roomLog.ts';
import type { PendingRead } from '../../src/rooms/pendingReads.ts';
import { counterItem, membershipItem, newMembership } from '../../src/rooms/room.ts';
import { openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';

let db: TestDynamo;
let log: RoomLog;
let room: string;
let roots: Timestamp[];
let sequence = 0;
beforeAll(async () => {
  db = await openTestDynamo();
  log = createRoomLog(db);
});
afterAll(() => db.stop());

/** Creates a room with roots that have no position. */
async function roomWith(count: number): Promise<void> {
  room = newId();
  await db.dynamo.put(counterItem(room));
  roots = Array.from({ length: count }, (_, i) => toTimestamp(1_000_000 + i));
  for (const ts of roots) {
    const key = { room, threadTs: ts, ts };
    await db.dynamo.put(messageItem(newMessage({ ...key, author: 'aki', body: 'Hello', mentions: [] })));
  }
}

async function join(user: string, pendingReads: readonly PendingRead[], readPosition = 0): Promise<void> {
  const joined = newMembership({ user, room, role: 'MEMBER', joinCount: 0, readPosition }, '');
  await db.dynamo.put(membershipItem({ ...joined, pendingReads }));
}

const root = (i: number): PendingEntry => {
  const threadTs = roots[i] ?? '';
  return fromStream({ entry: { type: 'message', threadTs, ts: threadTs, version: 1, added: true } });
};
const mark = (user: string, number: number): PendingEntry => fromStream({ mark: { user, number } });
const fromStream = (pending: PendingEntry): PendingEntry => ({
  ...pending,
  source: { stream: 's', shard: 'x', sequence: String(++sequence) },
});
const membership = (user: string) => db.dynamo.get(keys.membership(user, room));
const counter = () => db.dynamo.get(keys.counter(room));

test('append: a mark gets the position of the last root before it, also if it comes again', async () => {
  await roomWith(3);
  await join('ben', [{ mark: 7 }]);
  const records = [root(0), root(1), mark('ben', 7), root(2)];
  const [update] = await log.append(room, records);
  expect(update).toMatchObject({ lastPosition: 3, lastSequence: 3 });
  const settled = await membership('ben');
  expect(settled).toMatchObject({ readPosition: 2 });
  expect(settled).not.toHaveProperty('readMark');
  await createRoomLog(db).append(room, records);
  await log.append(room, [{ mark: { user: 'ben', number: 7 } }]);
  expect(await membership('ben')).toEqual(settled);
});

test('append: marks without any other change are not in the log', async () => {
  await roomWith(1);
  await log.append(room, [root(0)]);
  for (const user of ['ben', 'chi']) await join(user, [{ mark: 1 }]);
  const updates = await log.append(room, [mark('ben', 1), mark('chi', 1)]);
  expect(updates).toMatchObject([{ lastPosition: 1, lastSequence: 1, entries: [] }]);
  expect(await counter()).toMatchObject({ messageCount: 1, changeCount: 1 });
  for (const user of ['ben', 'chi']) expect(await membership(user)).toMatchObject({ readPosition: 1 });
});

test('append: of two marks of a user the later one counts, and what was said after it stays', async () => {
  await roomWith(3);
  const from: PendingRead = { from: roots[2] ?? '' };
  await join('ben', [{ mark: 9 }, from]);
  await log.append(room, [root(0), mark('ben', 8), root(1), mark('ben', 9), root(2)]);
  expect(await membership('ben')).toMatchObject({ readPosition: 2, readSteps: [from] });
});

test('append: a mark of a former member, or one that was replaced, delays nothing', async () => {
  await roomWith(1);
  await join('ben', [{ mark: 12 }]);
  await log.append(room, [mark('ben', 11), mark('gone', 1), root(0)]);
  expect(await counter()).toMatchObject({ messageCount: 1, changeCount: 1 });
  expect(await membership('ben')).toMatchObject({ readPosition: 0, readMark: 12 });
  expect(await membership('gone')).toBeUndefined();
});

test('append: a mark does not move a read position back', async () => {
  await roomWith(2);
  await log.append(room, [root(0), root(1)]);
  await join('ben', [{ mark: 3 }], 4);
  await log.append(room, [mark('ben', 3)]);
  expect(await membership('ben')).toMatchObject({ readPosition: 4 });
  expect(await membership('ben')).not.toHaveProperty('readMark');
});

test('append: two consumers at once place a mark once, with the roots that were before it', async () => {
  await roomWith(20);
  await join('ben', [{ mark: 5 }]);
  const records = [...roots.slice(0, 10).map((_, i) => root(i)), mark('ben', 5)];
  records.push(...roots.slice(10).map((_, i) => root(i + 10)));
  await Promise.all([log, createRoomLog(db)].map((one) => one.append(room, records)));
  expect(await membership('ben')).toMatchObject({ readPosition: 10 });
  expect(await counter()).toMatchObject({ messageCount: 20 });
});

test('rebuild: a mark whose record was never handled gets the position of the last root', async () => {
  await roomWith(3);
  await join('ben', [{ mark: 5 }]);
  await rebuild({ dynamo: db.dynamo, visitors: [createRoomsVisitor({ log })] });
  expect(await membership('ben')).toMatchObject({ readPosition: 3 });
  expect(await membership('ben')).not.toHaveProperty('readMark');
});
