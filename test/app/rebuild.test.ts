import { expect, onTestFinished, test } from 'vitest';
import { createDerivations } from '../../src/app/features.ts';
import { createRebuild } from '../../src/app/rebuild.ts';
import { createMemoryBus } from '../../src/bus/memory.ts';
import { createPublisher } from '../../src/bus/publisher.ts';
import type { Dynamo } from '../../src/dynamo/dynamo.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { counterItem } from '../../src/rooms/room.ts';
import { silent } from '../stream/support/stream.ts';
import { openTestDynamo } from '../support/database/dynamo.ts';

function createTestRebuild(dynamo: Dynamo) {
  const publisher = createPublisher({ bus: createMemoryBus({ log: silent }), log: silent });
  const derivations = createDerivations({ dynamo, publisher, retention: 30 * 24 * 3600, now: Date.now });
  return createRebuild({ dynamo, derivations, publisher, log: silent });
}

test('createRebuild: runs once for several shards that are found gone at the same time', async () => {
  const { dynamo, stop } = await openTestDynamo();
  onTestFinished(stop);
  await dynamo.put(counterItem('r'));
  const rebuild = createTestRebuild(dynamo);
  const gaps = async () => (await dynamo.get(keys.counter('r')))?.changeCount;

  const { signal } = new AbortController();
  await Promise.all([rebuild(signal), rebuild(signal), rebuild(signal)]);
  expect(await gaps()).toBe(1);
  await rebuild(signal);
  expect(await gaps()).toBe(2);

  // If one is aborted, the callers that waited for it get the error and try again.
  const cut = [rebuild(AbortSignal.abort()), rebuild(signal)];
  for (const one of cut) await expect(one).rejects.toThrow();
  await rebuild(signal);
  expect(await gaps()).toBe(3);
});

test('createRebuild: reads the table once', async () => {
  const { dynamo, stop } = await openTestDynamo();
  onTestFinished(stop);
  let passes = 0;
  const counted: typeof dynamo = {
    ...dynamo,
    scan(options) {
      passes++;
      return dynamo.scan(options);
    },
  };
  const rebuild = createTestRebuild(counted);
  await rebuild(new AbortController().signal);
  expect(passes).toBe(1);
});
