/** What was revoked is refused at every server, whatever becomes of Redis. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRevocations } from '../../src/revocations/revocations.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { openTestDynamo, type TestDynamo } from '../support/dynamo.ts';
import { type RedisServer, redisAvailable, startRedis } from '../support/redis.ts';
import { bearer, inAnHour, KNOWN_MS, newSubject, nowSeconds, overHttp, session } from './support.ts';

describe.skipIf(!redisAvailable)('two servers', () => {
  let database: TestDynamo;
  let redis: RedisServer;
  let servers: readonly TestApp[] = [];
  beforeAll(async () => {
    [database, redis] = await Promise.all([openTestDynamo({ file: true }), startRedis()]);
    const shared = { database, redisUrl: redis.url, revocationsMs: 1_000 };
    servers = [await startTestApp(shared), await startTestApp({ ...shared, role: 'api' })];
  });
  afterAll(async () => {
    for (const server of servers) await server.stop();
    await redis?.stop();
    await database?.stop();
  });

  test.each(['there', 'killed'])('close and refuse within five seconds, with Redis %s', async (redisIs) => {
    const sub = newSubject();
    const token = await bearer(sub);
    const sockets = await Promise.all(servers.map((server) => session(server, token)));
    if (redisIs === 'killed') await redis.kill();
    const at = performance.now();
    await createRevocations({ dynamo: database.dynamo }).revoke({ sub, before: nowSeconds() }, inAnHour());
    const closed = await Promise.all(sockets.map((socket) => socket.closed));
    expect(performance.now() - at).toBeLessThan(KNOWN_MS);
    expect(closed.map(({ code }) => code)).toEqual([4403, 4403]);
    const answers = await Promise.all(servers.map((server) => overHttp(server, token)));
    expect(answers).toEqual(['401 UNAUTHENTICATED', '401 UNAUTHENTICATED']);
  });
});
