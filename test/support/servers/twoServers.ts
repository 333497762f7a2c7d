import { afterAll, beforeAll } from 'vitest';
import { openTestDynamo, type TestDynamo } from '../database/dynamo.ts';
import { startTestApp, type TestApp, type TestAppOptions } from './app.ts';
import { type RedisServer, startRedis } from './redis.ts';

/** Two servers on one table and one Redis. The first one also reads the stream. */
export interface TwoServers {
  readonly database: TestDynamo;
  readonly redis: RedisServer;
  readonly here: TestApp;
  readonly there: TestApp;
}

/** Call it once in a `describe`, outside of its tests. */
export function useTwoServers(
  options: Pick<TestAppOptions, 'revocationsMs' | 'redisLimits'> = {},
): TwoServers {
  let database: TestDynamo;
  let redis: RedisServer;
  let here: TestApp;
  let there: TestApp;
  beforeAll(async () => {
    [database, redis] = await Promise.all([openTestDynamo({ file: true }), startRedis()]);
    const shared = { database, redisUrl: redis.url, ...options };
    here = await startTestApp(shared);
    there = await startTestApp({ ...shared, role: 'api' });
  });
  afterAll(async () => {
    await there?.stop();
    await here?.stop();
    await redis?.stop();
    await database?.stop();
  });
  return {
    get database() {
      return database;
    },
    get redis() {
      return redis;
    },
    get here() {
      return here;
    },
    get there() {
      return there;
    },
  };
}
