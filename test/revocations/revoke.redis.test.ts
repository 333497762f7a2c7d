/** What was revoked is refused at every server, whatever becomes of Redis. */
import { describe, expect, test } from 'vitest';
import { createRevocations } from '../../src/revocations/revocations.ts';
import { startOwnTime } from '../support/ownTime.ts';
import { redisAvailable } from '../support/redis.ts';
import { useTwoServers } from '../support/twoServers.ts';
import { bearer, inAnHour, KNOWN_MS, newSubject, nowSeconds, overHttp, session } from './support.ts';

describe.skipIf(!redisAvailable)('two servers', () => {
  const both = useTwoServers({ revocationsMs: 1_000 });

  test.each(['there', 'killed'])('close and refuse within five seconds, with Redis %s', async (redisIs) => {
    const { redis, database } = both;
    const servers = [both.here, both.there];
    const sub = newSubject();
    const token = await bearer(sub);
    const sockets = await Promise.all(servers.map((server) => session(server, token)));
    if (redisIs === 'killed') await redis.kill();
    const took = startOwnTime();
    await createRevocations({ dynamo: database.dynamo }).revoke({ sub, before: nowSeconds() }, inAnHour());
    const closed = await Promise.all(sockets.map((socket) => socket.closed));
    expect(took()).toBeLessThan(KNOWN_MS);
    expect(closed.map(({ code }) => code)).toEqual([4403, 4403]);
    const answers = await Promise.all(servers.map((server) => overHttp(server, token)));
    expect(answers).toEqual(['401 UNAUTHENTICATED', '401 UNAUTHENTICATED']);
  });
});
