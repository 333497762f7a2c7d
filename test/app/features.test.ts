import { expect, onTestFinished, test } from 'vitest';
import { counters, createDerivations } from '../../src/app/features.ts';
import { createMemoryBus } from '../../src/bus/memory.ts';
import { createPublisher } from '../../src/bus/publisher.ts';
import { newId } from '../../src/core/ids.ts';
import { toTimestamp } from '../../src/core/timestamps.ts';
import { createDynamo } from '../../src/dynamo/dynamo.ts';
import { keys, parseKey } from '../../src/dynamo/keys.ts';
import { messageItem, newMessage } from '../../src/messages/message.ts';
import { counterItem } from '../../src/rooms/room.ts';
import { silent } from '../stream/support/stream.ts';
import { openTestDynamo, testTimeouts } from '../support/database/dynamo.ts';

test('createDerivations: the handlers keep the names that dead letters store', async () => {
  const { dynamo, stop } = await openTestDynamo();
  onTestFinished(stop);
  const publisher = createPublisher({ bus: createMemoryBus({ log: silent }), log: silent });
  const { handlers } = createDerivations({ dynamo, publisher, retention: 3_600, now: Date.now });
  expect(handlers.map(({ name }) => name)).toEqual([
    'handles',
    'savedNews',
    'jobNews',
    'events',
    'likesClearing',
    'clearing',
    'memberships',
    'waitlist',
    'memberHandles',
    'badges',
    'notifications',
    'afterReading',
    'rootMentions',
    'notificationNews',
    'followedThreads',
    'gathering',
    'roomNews',
    'listeners',
    'deliverySettings',
    'pushRevocations',
    'jobs',
    'timers',
  ]);
});

test('createDerivations: a new message wakes the reader again in a direct room, and not in a plain one', async () => {
  const database = await openTestDynamo();
  onTestFinished(database.stop);
  const written: boolean[] = [];
  const { transport, table } = database;
  const onWrite = (isAwaited: boolean) => void written.push(isAwaited);
  const dynamo = createDynamo({ transport, table, timeouts: testTimeouts, onWrite });
  const publisher = createPublisher({ bus: createMemoryBus({ log: silent }), log: silent });
  const { handlers } = createDerivations({ dynamo, publisher, retention: 3_600, now: Date.now });
  const events = handlers.find(({ name }) => name === 'events');
  for (const isDirect of [false, true]) {
    const room = newId();
    await database.dynamo.put(counterItem(room, isDirect));
    const ts = toTimestamp(1_000_000);
    const root = newMessage({ room, threadTs: ts, ts, author: 'aki', body: 'Hello', mentions: [] });
    await database.dynamo.put(messageItem(root));
    const at = { stream: 's', shard: 'x', sequence: '1', expired: false, kind: 'INSERT' } as const;
    await events?.handle([{ ...at, key: parseKey(keys.root(room, ts)), new: messageItem(root) }]);
  }
  // Each writes the log, then the author's membership, which does not exist.
  expect(written).toEqual([false, true]);
});

test('counters: each number is counted once', () => {
  const names = counters.map(({ name }) => name);
  expect(names).toContain('positions');
  expect(new Set(names).size).toBe(names.length);
});
