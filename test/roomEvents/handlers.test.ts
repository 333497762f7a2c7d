import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMemoryBus } from '../../src/bus/memory.ts';
import { createPublisher } from '../../src/bus/publisher.ts';
import { defined } from '../../src/core/defined.ts';
import { OutageError } from '../../src/core/errors.ts';
import { newId } from '../../src/core/ids.ts';
import { toTimestamp } from '../../src/core/timestamps.ts';
import { createDynamo } from '../../src/dynamo/dynamo.ts';
import { ServiceError } from '../../src/dynamo/errors.ts';
import { keys, parseKey } from '../../src/dynamo/keys.ts';
import type { Transport } from '../../src/dynamo/transport/transport.ts';
import { messageItem, newMessage } from '../../src/messages/message.ts';
import { createAuthorsPositions } from '../../src/roomEvents/authorsPositions.ts';
import { createRoomEventsHandler } from '../../src/roomEvents/handlers.ts';
import { createRoomLog } from '../../src/roomEvents/roomLog.ts';
import { type LogEntry, type RoomUpdate, roomTopic } from '../../src/roomEvents/roomUpdate.ts';
import { counterItem, firstMembershipVersion, membershipItem, seatsItem } from '../../src/rooms/room.ts';
import type { Change } from '../../src/stream/change.ts';
import { setup } from '../stream/support/dispatching.ts';
import { silent } from '../stream/support/stream.ts';
import { openTestDynamo, type TestDynamo, testTimeouts } from '../support/database/dynamo.ts';
import { createTestClock } from '../support/time/clock.ts';

let db: TestDynamo;
beforeAll(async () => {
  db = await openTestDynamo();
});
afterAll(() => db.stop());

test('room events handler: the first of several updates of a batch has the room’s new record', async () => {
  const room = newId();
  await db.dynamo.put(counterItem(room));
  const change = (sequence: number, rest: Pick<Change, 'kind' | 'key' | 'old' | 'new'>): Change => ({
    stream: 's',
    shard: 'x',
    sequence: String(sequence),
    expired: false,
    ...rest,
  });
  const joins = Array.from({ length: 120 }, (_, i) =>
    change(i + 1, { kind: 'INSERT', key: parseKey(keys.member(room, `u${i}`)), new: { role: 'MEMBER' } }),
  );
  const renamed = change(200, {
    kind: 'MODIFY',
    key: parseKey(keys.room(room)),
    old: { name: 'Before', rev: 1 },
    new: { name: 'After', rev: 2, visibility: 'PUBLIC', createdAt: '0000000000000001' },
  });
  const bus = createMemoryBus({ log: silent });
  const publisher = createPublisher({ bus, log: silent });
  const events: RoomUpdate[] = [];
  await bus.subscribe(roomTopic(room), (event) => {
    events.push(event);
  });
  const handler = createRoomEventsHandler({
    dynamo: db.dynamo,
    log: createRoomLog(db),
    publisher,
    authors: createAuthorsPositions(db),
  });
  await handler.handle([...joins, renamed]);
  expect(events.map(({ lastSequence }) => lastSequence)).toEqual([50, 100, 121]);
  expect(events.map(({ record }) => record?.name)).toEqual(['After', undefined, undefined]);
  expect(events[2]?.entries.at(-1)).toEqual({ type: 'room', version: 2 });

  // A second delivery enters nothing. Its update has the record again, which a server may have missed.
  await handler.handle([...joins, renamed]);
  expect(events[3]).toMatchObject({ lastSequence: 121, entries: [], record: { name: 'After' } });
  await publisher.stop();
  await bus.close();
});

