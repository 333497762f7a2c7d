import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { type Timestamp, toTimestamp } from '../../src/core/timestamps.ts';
import { createDynamo } from '../../src/dynamo/dynamo.ts';
import type { Item } from '../../src/dynamo/item.ts';
import { keys, ranges } from '../../src/dynamo/keys.ts';
import { messageItem, newMessage } from '../../src/messages/message.ts';
import type { PendingEntry } from '../../src/roomEvents/logTransaction.ts';
import { createRoomLog, type RoomLog } from '../../src/roomEvents/roomLog.ts';
import type { LogEntry, StoredLogEntry } from '../../src/roomEvents/roomUpdate.ts';
import { counterItem } from '../../src/rooms/room.ts';
import { counting } from '../stream/support/requests.ts';
import { openTestDynamo, type TestDynamo, testTimeouts } from '../support/database/dynamo.ts';
import { itemsIn } from '../support/database/table.ts';

let db: TestDynamo;
let log: RoomLog;
let room: string;
beforeAll(async () => {
  db = await openTestDynamo();
  log = createRoomLog(db);
});
afterAll(() => db.stop());

/** Creates a room with roots that have no position. */
async function roomWith(roots: number): Promise<Timestamp[]> {
  room = newId();
  await db.dynamo.put(counterItem(room));
  const stamps = Array.from({ length: roots }, (_, i) => toTimestamp(1_000_000 + i));
  for (const threadTs of stamps) await db.dynamo.put(rootItem(threadTs));
  return stamps;
}

const rootItem = (threadTs: Timestamp) =>
  messageItem(newMessage({ room, threadTs, ts: threadTs, author: 'aki', body: 'Hello', mentions: [] }));

const added = (threadTs: Timestamp) =>
  ({ type: 'message', threadTs, ts: threadTs, version: 1, added: true }) as const satisfies LogEntry;
const from = (shard: string, sequence: number, entry: LogEntry): PendingEntry => ({
  entry,
  source: { stream: 's', shard, sequence: String(sequence) },
});
const joined = (user: string): LogEntry => ({ type: 'member', user });

async function positions(): Promise<unknown[]> {
  return (await itemsIn(db.dynamo, ranges.roots(room))).map(({ position }) => position);
}

async function entries(): Promise<StoredLogEntry[]> {
  const items = await itemsIn(db.dynamo, ranges.log(room, 1, 1_000));
  return items.flatMap((item) => item.entries as StoredLogEntry[]);
}

const counter = () => db.dynamo.get(keys.counter(room));

test('append: gives roots positions in the order of their records; a repeated record changes nothing', async () => {
  const [a = '', b = '', c = ''] = await roomWith(3);
  const records = [from('x', 1, added(c)), from('x', 2, added(a)), from('x', 3, added(b))];
  await log.append(room, records);
  expect(await positions()).toEqual([2, 3, 1]);
  const [update] = await log.append(room, records);
  expect(update).toMatchObject({ lastSequence: 3, lastPosition: 3, entries: [] });
  await log.append(room, records.slice(1, 2));
  expect(await counter()).toMatchObject({ changeCount: 3, messageCount: 3 });
  expect(await entries()).toHaveLength(3);
});

test('append: stores entries under the names that the table has always had', async () => {
  const [root = ''] = await roomWith(1);
  const [update] = await log.append(room, [
    from('x', 1, { ...added(root), author: 'aki', actor: 'ben' }),
    from('x', 2, joined('ben')),
  ]);
  // The author and the actor are published, but not stored.
  expect(update?.entries[0]).toEqual({ ...added(root), position: 1, author: 'aki', actor: 'ben' });
  await log.append(room, [from('x', 3, { type: 'room', version: 2 })]);
  expect(await entries()).toEqual([
    { type: 'message', t: root, c: root, rev: 1, added: true, position: 1 },
    { type: 'member', user: 'ben' },
    { type: 'room', rev: 2 },
  ]);
});

test('append: enters a record once if a batch has it twice', async () => {
  const [a = '', b = ''] = await roomWith(2);
  const records = [from('x', 1, added(a)), from('x', 2, added(b))];
  await log.append(room, [...records, ...records]);
  expect(await positions()).toEqual([1, 2]);
  expect(await entries()).toHaveLength(2);
});

test('append: if a room’s records are in two shards, the faster one does not hide those of the slower one', async () => {
  const [a = '', b = ''] = await roomWith(2);
  await log.append(room, [from('fast', 900, added(b)), from('fast', 901, joined('ben'))]);
  await log.append(room, [from('slow', 5, added(a))]);
  expect(await positions()).toEqual([2, 1]);
  await log.append(room, [from('slow', 5, added(a)), from('fast', 901, joined('ben'))]);
  expect(await entries()).toHaveLength(3);
});

test('append: keeps the marks of the last four shards', async () => {
  await roomWith(0);
  for (let i = 1; i <= 20; i++) await log.append(room, [from(`shard ${i}`, i, joined('ben'))]);
  const logged = (await counter())?.logged as Record<string, string>;
  expect(Object.values(logged).sort()).toEqual(['17', '18', '19', '20']);
});

