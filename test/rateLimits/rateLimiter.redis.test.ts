import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { RedisLimits } from '../../src/bus/redis/connection.ts';
import type { RateLimits } from '../../src/core/rateLimits.ts';
import { ranges } from '../../src/dynamo/keys.ts';
import { createRateLimiter, type SharedRateLimiter } from '../../src/rateLimits/rateLimiter.ts';
import { type LogLine, recordingLog } from '../bus/support/bus.ts';
import { named, openAdminClient } from '../bus/support/redis.ts';
import { AT_ONCE, allowedOf, RATES, rateLimiterContract, waitOf } from '../contract/rateLimiter.ts';
import { SendMessage } from '../support/clients/operations.ts';
import { newUser, rawId, roomOf, say } from '../support/clients/people.ts';
import { openTestDynamo } from '../support/database/dynamo.ts';
import { itemsIn } from '../support/database/table.ts';
import { startTestApp } from '../support/servers/app.ts';
import { patientLimits, type RedisServer, redisAvailable, startRedis } from '../support/servers/redis.ts';
import { eventually } from '../support/time/eventually.ts';
import { took } from '../support/time/ownTime.ts';

/** Far longer than the time limit of a command, far shorter than what a user would call hanging. */
const BOUNDED_MS = 3_000;

describe.skipIf(!redisAvailable)('rate limiter with Redis', () => {
  let server: RedisServer;
  beforeEach(async () => {
    server = await startRedis();
  });
  afterEach(() => server?.stop());

  interface Opened {
    readonly limiter: SharedRateLimiter;
    readonly lines: readonly LogLine[];
  }

  interface OpenOptions {
    readonly rates?: RateLimits;
    readonly prefix?: string;
    readonly limits?: Partial<RedisLimits>;
  }

  function open({ rates = RATES, prefix = 'test:', limits = patientLimits }: OpenOptions = {}): Opened {
    const { log, lines } = recordingLog();
    const limiter = createRateLimiter({ rates, log, redis: { ...limits, url: server.url, prefix } });
    onTestFinished(() => limiter.close());
    return { limiter, lines };
  }

  rateLimiterContract('in Redis', async (rates) => open({ rates }).limiter);

  test('charge: all servers of a table share one bucket, and another table has its own', async () => {
    const servers = [open(), open(), open()];
    const allowed = await Promise.all(servers.map(({ limiter }) => allowedOf(20, limiter, 'aki')));
    expect(allowed.reduce((sum, n) => sum + n, 0)).toBe(AT_ONCE.messages);
    expect(await allowedOf(20, open({ prefix: 'other:' }).limiter, 'aki')).toBe(AT_ONCE.messages);
  });

  test('usePrefix: a server that goes to another table counts with those that use it', async () => {
    const [moved, there] = [open(), open({ prefix: 'other:' })];
    await allowedOf(20, moved.limiter, 'aki');
    expect(await allowedOf(20, there.limiter, 'aki')).toBe(AT_ONCE.messages);
    moved.limiter.usePrefix('other:');
    expect(await allowedOf(20, moved.limiter, 'aki')).toBe(0);
  });

  test('charge: every key in Redis expires with its window', async () => {
    await allowedOf(20, open().limiter, 'aki');
    const admin = openAdminClient(server);
    const keys = await admin.keys('test:*');
    expect(keys).toHaveLength(2);
    for (const key of keys) expect(await admin.pttl(key)).toBeGreaterThan(0);
  });

  test('charge: if Redis is killed, each server counts alone at once, and together again after the restart', async () => {
    const [here, there] = [open(), open()];
    await waitOf(here.limiter, 'messages', 'another user');
    await waitOf(there.limiter, 'messages', 'another user');
    await server.kill();
    const sequentially = async () => [
      await allowedOf(100, here.limiter, 'aki'),
      await allowedOf(100, there.limiter, 'aki'),
    ];
    const alone = sequentially();
    expect(await took(alone)).toBeLessThan(BOUNDED_MS);
    expect(await alone).toEqual([AT_ONCE.messages, AT_ONCE.messages]);
    await server.restart();
    const again = 'Rate limits are counted in Redis again';
    await eventually(() =>
      expect([here, there].every(({ lines }) => named(lines, again).length === 1)).toBe(true),
    );
    const allowed = await Promise.all([here, there].map(({ limiter }) => allowedOf(20, limiter, 'aki')));
    expect(allowed.reduce((sum, n) => sum + n, 0)).toBe(AT_ONCE.messages);
  });

  test('charge: if Redis becomes a replica, another connection is made, which counts in the new primary', async () => {
    const { limiter, lines } = open();
    await waitOf(limiter, 'messages', 'another user');
    await server.command('REPLICAOF 127.0.0.1 9');
    await waitOf(limiter, 'messages', 'another user');
    expect(named(lines, 'Each server counts rate limits alone: Redis is down')).toHaveLength(1);
    await server.command('REPLICAOF NO ONE');
    await eventually(() => {
      expect(named(lines, 'Rate limits are counted in Redis again')).toHaveLength(1);
    });
    expect(await allowedOf(20, limiter, 'aki')).toBe(AT_ONCE.messages);
    expect(await openAdminClient(server).keys('test:*aki*')).not.toEqual([]);
  });

  test('charge: if Redis hangs, no request waits for it longer than its time limit', async () => {
    const { limiter, lines } = open({ limits: {} });
    expect(await waitOf(limiter, 'messages', 'another user')).toBe(0);
    server.stopProcess();
    const allowed = allowedOf(100, limiter, 'aki');
    expect(await took(allowed)).toBeLessThan(BOUNDED_MS);
    expect(await allowed).toBe(AT_ONCE.messages);
    // The server knows now that Redis is down, and does not wait for it at all.
    const others = async () => {
      for (let n = 0; n < 100; n++) await waitOf(limiter, 'messages', `user ${n}`);
    };
    expect(await took(others())).toBeLessThan(BOUNDED_MS);
    expect(named(lines, 'Each server counts rate limits alone: Redis is down')).toHaveLength(1);
    server.continueProcess();
  });

  test('charge: if Redis was never reachable, no request waits for it', async () => {
    await server.kill();
    const allowed = allowedOf(20, open().limiter, 'aki');
    expect(await took(allowed)).toBeLessThan(BOUNDED_MS);
    expect(await allowed).toBe(AT_ONCE.messages);
  });

  test('sendMessage: two servers share the limit, and store only what they allow', async () => {
    const database = await openTestDynamo({ file: true });
    const options = { database, redisUrl: server.url, config: { rateLimits: RATES } };
    const [here, there] = [await startTestApp(options), await startTestApp(options)];
    onTestFinished(async () => {
      await here.stop();
      await there.stop();
      await database.stop();
    });
    const roomId = await roomOf(await here.as('aki'));
    const clients = [await here.as('aki'), await there.as('aki')];
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        clients.map((client) => client.send(SendMessage, { input: { roomId, body: `${n}` } })),
      ).flat(),
    );
    const codes = answers.map(({ errors }) => errors?.[0]?.extensions?.code ?? 'OK').sort();
    expect(codes).toEqual([...Array(AT_ONCE.messages).fill('OK'), ...Array(14).fill('RATE_LIMITED')]);
    expect(await itemsIn(here.dynamo, ranges.roots(rawId(roomId)))).toHaveLength(AT_ONCE.messages);
  });

  test('sendMessage: waits for a Redis that hangs no longer than the time limit', async () => {
    const app = await startTestApp({ redisUrl: server.url, redisLimits: {}, config: { rateLimits: RATES } });
    onTestFinished(() => app.stop());
    const ben = await newUser(app, 'ben');
    const roomId = await roomOf(ben);
    server.stopProcess();
    onTestFinished(() => server.continueProcess());
    const said = say(ben, roomId, 'Still here');
    expect(await took(said)).toBeLessThan(BOUNDED_MS);
    await said;
  });
});