test('room events handler: joining and leaving send the seats, also if their record is in another batch', async () => {
  const room = newId();
  const seats = { taken: 3, capacity: 5, waiting: 0, version: 7 };
  await db.dynamo.put(counterItem(room));
  await db.dynamo.put(seatsItem(room, { ...seats, owners: 1 }));
  const bus = createMemoryBus({ log: silent });
  const publisher = createPublisher({ bus, log: silent });
  const events: RoomUpdate[] = [];
  await bus.subscribe(roomTopic(room), (event) => void events.push(event));
  const handler = createRoomEventsHandler({
    dynamo: db.dynamo,
    log: createRoomLog(db),
    publisher,
    authors: createAuthorsPositions(db),
  });
  const kinds = ['INSERT', 'MODIFY', 'REMOVE'] as const;
  for (const [i, kind] of kinds.entries()) {
    const at = { stream: 's', shard: 'x', sequence: String(i + 1), expired: false };
    const role = { role: 'MEMBER' };
    await handler.handle([
      {
        ...at,
        kind,
        key: parseKey(keys.member(room, 'u')),
        ...(kind === 'REMOVE' ? { old: role } : { new: role }),
      },
    ]);
  }
  expect(events.map((event) => event.seats)).toEqual([seats, undefined, seats]);
  await publisher.stop();
  await bus.close();
});

test('room events handler: wakes the reader for roots with mentions, and in rooms that a handler follows', async () => {
  const room = newId();
  await db.dynamo.put(counterItem(room));
  const written: boolean[] = [];
  const { transport, table } = db;
  const onWrite = (isAwaited: boolean) => void written.push(isAwaited);
  const dynamo = createDynamo({ transport, table, timeouts: testTimeouts, onWrite });
  const bus = createMemoryBus({ log: silent });
  const publisher = createPublisher({ bus, log: silent });
  const handler = createRoomEventsHandler({
    dynamo,
    publisher,
    log: createRoomLog({ dynamo, isFollowed: ({ listeners }) => listeners === 1 }),
    authors: createAuthorsPositions({ dynamo, putOffMs: 60_000, clock: createTestClock() }),
  });
  let sequence = 0;
  const change = (rest: Pick<Change, 'kind' | 'key' | 'new'>): Change => ({
    stream: 's',
    shard: 'x',
    sequence: String(++sequence),
    expired: false,
    ...rest,
  });
  async function wakes(mentions: readonly string[], ...before: readonly Change[]) {
    const ts = toTimestamp(1_000_000 + sequence);
    const item = messageItem(newMessage({ room, threadTs: ts, ts, author: 'aki', body: 'Hello', mentions }));
    await db.dynamo.put(item);
    written.length = 0;
    await handler.handle([
      ...before,
      change({ kind: 'INSERT', key: parseKey(keys.root(room, ts)), new: item }),
    ]);
    return written;
  }
  expect(await wakes([])).toEqual([false]);
  expect(await wakes(['ben'])).toEqual([true]);
  expect(await wakes([])).toEqual([false]);
  const counter = { ...counterItem(room), listeners: 1 };
  const listened = change({ kind: 'MODIFY', key: parseKey(keys.counter(room)), new: counter });
  expect(await wakes([], listened)).toEqual([true]);
  await publisher.stop();
  await bus.close();
});

test('room events handler: names a message’s author, and the user who changed it if that is another one', async () => {
  const room = newId();
  await db.dynamo.put(counterItem(room));
  const bus = createMemoryBus({ log: silent });
  const publisher = createPublisher({ bus, log: silent });
  const entries: LogEntry[] = [];
  await bus.subscribe(roomTopic(room), (update) => void entries.push(...update.entries));
  const handler = createRoomEventsHandler({
    dynamo: db.dynamo,
    log: createRoomLog(db),
    publisher,
    authors: createAuthorsPositions(db),
  });
  const ts = toTimestamp(1_000_000);
  const sent = messageItem(
    newMessage({ room, threadTs: ts, ts, author: 'aki', body: 'Hello', mentions: [] }),
  );
  await db.dynamo.put(sent);
  const by = (actor: string, rev: number) => ({
    ...sent,
    rev,
    lastChangeRev: rev,
    lastChange: { kind: 'LIKED', by: actor },
  });
  const likedByBen = by('ben', 3);
  // A repair raises the version, and does not say who changed the message.
  const repaired = { ...likedByBen, rev: 4 };
  const versions = [sent, likedByBen, repaired, by('aki', 5)];
  const changes = versions.map((item, i): Change => {
    const old = versions[i - 1];
    return {
      stream: 's',
      shard: 'x',
      sequence: String(i + 1),
      expired: false,
      kind: old === undefined ? 'INSERT' : 'MODIFY',
      key: parseKey(keys.root(room, ts)),
      new: item,
      ...defined({ old }),
    };
  });
  await handler.handle(changes);
  expect(entries.map((entry) => entry.type === 'message' && [entry.author, entry.actor])).toEqual([
    ['aki', undefined],
    ['aki', 'ben'],
    ['aki', undefined],
    ['aki', undefined],
  ]);
  await publisher.stop();
  await bus.close();
});

