/** What `/readyz` says of the parts of a process. */
import { expect, onTestFinished, test } from 'vitest';
import { createHealthChecks } from '../../src/app/health.ts';
import { createMemoryBus } from '../../src/bus/memory.ts';
import { createTimerHost } from '../../src/timers/host.ts';
import { startServer } from '../server/support/server.ts';
import { silent } from '../stream/support/stream.ts';
import { openTestDynamo } from '../support/database/dynamo.ts';
import { eventually } from '../support/time/eventually.ts';
import { createRunner } from '../timers/support/timers.ts';

test('/readyz: says that the clock of the machine is wrong, and that it is right again, and stays ready', async () => {
  const { dynamo, stop } = await openTestDynamo();
  onTestFinished(stop);
  /** The database's clock minus that of the machine. A response says it with half a second more or less. */
  let offset = 0;
  const serverClock = { offset: () => ({ least: offset - 500, most: offset + 500 }) };
  const { clock, runner } = createRunner(dynamo, { startAt: 0, handle: () => {} });
  const timers = createTimerHost({ runner, serverClock, clock, log: silent });
  await timers.start();
  onTestFinished(timers.stop);
  const consumer = {
    state: () => ({ running: true, reachable: true, shards: [], lagMs: 0, deadLetters: 0, optional: {} }),
  };
  const bus = createMemoryBus({ log: silent });
  onTestFinished(bus.close);
  const { get } = await startServer({
    health: createHealthChecks({ dynamo, bus, reading: { consumer, timers } }),
  });
  /** Until a round of the timers has seen the machine's clock, and the kept answer is a new one. */
  const shows = (expected: object) =>
    eventually(async () => {
      clock.advance(2_500);
      const response = await get('/readyz');
      const { ok, dependencies } = JSON.parse(await response.text());
      expect([response.status, ok, dependencies.timers]).toEqual([200, true, expected]);
    });
  const right = { required: false, ok: true, detail: '0 ms behind' };
  const wrong = { required: false, ok: false, detail: 'the clock of this machine is wrong' };

  await shows(right);
  // Two seconds behind the database, and one ahead of it, are the bounds. What may be within them is right.
  for (const [isWrong, isRight] of [
    [2_600, 2_400],
    [-1_600, -1_400],
  ] as const) {
    offset = isWrong;
    await shows(wrong);
    offset = isRight;
    await shows(right);
  }
});

test.each([
  { shards: ['a'], deadLetters: 1, detail: '1 shard, 0 ms behind, 1 dead letter' },
  { shards: ['a', 'b'], deadLetters: 0, detail: '2 shards, 0 ms behind, 0 dead letters' },
])('/readyz: says $detail of the consumer', async ({ shards: names, deadLetters, detail }) => {
  const { dynamo, stop } = await openTestDynamo();
  onTestFinished(stop);
  const bus = createMemoryBus({ log: silent });
  onTestFinished(bus.close);
  const shards = names.map((shard) => ({
    shard,
    checkpoint: undefined,
    position: undefined,
    polledMsAgo: undefined,
    lagMs: 0,
  }));
  const reading = {
    consumer: {
      state: () => ({ running: true, reachable: true, shards, lagMs: 0, deadLetters, optional: {} }),
    },
    timers: {
      state: () => ({
        active: false,
        reachable: true,
        clockIsRight: true,
        running: 0,
        waiting: 0,
        overdue: 0,
        overdueMs: 0,
      }),
    },
  };
  const { consumer } = await createHealthChecks({ dynamo, bus, reading })();
  expect(consumer).toEqual({ required: false, ok: true, detail });
});