test('append: enters a change whose shard is unknown, and a root still gets one position', async () => {
  const [a = ''] = await roomWith(1);
  await log.append(room, [{ entry: added(a) }]);
  await log.append(room, [{ entry: added(a) }]);
  expect(await positions()).toEqual([1]);
  expect(await entries()).toMatchObject([{ position: 1 }, { position: 1 }]);
});

test('append: continues after a root that was deleted by hand', async () => {
  const [a = ''] = await roomWith(1);
  const gone = toTimestamp(5);
  await log.append(room, [from('x', 1, added(gone)), from('x', 2, added(a))]);
  expect(await positions()).toEqual([1]);
  expect(await counter()).toMatchObject({ messageCount: 1, changeCount: 2 });
});

test('append: two consumers that believe they hold the same shard leave no gap and no repetition', async () => {
  const stamps = await roomWith(40);
  const records = stamps.map((threadTs, i) => from('x', i + 1, added(threadTs)));
  const other = createRoomLog(db);
  await Promise.all([log, other].map((one) => one.append(room, records)));
  expect(await positions()).toEqual(stamps.map((_, i) => i + 1));
  expect(await counter()).toMatchObject({ messageCount: 40, changeCount: 40 });
  expect(await entries()).toHaveLength(40);
});

test('append: reads the counter only for the first append', async () => {
  await roomWith(0);
  const { transport, count } = counting(db.transport);
  const dynamo = createDynamo({ transport, table: db.table, timeouts: testTimeouts });
  const counted = createRoomLog({ dynamo });
  for (let i = 1; i <= 3; i++) await counted.append(room, [from('x', i, joined('ben'))]);
  expect(count('GetItem')).toBe(1);
  expect(await counter()).toMatchObject({ changeCount: 3 });
});

test('append: of a message, in a room that no handler follows, it wakes no one', async () => {
  const [a = '', b = ''] = await roomWith(2);
  const written: boolean[] = [];
  const { transport, table } = db;
  let changes = 0;
  const onWrite = (isAwaited: boolean, count: number) => {
    written.push(isAwaited);
    changes = count;
  };
  const dynamo = createDynamo({ transport, table, timeouts: testTimeouts, onWrite });
  const wakes = async (one: RoomLog, ...pending: PendingEntry[]) => {
    written.length = 0;
    await one.append(room, pending);
    expect(written).toHaveLength(1);
    return written[0];
  };
  // The counter decides.
  const isFollowed = ({ direct }: Item) => direct !== false;
  const quiet = createRoomLog({ dynamo, isFollowed });
  expect(await wakes(quiet, from('x', 1, added(a)))).toBe(false);
  // The root, the counter and the log.
  expect(changes).toBe(3);
  expect(await wakes(quiet, from('x', 2, joined('ben')))).toBe(true);
  const changed: LogEntry = { type: 'message', threadTs: a, ts: a, version: 3 };
  expect(await wakes(quiet, from('x', 3, changed), { ...from('x', 4, added(b)), isAwaited: true })).toBe(
    true,
  );
  expect(await wakes(quiet, from('x', 5, changed))).toBe(false);
  expect(await wakes(quiet, { mark: { user: 'ben', number: 1 } }, from('x', 6, changed))).toBe(true);
  await db.dynamo.update(keys.counter(room), { update: 'SET direct = :yes', values: { ':yes': true } });
  // Nothing that the append depends on has changed, so it cannot know.
  expect(await wakes(quiet, from('x', 7, changed))).toBe(false);
  quiet.learn(room, (await counter()) ?? {});
  expect(await wakes(quiet, from('x', 8, changed))).toBe(true);
  // A process that has appended nothing to this room before.
  expect(await wakes(createRoomLog({ dynamo, isFollowed }), from('x', 9, changed))).toBe(true);
  expect(await wakes(createRoomLog({ dynamo }), from('x', 10, changed))).toBe(true);
});

test('append: continues from what another process has appended, and does not repeat it', async () => {
  const [a = '', b = ''] = await roomWith(2);
  const other = createRoomLog(db);
  await log.append(room, [from('x', 1, joined('ben'))]);
  await other.append(room, [from('x', 2, added(a))]);
  await log.append(room, [from('x', 2, added(a)), from('x', 3, added(b))]);
  expect(await positions()).toEqual([1, 2]);
  expect(await counter()).toMatchObject({ changeCount: 3, messageCount: 2 });
  expect(await entries()).toHaveLength(3);
});

test.each([0, 1])(
  'append: its update has the epoch of a member who left after the last append (%i entries)',
  async (entriesToAppend) => {
    await roomWith(0);
    await log.append(room, [from('x', 1, joined('ben'))]);
    await db.dynamo.update(keys.counter(room), {
      update: 'SET removals = :one',
      values: { ':one': 1 },
    });
    const pending = Array.from({ length: entriesToAppend }, () => from('x', 2, joined('chi')));
    const [update] = await log.append(room, pending);
    expect(update).toMatchObject({ membershipEpoch: 1, lastSequence: 1 + entriesToAppend });
  },
);

test('append: writes nothing for a room that was deleted after the last append', async () => {
  await roomWith(0);
  await log.append(room, [from('x', 1, joined('ben'))]);
  await db.dynamo.remove(keys.counter(room));
  expect(await log.append(room, [from('x', 2, joined('chi'))])).toEqual([]);
});