/** A root that has no position yet. Its author's membership names it. */
async function postedRoot() {
  const room = newId();
  const threadTs = toTimestamp(1_000_001);
  const message = { room, threadTs, ts: threadTs, author: 'aki', body: 'Hello', mentions: [] };
  const item = messageItem(newMessage(message));
  await db.dynamo.put(counterItem(room));
  await db.dynamo.put(item);
  await db.dynamo.put({
    ...membershipItem({
      user: 'aki',
      room,
      role: 'MEMBER',
      joinedAt: threadTs,
      muted: false,
      readPosition: 0,
      pendingReadRoot: threadTs,
      lastReadTs: threadTs,
      version: firstMembershipVersion(0) + 1,
    }),
  });
  const change: Change = {
    stream: 's',
    shard: 'x',
    sequence: '1',
    expired: false,
    kind: 'INSERT',
    key: parseKey(keys.root(room, threadTs)),
    new: item,
  };
  return { room, threadTs, change };
}

/** Has the real handler and dispatcher handle the change. Resolves to the handlers in its dead letters. */
async function dispatched(transport: Transport, change: Change): Promise<string[]> {
  const dynamo = createDynamo({ transport, table: db.table, timeouts: testTimeouts });
  const bus = createMemoryBus({ log: silent });
  const publisher = createPublisher({ bus, log: silent });
  const authors = createAuthorsPositions({ dynamo });
  const handler = createRoomEventsHandler({ dynamo, publisher, authors, log: createRoomLog({ dynamo }) });
  const { dispatcher, deadLetters } = setup({ handlers: [handler] });
  await dispatcher.dispatch([change]);
  await authors.flush();
  await publisher.stop();
  await bus.close();
  return deadLetters.map(({ handler }) => handler);
}

test('room events handler: moves the author’s read position also if the response to the log’s write was lost', async () => {
  const { room, change } = await postedRoot();
  let losing = true;
  const transport: Transport = {
    async send(operation, input, options) {
      const output = await db.transport.send(operation, input, options);
      if (operation !== 'TransactWriteItems' || !losing) return output;
      losing = false;
      throw new OutageError();
    },
  };
  expect(await dispatched(transport, change)).toEqual([]);
  expect(losing).toBe(false);
  // The update that is published after the repeated call has no entries, so servers do not learn the root's position.
  const membership = await db.dynamo.get(keys.membership('aki', room));
  expect(membership).toMatchObject({ readPosition: 1 });
  expect(membership).not.toHaveProperty('readTo');
});

test('room events handler: a root that others keep writing gets its position when they stop', async () => {
  const { room, threadTs, change } = await postedRoot();
  let conflicts = 0;
  const reasons = [{ code: 'TransactionConflict', item: undefined }];
  const transport: Transport = {
    async send(operation, input, options) {
      if (operation === 'TransactWriteItems' && ++conflicts <= 30)
        throw new ServiceError('TransactionCanceledException', 'Transaction cancelled', {
          status: 400,
          reasons,
        });
      return db.transport.send(operation, input, options);
    },
  };
  expect(await dispatched(transport, change)).toEqual([]);
  expect(conflicts).toBe(31);
  expect(await db.dynamo.get(keys.root(room, threadTs))).toMatchObject({ position: 1 });
  expect(await db.dynamo.get(keys.counter(room))).toMatchObject({ changeCount: 1, messageCount: 1 });
});
