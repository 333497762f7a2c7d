import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, vi } from 'vitest';
import { createRedisBus } from '../../src/bus/redis.ts';
import { busContract } from '../contract/bus.ts';
import { type RedisServer, redisAvailable, startRedis } from '../support/redis.ts';
import { recordingLog } from './support.ts';

describe.skipIf(!redisAvailable)('over a real Redis', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server?.stop());

  busContract('The Redis bus', async () => {
    const { log, lines } = recordingLog();
    const options = { url: server.url, prefix: `${randomUUID()}:`, log };
    const [a, b] = [createRedisBus(options), createRedisBus(options)];
    await vi.waitUntil(() => a.up && b.up, { interval: 1 });
    return { a, b, lines };
  });
});
