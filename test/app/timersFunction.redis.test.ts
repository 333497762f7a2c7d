/** The function of AWS that handles timers, called as EventBridge does. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createTimersFunction } from '../../src/app/timersFunction.ts';
import { OutageError } from '../../src/core/errors.ts';
import { idFrom } from '../../src/core/ids.ts';
import { toTimestamp } from '../../src/core/timestamps.ts';
import { keys, ranges } from '../../src/dynamo/keys.ts';
import { createJobs } from '../../src/jobs/jobs.ts';
import { startFaultProxy } from '../stream/support/faultProxy.ts';
import { openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';
import { type RedisServer, redisAvailable, startRedis } from '../support/servers/redis.ts';
import { createTestClock } from '../support/time/clock.ts';
import { eventually } from '../support/time/eventually.ts';
import { openTimers, set } from '../timers/support/timers.ts';

describe.skipIf(!redisAvailable)('the timers function', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis?.stop());

  async function start() {
    const database = await openTestDynamo({ file: true });
    onTestFinished(() => database.stop());
    return database;
  }

  const environment = ({ table }: TestDynamo, endpoint: string) => ({
    DYNAMODB_ENDPOINT: endpoint,
    TABLE_NAME: table,
    REDIS_URL: redis.url,
    LOG_LEVEL: 'silent',
  });

  test('createTimersFunction: a call whose timers cannot start fails at once, and leaves no heartbeat', async () => {
    const database = await start();
    const clock = createTestClock();
    const { handler, close } = await createTimersFunction(environment(database, database.endpoint), clock);
    await close();
    // Its bus is closed.
    await expect(handler({}, { getRemainingTimeInMillis: () => 90_000 })).rejects.toThrow(OutageError);
    expect(clock.waiting).toBe(0);
    const { items } = await database.dynamo.query(ranges.heartbeats(), { limit: 10 });
    expect(items.filter(({ process }) => String(process).includes('function'))).toEqual([]);
  });

  test('createTimersFunction: waits for a table that cannot be read, and ends without an error if that takes too long', async () => {
    const database = await start();
    const proxy = await startFaultProxy(database.endpoint);
    onTestFinished(() => proxy.stop());
    const clock = createTestClock();
    const { handler, close } = await createTimersFunction(environment(database, proxy.endpoint), clock);
    onTestFinished(close);
    const context = { getRemainingTimeInMillis: () => 90_000 };
    await set(database.dynamo, { id: 'waiting', due: Date.now() });

    proxy.mode = { error: 'InternalServerError' };
    const outlasted = handler({}, context);
    await eventually(() => expect(proxy.count('GetItem')).toBeGreaterThan(0));
    clock.advance(50_000);
    await outlasted;
    expect(clock.waiting).toBe(0);

    const before = proxy.count('GetItem');
    const called = handler({}, context);
    await eventually(() => expect(proxy.count('GetItem')).toBeGreaterThan(before));
    proxy.mode = 'pass';
    await eventually(async () => {
      clock.advance(10);
      expect(await openTimers(database.dynamo)).toMatchObject([{ failures: { count: 1 } }]);
    });
    clock.advance(50_000);
    await called;
    expect(clock.waiting).toBe(0);
  });

  test('createTimersFunction: handles timers until its time is over, and gives the lease back', async () => {
    const database = await start();
    const { dynamo } = database;
    const id = idFrom('a waiting job');
    const about = { room: 'r', t: toTimestamp(1), c: toTimestamp(1) };
    await createJobs({ dynamo }).add({ id, kind: 'clearStamps', about, cursor: 'more' });
    for (let call = 0; call < 2; call++) {
      const clock = createTestClock();
      const { handler, close } = await createTimersFunction(environment(database, database.endpoint), clock);
      const due = Date.now();
      await set(dynamo, { id: 'newer', due });
      const called = handler({}, { getRemainingTimeInMillis: () => 90_000 });
      await eventually(async () => {
        for (const timer of await openTimers(dynamo)) expect(timer.failures).toBeDefined();
      });
      clock.advance(50_000);
      await called;
      await close();
    }
    // It is done.
    expect(await dynamo.get(keys.job(id))).toBeUndefined();
    expect(await openTimers(dynamo)).toMatchObject([{ failures: { count: 1 } }, { failures: { count: 1 } }]);
    const { items } = await dynamo.query(ranges.shards('TIMERS'), { limit: 10 });
    expect(items).toHaveLength(1);
    expect(items[0]).not.toHaveProperty('owner');
  });
});
