import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { createRedisBus } from '../../src/bus/redis/bus.ts';
import { busContract } from '../contract/bus.ts';
import { type RedisServer, redisAvailable, startRedis } from '../support/servers/redis.ts';
import { eventually } from '../support/time/eventually.ts';
import { recordingLog } from './support/bus.ts';

/** Longer than a busy machine needs for 2,000 messages at once. Timeouts are tested in `redisFaults.redis.test.ts`. */
const TIMEOUT_MS = 60_000;

describe.skipIf(!redisAvailable)('createRedisBus', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server?.stop());

  busContract('createRedisBus', async () => {
    const { log, lines } = recordingLog();
    const options = { url: server.url, prefix: `${randomUUID()}:`, log, timeoutMs: TIMEOUT_MS };
    const [a, b] = [createRedisBus(options), createRedisBus(options)];
    await eventually(() => expect(a.up && b.up).toBe(true), 1);
    return { a, b, lines };
  });
});
