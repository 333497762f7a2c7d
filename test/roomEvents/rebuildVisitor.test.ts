import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { type Timestamp, toTimestamp } from '../../src/core/timestamps.ts';
import { keys, ranges } from '../../src/dynamo/keys.ts';
import { messageItem, newMessage } from '../../src/messages/message.ts';
import { rebuild } from '../../src/rebuild/rebuild.ts';
import type { PendingEntry } from '../../src/roomEvents/logTransaction.ts';
import { createRoomsVisitor } from '../../src/roomEvents/rebuildVisitor.ts';
import { createRoomLog, type RoomLog } from '../../src/roomEvents/roomLog.ts';
import { createRoomLogReader, type RoomLogReader } from '../../src/roomEvents/roomLogReader.ts';
import { counterItem } from '../../src/rooms/room.ts';
import { openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';
import { itemsIn } from '../support/database/table.ts';

let db: TestDynamo;
let log: RoomLog;
let history: RoomLogReader;
beforeAll(async () => {
  db = await openTestDynamo();
  log = createRoomLog(db);
  history = createRoomLogReader(db);
});
afterAll(() => db.stop());

async function newRoom(): Promise<string> {
  const room = newId();
  await db.dynamo.put(counterItem(room));
  return room;
}

async function putRoots(room: string, count: number): Promise<Timestamp[]> {
  const stamps = Array.from({ length: count }, (_, i) => toTimestamp(1_000_000 + i));
  for (const threadTs of stamps) {
    await db.dynamo.put(
      messageItem(newMessage({ room, threadTs, ts: threadTs, author: 'aki', body: 'Hello', mentions: [] })),
    );
  }
  return stamps;
}

const root = (threadTs: Timestamp, sequence: number): PendingEntry => ({
  entry: { type: 'message', threadTs, ts: threadTs, version: 1, added: true },
  source: { stream: 's', shard: 'x', sequence: String(sequence) },
});
const joined = (user: string): PendingEntry => ({ entry: { type: 'member', user } });
const counter = (room: string) => db.dynamo.get(keys.counter(room));
const rebuildRooms = () => rebuild({ dynamo: db.dynamo, visitors: [createRoomsVisitor({ log })] });
const positions = async (room: string) =>
  (await itemsIn(db.dynamo, ranges.roots(room))).map(({ position }) => position);
const numbersOf = async (room: string, from: number, to: number) =>
  (await history.changes(room, from, to))?.map(({ number }) => number) ?? null;

test('rebuild: gives positions to roots without one, whose records may still be handled later', async () => {
  const room = await newRoom();
  const [first = '', second = ''] = await putRoots(room, 60);
  await log.append(room, [root(second, 1)]);
  expect((await rebuildRooms()).roots).toBe(59);
  expect((await positions(room)).slice(0, 3)).toEqual([2, 1, 3]);
  expect(await counter(room)).toMatchObject({ messageCount: 60, changeCount: 61 });
  await log.append(room, [root(first, 2), joined('ben')]);
  expect((await positions(room)).slice(0, 3)).toEqual([2, 1, 3]);
  expect(await counter(room)).toMatchObject({ messageCount: 60, changeCount: 63 });
  expect((await rebuildRooms()).roots).toBe(0);
});

test('rebuild: leaves a gap in every room’s log, after which the log is complete', async () => {
  const [quiet, busy] = [await newRoom(), await newRoom()];
  for (const user of ['aki', 'ben', 'chi']) await log.append(busy, [joined(user)]);
  expect((await rebuildRooms()).rooms).toBeGreaterThanOrEqual(2);
  await log.append(busy, [joined('dan'), joined('eri')]);
  expect(await counter(quiet)).toMatchObject({ changeCount: 1 });
  expect(await numbersOf(quiet, 1, 1)).toBeNull();
  expect(await counter(busy)).toMatchObject({ changeCount: 6 });
  for (const from of [1, 2, 3, 4]) expect(await numbersOf(busy, from, 6)).toBeNull();
  expect(await numbersOf(busy, 4, 4)).toBeNull();
  expect(await numbersOf(busy, 5, 6)).toEqual([5, 6]);
});

test('leaveGap: concurrent entries are neither lost nor numbered twice', async () => {
  const room = await newRoom();
  // Two consumers while a shard changes hands, and a rebuild beside them. With more writers, the slowest one's wait
  // would depend on the machine.
  await Promise.all(
    [0, 1, 2].map(async (writer) => {
      for (let i = 0; i < 7; i++) {
        if (writer === 0 && i < 5) await log.leaveGap(room);
        else await log.append(room, [joined(`u${writer}-${i}`)]);
      }
    }),
  );
  expect(await counter(room)).toMatchObject({ changeCount: 21 });
  const entries = (await itemsIn(db.dynamo, ranges.log(room, 1, 21))).flatMap(({ entries }) => entries);
  expect(entries).toHaveLength(16);
});

test('leaveGap: does nothing for a room that does not exist', async () => {
  const gone = newId();
  await log.leaveGap(gone);
  expect(await counter(gone)).toBeUndefined();
});
