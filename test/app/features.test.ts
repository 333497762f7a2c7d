import { expect, onTestFinished, test } from 'vitest';
import { counters, createDerivations } from '../../src/app/features.ts';
import { createMemoryBus } from '../../src/bus/memory.ts';
import { createPublisher } from '../../src/bus/publisher.ts';
import { silent } from '../stream/support/stream.ts';
import { openTestDynamo } from '../support/database/dynamo.ts';

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

test('counters: each number is counted once', () => {
  const names = counters.map(({ name }) => name);
  expect(names).toContain('positions');
  expect(new Set(names).size).toBe(names.length);
});
