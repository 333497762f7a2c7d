import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { RateLimits } from '../../src/core/rateLimits.ts';
import { ranges } from '../../src/dynamo/keys.ts';
import { createLimits, type Limits } from '../../src/rateLimits/limits.ts';
import { named, openAdmin } from '../bus/redisSupport.ts';
import { type LogLine, recordingLog } from '../bus/support.ts';
import { AT_ONCE, letThrough, limitsContract, RATES, waitOf } from '../contract/limits.ts';
import { startTestApp } from '../support/app.ts';
import { openTestDynamo } from '../support/dynamo.ts';
import { eventually } from '../support/eventually.ts';
import { SendMessage } from '../support/operations.ts';
import { took } from '../support/ownTime.ts';
import { newUser, rawId, roomOf, say } from '../support/people.ts';
import { type RedisServer, redisAvailable, startRedis } from '../support/redis.ts';
import { itemsIn } from '../support/table.ts';

/** Far above the time limit of a command, far below what a sender would call hanging. */
const BOUNDED_MS = 3_000;

describe.skipIf(!redisAvailable)('over Redis', () => {
  let server: RedisServer;
  beforeEach(async () => {
    server = await startRedis();
  });
  afterEach(() => server?.stop());

  interface Opened {
    readonly limits: Limits;
    readonly lines: readonly LogLine[];
  }

  function open({ rates = RATES, prefix = 'test:' }: { rates?: RateLimits; prefix?: string } = {}): Opened {
    const { log, lines } = recordingLog();
    const limits = createLimits({ rates, log, redis: { url: server.url, prefix } });
    onTestFinished(() => limits.close());
    return { limits, lines };
  }

  limitsContract('in Redis', async (rates) => open({ rates }).limits);

  test('all servers on it share one bucket, and another table has its own', async () => {
    const servers = [open(), open(), open()].map(({ limits }) => limits);
    const through = await Promise.all(servers.map((limits) => letThrough(20, limits, 'aki')));
    expect(through.reduce((sum, n) => sum + n, 0)).toBe(AT_ONCE.messages);
    expect(await letThrough(20, open({ prefix: 'other:' }).limits, 'aki')).toBe(AT_ONCE.messages);
  });

  test('every key is gone by itself when its window is over', async () => {
    await letThrough(20, open().limits, 'aki');
    const admin = openAdmin(server);
    const keys = await admin.keys('test:*');
    expect(keys).toHaveLength(2);
    for (const key of keys) expect(await admin.pttl(key)).toBeGreaterThan(0);
  });

  test('while it is killed each server goes on alone, at once, and together again when it is back', async () => {
    const [here, there] = [open(), open()];
    await waitOf(here.limits, 'messages', 'somebody else');
    await waitOf(there.limits, 'messages', 'somebody else');
    await server.kill();
    const oneAfterTheOther = async () => [
      await letThrough(100, here.limits, 'aki'),
      await letThrough(100, there.limits, 'aki'),
    ];
    const alone = oneAfterTheOther();
    expect(await took(alone)).toBeLessThan(BOUNDED_MS);
    expect(await alone).toEqual([AT_ONCE.messages, AT_ONCE.messages]);
    await server.restart();
    const again = 'Rate limits are counted in Redis again';
    await eventually(() =>
      expect([here, there].every(({ lines }) => named(lines, again).length === 1)).toBe(true),
    );
    const through = await Promise.all([here, there].map(({ limits }) => letThrough(20, limits, 'aki')));
    expect(through.reduce((sum, n) => sum + n, 0)).toBe(AT_ONCE.messages);
  });

  test('while it is stopped nobody waits for it for long', async () => {
    const { limits, lines } = open();
    expect(await waitOf(limits, 'messages', 'somebody else')).toBe(0);
    server.stopProcess();
    const through = letThrough(100, limits, 'aki');
    expect(await took(through)).toBeLessThan(BOUNDED_MS);
    expect(await through).toBe(AT_ONCE.messages);
    // It is known now: nobody waits at all.
    const everybody = async () => {
      for (let n = 0; n < 100; n++) await waitOf(limits, 'messages', `person ${n}`);
    };
    expect(await took(everybody())).toBeLessThan(BOUNDED_MS);
    expect(named(lines, 'Each server counts rate limits alone: Redis is down')).toHaveLength(1);
    server.continueProcess();
  });

  test('a Redis that was never there keeps nobody waiting', async () => {
    await server.kill();
    const through = letThrough(20, open().limits, 'aki');
    expect(await took(through)).toBeLessThan(BOUNDED_MS);
    expect(await through).toBe(AT_ONCE.messages);
  });

  test('two servers refuse together, store only what they let through, and go on sending when it stops', async () => {
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

    const ben = await newUser(here, 'ben');
    const another = await roomOf(ben);
    server.stopProcess();
    onTestFinished(() => server.continueProcess());
    const said = say(ben, another, 'Still here');
    expect(await took(said)).toBeLessThan(BOUNDED_MS);
    await said;
  });
});
